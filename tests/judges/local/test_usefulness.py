"""Contexts by hand: useful, useless, left open."""

from acidtest.judges.local.rules import THRESHOLDS
from acidtest.judges.local.usefulness import answer

GOOD = "Plans. The Pro plan costs €49/month and includes priority support."
OTHER = "Visitors park their bicycles behind the northern warehouse."


def verdicts(passages, said, question="What does the Pro plan cost?"):
    ruled = answer({"question": question, "answer": said, "passages": passages}, THRESHOLDS)
    assert [r["passage"] for r in ruled["passages"]] == list(range(1, len(passages) + 1))
    return [r["verdict"] for r in ruled["passages"]]


def test_each_context_alone():
    said = "I hope this helps. The Pro plan costs €49/month."
    near = "The Pro plan was announced in spring."
    assert verdicts([OTHER, GOOD, near, ""], said) == ["useless", "useful", "undecided", "useless"]


def test_one_sentence_of_the_answer_is_enough():
    assert verdicts([GOOD], f"{OTHER} The Pro plan costs €49/month.") == ["useful"]


def test_a_short_answer_is_read_with_its_question():
    assert verdicts([GOOD, OTHER], "€49") == ["useful", "useless"]


def test_another_language_is_left_open():
    said = "Unsere Kunden bekommen bei der Bestellung einen kostenlosen Rechner dazu."
    assert verdicts([GOOD], said, "Was bekommen die Kunden?") == ["undecided"]


def test_an_answer_without_words():
    assert verdicts([GOOD], "...", "?") == ["useless"]
