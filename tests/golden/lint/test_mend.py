"""What --fix mends, and that it loses nothing."""

from hypothesis import given
from hypothesis import strategies as st

import acidtest as at
from acidtest.golden.lint.lint import RULES, lint_all
from acidtest.golden.lint.mend.mend import FIXABLE, mend
from acidtest.golden.lint.rule import Subject

CORPUS = at.load_corpus(
    [
        {
            "id": "p#1",
            "text": "The upload limit of Pro is 2 GB.",
            "doc_id": "p",
            "doc_version": "v1",
        },
        {"id": "p#2", "text": "Refunds are paid in 30 days.", "doc_id": "q", "doc_version": "v2"},
    ]
)


def mended(rows, corpus=CORPUS, rules=FIXABLE):
    return mend(at.load_golden(rows), corpus, rules)


def test_twins_go_and_others_stay():
    rows = [
        {"id": "a", "question": "Q?", "reference": "R", "tags": ["x", "y"]},
        {"id": "b", "question": "Q? ", "reference": "R", "tags": ["y", "x"]},
        {"id": "c", "question": "Q?", "reference": "Other"},
        {"id": "d", "question": "q?", "reference": "R", "tags": ["x", "y"]},
        {"id": "e", "question": "Q?", "reference": "R", "tags": ["x", "y"], "metadata": {"by": 1}},
    ]
    done = mended(rows)
    assert done.dropped == {"b": "a"}
    assert [case.id for case in done.golden] == ["a", "c", "d", "e"]
    assert mended(rows, rules=["untidy"]).dropped == {}


def test_evidence_is_filled_in():
    rows = [
        {"id": "a", "question": "Q?", "relevant": {"p#1": 3, "gone": 1, "p#2": 0}},
        {
            "id": "b",
            "question": "R?",
            "relevant": ["p#1", "p#2"],
            "evidence": [{"text": "mine", "chunk_id": "p#1"}],
        },
    ]
    done = mended(rows)
    a, b = done.golden
    assert [(e.text, e.chunk_id, e.doc_id, e.doc_version) for e in a.evidence] == [
        ("The upload limit of Pro is 2 GB.", "p#1", "p", "v1")
    ]
    assert [e.text for e in b.evidence] == ["mine", "Refunds are paid in 30 days."]
    assert a.relevant == {"p#1": 3, "gone": 1, "p#2": 0}
    assert mended(rows, None).changed == {}


def test_evidence_gets_the_chunk_that_holds_it():
    rows = [
        {"id": "a", "question": "Q?", "relevant": ["p#2"],
         "evidence": [{"text": "Refunds are paid in 30", "chunk_id": "p#1", "doc_id": "p", "doc_version": "v0", "start": 3, "end": 9}]},
        {"id": "b", "question": "R?", "relevant": ["p#2"], "evidence": [{"text": "30", "chunk_id": "p#1"}]},
    ]  # fmt: skip
    a, b = mended(rows).golden
    piece = a.evidence[0]
    assert (piece.chunk_id, piece.doc_id, piece.doc_version, piece.start) == (
        "p#2",
        "q",
        "v2",
        None,
    )
    assert b.evidence[0].chunk_id == "p#1"


words = st.text(alphabet="ab é\t中", min_size=1, max_size=6).filter(str.strip)
labels = st.none() | st.dictionaries(
    st.sampled_from(["p#1", "p#2", "gone"]), st.integers(0, 3), min_size=1
)
pieces = st.lists(
    st.fixed_dictionaries(
        {"text": st.sampled_from(["The upload limit of Pro", "Refunds are paid", "else"]),
         "chunk_id": st.sampled_from(["p#1", "p#2", "gone"]) | st.none()}
    ), max_size=2)  # fmt: skip
rows = st.lists(
    st.fixed_dictionaries({"question": words, "reference": words, "relevant": labels, "evidence": pieces,
                           "tags": st.lists(words, max_size=2)}), min_size=1, max_size=6)  # fmt: skip


@given(rows)
def test_a_second_run_is_clean_and_nothing_is_lost(drawn):
    golden = at.load_golden([{"id": str(n), **row} for n, row in enumerate(drawn)])
    done = mend(golden, CORPUS, FIXABLE)
    again = mend(done.golden, CORPUS, FIXABLE)
    assert (again.changed, again.dropped) == ({}, {})
    findings = lint_all(Subject(done.golden, corpus=CORPUS), RULES.values())
    assert not [each for each in findings if each.fixable]
    by_id = {case.id: case for case in done.golden}
    for before in golden:
        now = by_id[done.dropped.get(before.id, before.id)]
        assert now.relevant == before.relevant
        assert now.question == before.question.strip()
        assert {e.text for e in before.evidence} <= {e.text for e in now.evidence}
