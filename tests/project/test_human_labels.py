"""People's labels: forms of values, and rows that are refused with their place."""

import json

import pytest

from acidtest.errors import BadData
from acidtest.project.human_labels import read_labels


@pytest.fixture
def labels(tmp_path):
    def write(*rows):
        path = tmp_path / "labels.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return read_labels(path)

    return write


def row(**more):
    return {"case": "q1", "metric": "faithfulness", "label": 1, "annotator": "ann"} | more


@pytest.mark.parametrize(
    ("said", "value"),
    [(1, 1.0), (0.5, 0.5), (True, 1.0), (False, 0.0), ("yes", 1.0), (" Unsupported ", 0.0)],
)
def test_a_label_in_numbers_or_words(labels, said, value):
    (found,) = labels(row(label=said))
    assert (found.case, found.metric, found.label) == ("q1", "faithfulness", value)
    assert (found.annotator, found.weight) == ("ann", 1.0)


def test_names_that_people_have(labels):
    (found,) = labels(
        {
            "id": 7,
            "metric": "own",
            "score": 40,
            "rater": "bo",
            "weight": 2,
            "note": "n",
            "reason": "r",
        }
    )
    assert (found.case, found.label, found.annotator, found.weight) == ("7", 40.0, "bo", 2.0)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([row(label=7)], "faithfulness is from 0 to 1, not 7"),
        ([row(label="perhaps")], "label"),
        ([{"case": "q1", "label": 1}], "has no metric"),
        ([row(lable=1)], "lable"),
        ([row(weight=-1)], "weight"),
        ([row(weight=1e-320)], "must be 0, or from 1e-09 to 1e+09"),
        ([row(weight=1e12)], "must be 0, or from 1e-09 to 1e+09"),
        ([row(), row(label=0)], "another label for faithfulness"),
    ],
)
def test_what_is_refused_is_named_with_its_line(labels, rows, told):
    with pytest.raises(BadData) as error:
        labels(*rows)
    assert told in str(error.value)
    assert f"labels.jsonl:{len(rows)}" in str(error.value)


def test_the_same_label_twice_counts_once(labels):
    assert len(labels(row(), row(), row(annotator="bo", label=0))) == 2


def test_a_row_that_waits_for_a_person_is_no_label(labels):
    assert labels(row(label=None, weight=3), row(case="q2"), row(case="q3", label=None)) == labels(
        row(case="q2")
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("case,metric,label\nq1,faithfulness,1\n", "Is it a table with commas? Name it .csv."),
        ("[1]\n", 'Write each row as {"field": value'),
    ],
)
def test_a_file_that_holds_something_else_says_what_to_write(tmp_path, text, told):
    path = tmp_path / "labels.jsonl"
    path.write_text(text)
    with pytest.raises(BadData) as error:
        read_labels(path)
    assert "labels.jsonl:1" in str(error.value)
    assert told in str(error.value)
