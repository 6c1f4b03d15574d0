"""Opposites: a word of the claim for which its source has the contrary."""

import pytest

from acidtest.judges.local import opposites
from acidtest.judges.local.claims import answer
from acidtest.judges.local.opposites import opposed
from acidtest.judges.local.rules import THRESHOLDS


@pytest.mark.parametrize(
    ("claim", "source", "found"),
    [
        ("Sales fell in May.", "Sales rose in May.", ("fell", "rose")),
        ("Costs increased.", "The costs decrease.", ("increased", "decrease")),
        ("Open before noon.", "Open after noon.", ("before", "after")),
        ("It is disabled.", "It can be enabled.", ("disabled", "enabled")),
        ("Images are unsupported.", "Images are supported.", ("unsupported", "supported")),
        ("The list is complete.", "The list is incomplete.", ("complete", "incomplete")),
        ("The employee pays.", "The employer pays.", ("employee", "employer")),
        ("Der Umsatz stieg.", "Der Umsatz sank.", ("stieg", "sank")),
        ("Ouvert avant midi.", "Ouvert après midi.", ("avant", "après")),
        ("Abierto con reserva.", "Abierto sin reserva.", ("con", "sin")),
    ],
)
def test_found(claim, source, found):
    assert opposed(claim, source) == found


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Sales rose in May.", "Sales rose in May and fell in June."),
        ("Sales rose, costs fell.", "Costs fell."),
        ("Indeed it is.", "It is the deed."),
        ("Nothing of the kind.", "Something else."),
        ("", ""),
    ],
)
def test_none(claim, source):
    assert opposed(claim, source) is None


def test_an_opposite_leaves_a_claim_open():
    passage = "The average response time of support rose from March to June last year."
    said = answer(
        {"sentences": [passage.replace("rose", "fell")], "passages": [passage]}, THRESHOLDS
    )
    (claim,) = said["sentences"][0]["claims"]
    assert (claim["verdict"], claim["why"]) == (
        "undecided",
        'the passage has "rose" for "fell"',
    )


@pytest.mark.parametrize("side", range(len(opposites._SIDES)))
def test_each_form_is_found_on_its_side(side):
    for form in opposites._SIDES[side]:
        for word in {form.rstrip("*"), form.replace("*", "s")}:
            others = opposites._sided(f"word {word} {word}x").sides
            assert others[side] == word
            assert all(opposites._FORMS[other].fullmatch(word) for other in others)
