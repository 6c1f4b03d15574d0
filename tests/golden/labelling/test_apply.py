"""Labels into a set: one person's, several people's by each rule, and what people decided."""

import pytest

from acidtest.errors import BadData
from acidtest.golden.labelling.apply import apply_votes
from acidtest.golden.labelling.judgement import Judgement
from acidtest.golden.labelling.labels_file import Asked, Labels
from acidtest.golden.labelling.rules import settled
from acidtest.golden.labelling.votes import votes_of
from acidtest.golden.load import load_golden

GOLDEN = load_golden(
    [
        {"id": "a", "question": "A?", "reference": "R"},
        {
            "id": "b",
            "question": "B?",
            "relevant": {"old": 2, "c": 3},
            "evidence": [{"text": "was", "chunk_id": "c"}, {"text": "stays", "chunk_id": "old"}],
        },
        {"id": "n", "question": "N?", "answerable": False},
    ]
)


def said(case, chunk, word, who="ann", question=None):
    grade = word if isinstance(word, int) else None
    return Judgement(
        case=case,
        chunk=chunk,
        annotator=who,
        at="2026-01-01",
        mark="grade" if grade is not None else word,
        grade=grade,
        question=question or f"{case.upper()}?",
        text=f"text of {chunk}",
        doc_id="d",
        doc_version="v1",
    )


def files(*each):
    return [Labels(path=f"{n}.jsonl", judgements=tuple(some)) for n, some in enumerate(each)]


def test_one_persons_labels_bring_their_text_along():
    votes = votes_of(
        files([said("a", "x", 3), said("a", "y", 0), said("b", "c", 0), said("a", "z", "skip")])
    )
    done = apply_votes(GOLDEN, votes, "majority")
    a, b, _ = done.golden
    assert a.relevant == {"x": 3, "y": 0}
    assert [(e.text, e.chunk_id, e.doc_id, e.doc_version) for e in a.evidence] == [
        ("text of x", "x", "d", "v1")
    ]
    assert a.metadata == {"labelled": {"by": ["ann"], "rules": ["single"]}}
    assert b.relevant == {"old": 2, "c": 0}
    assert [e.text for e in b.evidence] == ["stays"]
    assert (done.open, done.refused, done.exit_status) == ((), (), 0)
    assert [(label.chunk, label.before) for label in done.labels] == [
        ("x", None),
        ("y", None),
        ("c", 3),
    ]
    load_golden(list(done.golden))


@pytest.mark.parametrize(
    ("grades", "unsure", "agreed", "majority", "median"),
    [
        ([2], 0, 2, 2, 2),
        ([2, 2], 0, 2, 2, 2),
        ([1, 3], 0, None, None, 1),
        ([3, 3, 0], 0, None, 3, 3),
        ([0, 1, 3], 0, None, None, 1),
        ([2, 2], 1, None, 2, 2),
        ([2], 1, None, None, None),
        ([], 2, None, None, None),
        ([0, 0, 3, 3], 0, None, None, 0),
    ],
)
def test_rules(grades, unsure, agreed, majority, median):
    found = [settled(grades, rule, unsure=unsure) for rule in ("agreed", "majority", "median")]
    assert found == [agreed, majority, median]


def test_disagreement_waits_and_a_decision_counts():
    two = files(
        [said("a", "x", 3), said("a", "y", 1)], [said("a", "x", 0, "bob"), said("a", "y", 1, "bob")]
    )
    done = apply_votes(GOLDEN, votes_of(two), "majority")
    assert [(o.chunk, o.grades) for o in done.open] == [("x", {"ann": 3, "bob": 0})]
    assert done.golden[0].relevant == {"y": 1}
    assert done.exit_status == 1
    row = Asked(case="a", question="A?", chunk="x", text="text of x", grades={}, decision=2)
    two.append(Labels(path="d.jsonl", decided={("a", "x"): row}))
    done = apply_votes(GOLDEN, votes_of(two), "majority")
    assert done.golden[0].relevant == {"x": 2, "y": 1}
    assert done.golden[0].metadata["labelled"]["rules"] == ["decided", "majority"]


def test_a_decision_to_drop_leaves_no_label():
    row = Asked(case="a", question="A?", chunk="x", text="t", grades={"ann": 1}, decision="drop")
    votes = votes_of([Labels(path="d", decided={("a", "x"): row})])
    done = apply_votes(GOLDEN, votes, "majority")
    assert done.golden[0].relevant is None
    assert done.open == ()


def test_what_must_be_declined_takes_no_label():
    done = apply_votes(GOLDEN, votes_of(files([said("n", "x", 2), said("n", "y", 0)])), "majority")
    assert [(r.case, r.chunk) for r in done.refused] == [("n", "x")]
    assert done.golden[2] == GOLDEN[2]
    assert done.exit_status == 1


@pytest.mark.parametrize(
    ("judgement", "what"),
    [(said("zz", "x", 1), "no case 'zz'"), (said("a", "x", 1, question="Else?"), "something else")],
)
def test_labels_of_another_set_are_refused(judgement, what):
    with pytest.raises(BadData, match=what):
        apply_votes(GOLDEN, votes_of(files([judgement])), "majority")


def test_two_files_of_one_name_are_two_people():
    votes = votes_of(files([said("a", "x", 1)], [said("a", "x", 2)]))
    assert votes.people == ("ann (0.jsonl)", "ann (1.jsonl)")
    assert len(votes.said["a", "x"]) == 2
