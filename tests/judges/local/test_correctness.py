"""Answers against references by hand: correct, incorrect, left open."""

import pytest

from acidtest.judges.local.correctness import answer
from acidtest.judges.local.rules import THRESHOLDS

LONG = "The Pro plan costs €49 a month. It includes priority support by telephone and e-mail."


@pytest.mark.parametrize(
    ("reference", "said", "verdict"),
    [
        ("Anna Smith", "It was founded by Anna Smith.", "correct"),
        ("€49", "The Pro plan costs 49 euros a month.", "correct"),
        ("49 €", "The Pro plan costs 59 € a month.", "incorrect"),
        ("Anna Smith", "It was founded by Bob Jones.", "incorrect"),
        ("Anna Smith", "It was founded by Anna Jones.", "undecided"),
        ("in Lyon", "It was never built in Paris.", "incorrect"),
        ("30 days", "Within 30 weeks.", "undecided"),
        (LONG, f"Sure! {LONG}", "correct"),
        (LONG, "The Pro plan costs €49 a month.", "undecided"),
        (LONG, "Visitors park bicycles behind the warehouse.", "incorrect"),
        ("Returns are free", "Returns are not free.", "undecided"),
        ("北京", "首都是北京。", "correct"),
        ("北京", "首都是上海。", "incorrect"),
        ("!!!", "Something.", "undecided"),
        ("the", "Something.", "undecided"),
    ],
)
def test_verdict(reference, said, verdict):
    ruled = answer({"reference": reference, "answer": said}, THRESHOLDS)
    assert ruled["verdict"] == verdict, ruled["why"]


def test_another_language_is_left_open():
    said = "Unsere Kunden bekommen bei der Bestellung einen kostenlosen Rechner."
    reference = "Customers who are with us for more than a year get a laptop from the shop."
    assert answer({"reference": reference, "answer": said}, THRESHOLDS)["verdict"] == "undecided"


@pytest.mark.parametrize(
    ("question", "reference", "said", "verdict"),
    [
        ("Which battle ended it?", "Battle of Antietam", "The battle of Gettysburg.", "incorrect"),
        ("Which battle ended it?", "Battle of Antietam", "Antietam.", "correct"),
        ("Is it a substitute good?", "substitute good", "A substitute.", "undecided"),
        ("Who founded it?", "Anna Maria Smith", "It was Anna Smith.", "correct"),
        ("When?", "30 June 2010", "On 30 June 2011.", "undecided"),
        ("How many seas?", "four", "There are 4.", "correct"),
        ("Who sang it?", "Gladys Knight", "It was sung byGladys Knight1.", "correct"),
        ("Who sang it?", "Gladys Knight", "don king", "incorrect"),
        ("Wer hat es gesungen?", "东京", "Tokyo", "undecided"),
        ("Is it free?", "four years", "Das dauert nicht länger als vier ganze Jahre.", "undecided"),
    ],
)
def test_short_references_with_their_question(question, reference, said, verdict):
    ruled = answer({"question": question, "reference": reference, "answer": said}, THRESHOLDS)
    assert ruled["verdict"] == verdict, ruled["why"]
