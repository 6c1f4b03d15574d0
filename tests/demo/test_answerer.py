"""The extractive answerer: quotes, citations, parts of a question, declining."""

from acidtest.demo.answerer import DECLINE, reply
from acidtest.demo.corpus import Passage

PRICES = Passage(
    "docs/prices#pro-1",
    "docs/prices",
    "Prices",
    "Pro",
    "The Pro plan costs 49 euros a month. Support answers within two hours.",
)
CANCEL = Passage(
    "docs/terms#cancel-1",
    "docs/terms",
    "Terms",
    "Cancelling",
    "Cancelling takes effect at the end [of the month].\n$ cancel now please",
)


def test_it_quotes_the_best_sentence_and_cites_its_chunk():
    text, cited, declined = reply("What does the Pro plan cost?", [CANCEL, PRICES], {})
    assert text == "The Pro plan costs 49 euros a month. [docs/prices#pro-1]"
    assert (cited, declined) == (["docs/prices#pro-1"], False)


def test_a_question_of_two_parts_gets_two_quotes():
    text, cited, _ = reply(
        "What does the Pro plan cost and when does cancelling take effect?", [PRICES, CANCEL], {}
    )
    assert cited == ["docs/prices#pro-1", "docs/terms#cancel-1"]
    assert "49 euros" in text
    assert "takes effect" in text


def test_brackets_in_a_quote_do_not_read_as_citations():
    text, _, _ = reply("When does cancelling take effect?", [CANCEL], {})
    assert text.startswith("Cancelling takes effect at the end (of the month). [docs/terms")


def test_it_declines_when_the_evidence_is_weak_or_absent():
    assert reply("Who won the chess tournament in Paris?", [PRICES, CANCEL], {}) == (
        DECLINE,
        [],
        True,
    )
    assert reply("What does the Pro plan cost?", [], {})[2] is True
    assert reply("", [PRICES], {})[2] is True


def test_commands_are_not_quoted():
    text, _, _ = reply("cancel now please", [CANCEL], {})
    assert "$" not in text
