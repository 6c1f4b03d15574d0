"""What redaction puts in the place of something is text, and never a citation."""

import pytest

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Score, Skip
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.local.terms import unmarked
from acidtest.metrics.generation.citation_precision import citation_precision
from acidtest.metrics.generation.citation_recall import citation_recall
from acidtest.metrics.generation.citation_validity import citation_validity
from acidtest.metrics.generation.faithfulness import faithfulness
from acidtest.metrics.generation.grounding_leak import grounding_leak
from acidtest.online.redact_patterns import PATTERNS
from acidtest.text.citations import markers, uncited
from acidtest.text.placeholders import placeholder, without_placeholders
from acidtest.text.refusal import declined

OURS = [*PATTERNS, "redacted"]
OTHERS = [
    "name",
    "PERSON_1",
    "EMAIL_ADDRESS",
    "US_SSN",
    "NAME 2",
    "email1",
    "CREDIT_CARD_NUMBER 12",
]
TEXT = "You can write to [email] for refunds. Call [phone] on weekdays."
CHUNKS = (Chunk(id="c1", text=TEXT), Chunk(id="c2", text="Shops open at nine."))


@pytest.mark.parametrize("inner", OURS + OTHERS)
def test_a_placeholder_is_known_cites_nothing_and_stays_in_claims(inner):
    text = f"Write to [{inner}] for refunds [1]."

    assert placeholder(inner)
    assert [marker.labels for marker in markers(text)] == [("1",)]
    assert unmarked(text) == f"Write to [{inner}] for refunds ."
    assert uncited(text).split() == text.replace("[1]", " ").split()
    assert len(without_placeholders(text)) == len(text)
    assert inner not in without_placeholders(text)


@pytest.mark.parametrize("label", ["1", "c12", "refunds#2", "guide.pdf#page=4", "DOC_1", "doc 3"])
def test_what_cites_cites_as_before(label):
    assert not placeholder(label)
    assert [marker.labels for marker in markers(f"It is so [{label}].")] == [(label,)]


def test_a_chunk_that_bears_the_name_is_cited():
    assert [m.labels for m in markers("It is so [PERSON_1].", ["person_1"])] == [("PERSON_1",)]


def test_footnotes_of_one_letter_are_no_text():
    assert unmarked("It is so [a].") == "It is so ."


@pytest.mark.parametrize("inner", ["email", "EMAIL_ADDRESS", "PERSON_1"])
def test_an_answer_with_placeholders_alone_cites_nothing(inner):
    answer = f"You can write to [{inner}] for refunds."
    for metric in (citation_validity, citation_precision):
        assert isinstance(metric(Answer(case_id="x", text=answer), answer, CHUNKS), Skip)
    recall = citation_recall(Answer(case_id="x", text=answer), answer, CHUNKS)
    assert isinstance(recall, Score)
    assert recall.evidence[0]["why"] == "cites nothing"
    leak = grounding_leak(Case(id="x", question="?"), answer, CHUNKS)
    assert isinstance(leak, Score)
    assert leak.parts == {"items": 0, "leaked": 0}


def test_the_count_of_a_placeholder_is_no_number_that_a_source_must_hold():
    answer = "You can write to [PERSON_7] for refunds [1]."
    found = citation_validity(Answer(case_id="x", text=answer), answer, CHUNKS)
    assert isinstance(found, Score)
    assert found.value == 1.0


async def test_claims_keep_placeholders_and_are_supported_where_the_passage_has_them():
    found = await faithfulness("How?", TEXT, CHUNKS, LocalJudge())
    assert isinstance(found, Score)
    assert found.value == 1.0
    assert [claim["claim"] for claim in found.evidence] == [
        "You can write to [email] for refunds.",
        "Call [phone] on weekdays.",
    ]


async def test_a_placeholder_that_no_passage_has_is_not_passed_over():
    with_it = await faithfulness("How?", "Send [iban] to [secret].", CHUNKS, LocalJudge())
    assert not isinstance(with_it, Score) or with_it.value == 0.0


def test_a_refusal_beside_a_placeholder_is_one():
    assert declined("I cannot find [email] in what I was given.").declined
