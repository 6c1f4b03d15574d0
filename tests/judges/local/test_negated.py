"""What is denied: by the claim and not by its passage, by the passage and not by the claim."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.judges.local.claims import answer
from acidtest.judges.local.negated import Denied, denied, unmet
from acidtest.judges.local.rules import THRESHOLDS
from acidtest.judges.local.terms import terms
from acidtest.text.negation import places

ENDPOINT = "You can create a private endpoint for the service in each region."
SCAN = "If security issues are found, instructions are sent to the owner by mail."
FREE = "Returns are free within 30 days. You are not charged for shipping."
PLAN = "The plan includes support. It does not include phone calls."
REGION = "Backups are not kept in another region. Snapshots of the disk are kept there for a week."


def ruled(passage, sentence):
    said = answer({"sentences": [sentence], "passages": [passage]}, THRESHOLDS)
    return said["sentences"][0]["claims"][0]["verdict"]


@pytest.mark.parametrize(
    ("passage", "sentence"),
    [
        (ENDPOINT, "You can not create a private endpoint for the service in each region."),
        (ENDPOINT, "You cannot create a private endpoint for the service in each region."),
        (ENDPOINT, "You can't create a private endpoint for the service in each region."),
        (ENDPOINT, "You can never create a private endpoint for the service in each region."),
        (SCAN, "If security issues are not found, instructions are sent to the owner by mail."),
        (
            f"{SCAN} Images are not changed.",
            "If security issues are not found, instructions are sent to the owner by mail.",
        ),
        (
            "If no licence is found, the update is sent to the owner by mail.",
            "If no licence is found, the update is not sent to the owner by mail.",
        ),
        (FREE, "Returns are not free within 30 days."),
        (PLAN, "The plan does not include support."),
        ("Northwind bought Contoso in May.", "Northwind has not bought Contoso in May."),
        ("Der Tarif gilt in Bern und Basel.", "Der Tarif gilt nicht in Bern und Basel."),
        ("Les retours sont gratuits en mai.", "Les retours ne sont pas gratuits en mai."),
        ("退款将在十四天内完成。", "退款将不会在十四天内完成。"),
    ],
)
def test_a_claim_that_denies_what_its_passage_says_is_not_supported(passage, sentence):
    assert ruled(passage, sentence) == "undecided"


@pytest.mark.parametrize(
    ("passage", "sentence"),
    [
        ("You can not create a private endpoint.", "You can create a private endpoint."),
        (
            "No, the advisor does not scan encrypted images.",
            "No, the advisor does scan encrypted images.",
        ),
        (
            "Snapshots that you do not need can be deleted if they do not expire.",
            "Snapshots that you need can be deleted if they do not expire.",
        ),
        (REGION, "Backups are kept in another region."),
        ("Der Tarif gilt nicht in Bern.", "Der Tarif gilt in Bern."),
    ],
)
def test_a_claim_that_leaves_a_denial_out_is_not_supported(passage, sentence):
    assert ruled(passage, sentence) == "undecided"


@pytest.mark.parametrize(
    ("passage", "sentence"),
    [
        ("The plan does not include support.", "The plan doesn't include support."),
        ("The plan does not include support.", "No, the plan does not include support."),
        ("The plan does not include support.", "**The plan does not include support.**"),
        ("Der Tarif gilt nicht in Bern.", "Der Tarif gilt nicht in Bern."),
        ("Reply no later than Friday at the office.", "Reply no later than Friday at the office."),
    ],
)
def test_what_both_deny_is_supported(passage, sentence):
    assert ruled(passage, sentence) == "supported"


def test_a_denial_is_taken_with_the_words_beside_it():
    (one,) = denied("The advisor does not scan encrypted images of a registry.", "en")
    assert one == Denied(after=("scan", "encrypt", "imag"), before=("advis",))


def test_the_no_that_answers_a_question_denies_nothing():
    assert denied("No, encrypted images are scanned.", "en") == ()
    assert len(denied("No encrypted images are scanned.", "en")) == 1


def test_each_denial_meets_one_at_most():
    said = denied("It is not free and not open.", "en")
    assert unmet(said, denied("It is not free.", "en")) == said[1:]
    assert unmet(said, said) == ()
    assert unmet(denied("Not!", "en"), denied("It is not free.", "en")) == ()


@settings(deadline=None, derandomize=True)
@given(
    st.lists(
        st.sampled_from(
            ["not", "no", "isn't", "the", "Plan", "é", "n\u2019t", "\n", "", ".", "ein 1,000"]
        )
    )
)
def test_the_words_beside_a_denial_are_the_first_and_the_last_of_all(pieces):
    text = "It is " + " ".join(pieces)
    assert denied(text, "en") == tuple(
        Denied(tuple(terms(text[end:], "en")[:3]), tuple(terms(text[:start], "en")[-1:]))
        for start, end in places(text, language="en")
    )
