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


ASKED = "What does the contract say?"


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("the accounting office in Lisbon", "It is signed by the accounting office in Orlando."),
        ("the accounting office in Lisbon", "Signed by the accounting office in Orlando Vexmoor."),
        ("Anna Maria Smith", "It was Anna Maria Jones."),
        ("Anna Maria Smith", "It was Anna Smith."),
        ("University of New South Wales", "The University of New England, in Wales."),
        ("North Korea", "It is South Korea."),
        ("King George III", "King George VI."),
        ("the chief financial officer", "The chief executive officer."),
        ("the blue whale shark", "The blue tiger shark."),
        ("gold silver and bronze", "Gold, silver and copper."),
        ("treaty of versailles signed", "treaty of paris signed"),
        ("three quarters of the annual premium", "Three quarters of the monthly premium."),
        ("within 30 days of delivery", "Within 30 days of the order."),
        ("within 30 days of delivery", "Within 14 days of delivery."),
        ("30 June 2010", "In June 2010."),
        ("30 June 2010", "On 30 June 2011."),
        ("49 euros per month", "49 dollars per month."),
        ("49 euros per month", "49 euros per year."),
        ("5 km", "5 miles."),
        ("12 percent of sales", "12 of 40 sales."),
        ("version 2.1 of the API", "Version 2.10 of the API."),
        ("not refundable after delivery", "It is refundable after delivery."),
        ("refundable after delivery", "It is not refundable after delivery."),
        ("refundable after delivery", "It isn't refundable after delivery."),
        ("refundable after delivery", "It is refundable before delivery."),
        ("nobody knows the author", "Everybody knows the author."),
        ("supported on all systems", "It is unsupported on all systems."),
        ("Paris", "It is not Paris but Lyon."),
        ("Paris", "Paris is wrong; it is Lyon."),
        ("Paris", "It is a myth that it is Paris."),
        ("before the first release", "After the first release."),
        ("revenue increased in May", "Revenue decreased in May."),
        ("zwei Wochen zum Monatsende", "Zwei Wochen zum Jahresende."),
        ("nicht in der Schweiz", "In der Schweiz."),
        ("Anne Martin et Paul Durand", "Anne Martin et Paul Petit."),
    ],
)
def test_what_lacks_the_word_that_decides_is_not_correct(reference, said):
    for question in (ASKED, ""):
        fields = {"question": question, "reference": reference, "answer": said}
        assert answer(fields, THRESHOLDS)["verdict"] in {"undecided", "incorrect"}


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("the accounting office in Lisbon", "It is signed by the accounting office in Lisbon."),
        ("within 30 days of delivery", "Within 30 days of the delivery."),
        ("not refundable after delivery", "It is not refundable after delivery."),
        ("49 euros per month", "It costs €49 per month."),
        ("before the first release", "Shortly before the very first release."),
    ],
)
def test_what_holds_every_word_is_correct(reference, said):
    fields = {"question": ASKED, "reference": reference, "answer": said}
    ruled = answer(fields, THRESHOLDS)
    assert ruled["verdict"] == "correct", ruled["why"]


PLATFORM = "Kubernetes is an open source platform for managing containers across hosts."


def test_a_long_reference_needs_its_name():
    said = PLATFORM.replace("Kubernetes", "Brindlewick")
    ruled = answer({"reference": PLATFORM, "answer": said}, THRESHOLDS)
    assert ruled["verdict"] == "undecided"
    assert '"kubernetes"' in ruled["why"]
    assert answer({"reference": PLATFORM, "answer": PLATFORM}, THRESHOLDS)["verdict"] == "correct"
