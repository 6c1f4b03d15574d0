"""The hard cases, with the verdicts recorded: what is wrong stays written down as wrong."""

from acidtest.judges.local.hard_cases import ask_all

RECORDED = {
    "same words": "right",
    "number written otherwise": "right",
    "another number": "right",
    "another unit": "right",
    "another name": "open",
    "nothing of the kind": "right",
    "negation": "open",
    "negation in the source": "open",
    "half true": "open",
    "figures swapped": "wrong",
    "role swap": "open",
    "condition dropped": "wrong",
    "opposite word": "open",
    "contradiction by meaning": "open",
    "paraphrase": "wrong",
    "inference": "wrong",
    "arithmetic": "wrong",
    "another language": "open",
    "German": "open",
    "French": "right",
    "Chinese": "open",
    "Japanese": "right",
    "Arabic": "right",
    "Thai": "right",
}


def test_recorded():
    assert {each.case.kind: each.outcome for each in ask_all()} == RECORDED
