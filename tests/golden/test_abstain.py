"""Not labelled, labelled, and must abstain are three things."""

import pytest

from acidtest.errors import BadGolden
from acidtest.golden.abstain import is_marker
from acidtest.golden.load import load_golden

MARKERS = [
    "NOT_IN_CORPUS",
    "not in corpus",
    "NOT_FOUND",
    "Not found.",
    "not-found",
    "I don't know",
    "I don’t know.",
    "i dont know",
    "I do not know!",
    "  UNANSWERABLE ",
    "No answer",
]
ORDINARY = [
    "Not found in Europe",
    "I don't know is what he said",
    "unknown",
    "nothing",
    "0",
    "Not in corpus, but in the appendix: 7",
    "don't know" + "w" * 80,
]


@pytest.mark.parametrize("reference", MARKERS)
def test_markers_mean_must_abstain(reference: str) -> None:
    assert is_marker(reference)
    case = load_golden([{"question": "q", "reference": reference}])[0]
    assert (case.answerable, case.relevant, case.relevant_docs) == (False, {}, None)


@pytest.mark.parametrize("reference", ORDINARY)
def test_ordinary_references(reference: str) -> None:
    assert not is_marker(reference)
    case = load_golden([{"question": "q", "reference": reference}])[0]
    assert (case.answerable, case.relevant) == (True, None)


@pytest.mark.parametrize(
    "row",
    [
        {"answerable": False},
        {"answerable": "no"},
        {"answerable": False, "relevant": []},
        {"answerable": False, "relevant": {}},
        {"answerable": False, "relevant_docs": []},
        {"answerable": False, "relevant": {"c1": 0}},
        {"answerable": False, "reference": "The documents do not say."},
        {"reference": "NOT_FOUND", "relevant": []},
        {"reference": "NOT_FOUND", "answerable": None},
    ],
)
def test_must_abstain_has_the_empty_mapping(row: dict[str, object]) -> None:
    case = load_golden([{"question": "q", **row}])[0]
    assert (case.answerable, case.relevant, case.relevant_docs) == (False, {}, None)


def test_saying_answerable_wins_over_a_marker() -> None:
    row = {"question": "What does status 404 say?", "reference": "Not found", "answerable": True}
    case = load_golden([{**row, "relevant": ["http#404"]}])[0]
    assert (case.answerable, case.relevant) == (True, {"http#404": 1})


def test_grade_zero_alone_is_a_judgement() -> None:
    assert load_golden([{"question": "q", "relevant": {"c1": 0}}])[0].relevant == {"c1": 0}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            {"relevant": [], "reference": "Paris"},
            ["'relevant'", "beside an ordinary reference", "answerable: false"],
        ),
        ({"relevant": []}, ["'relevant'", "without a reference"]),
        ({"relevant_docs": {}, "reference": "Paris"}, ["'relevant_docs'", "ordinary reference"]),
        ({"relevant": [], "answerable": True}, ["'relevant'", "answerable is true"]),
        ({"relevant": ["c1"], "answerable": False}, ["'relevant'", "answerable is false"]),
        ({"relevant_docs": ["d"], "answerable": False}, ["'relevant_docs'", "answerable is false"]),
        ({"relevant": ["c1"], "reference": "NOT_FOUND"}, ["NOT_FOUND", "answerable: true"]),
        ({"evidence": ["text"], "answerable": False}, ["'evidence'", "distractors"]),
    ],
)
def test_contradictions_are_refused(row: dict[str, object], said: list[str]) -> None:
    with pytest.raises(BadGolden) as caught:
        load_golden([{"question": "fine"}, {"question": "q", **row}])
    assert [word for word in ["row 2", *said] if word not in str(caught.value)] == []
