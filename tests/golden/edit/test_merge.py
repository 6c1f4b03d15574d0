"""Three-way merge: laws that hold for all sets, and each kind of conflict by a worked example."""

import json

import pytest
from hypothesis import given, settings
from tests.golden.edit.sets import SETS

from acidtest.errors import BadData
from acidtest.golden.edit.conflicts import conflict_rows, read_conflicts
from acidtest.golden.edit.diff import diff_sets
from acidtest.golden.edit.merge import merge_sets
from acidtest.golden.load import load_golden

BASE = {
    "id": "a",
    "question": "What does Pro cost?",
    "reference": "40 euros.",
    "relevant": {"c1": 1, "c2": 2},
    "evidence": [{"text": "Pro costs 40.", "chunk_id": "c1", "doc_version": "v1"}],
    "tags": ["x"],
    "metadata": {"owner": "ann", "n": 1},
}


def sets(ours, theirs, base=BASE):
    def made(changes):
        return load_golden([{k: v for k, v in {**base, **changes}.items() if v is not ...}])

    return load_golden([base]), made(ours), made(theirs)


@settings(max_examples=80)
@given(SETS, SETS)
def test_what_only_one_changed_is_taken(base, other):
    for merge in (
        merge_sets(base, other, base),
        merge_sets(base, base, other),
        merge_sets(base, other, other),
    ):
        assert list(merge.golden) == list(other)
        assert merge.golden.version == other.version
        assert merge.conflicts == ()


@settings(max_examples=120)
@given(SETS, SETS, SETS)
def test_both_ways_round_is_the_same(base, ours, theirs):
    one, other = merge_sets(base, ours, theirs), merge_sets(base, theirs, ours)
    swapped = {(c.name, repr(c.theirs), repr(c.ours)) for c in other.conflicts}
    plain = {(c.name, repr(c.ours), repr(c.theirs)) for c in one.conflicts}
    # The number of a piece that both added is that of the side that comes first.
    assert {x for x in plain if "+" not in str(x[0][2])} == {
        x for x in swapped if "+" not in str(x[0][2])
    }
    assert len(one.conflicts) == len(other.conflicts)
    if not one.conflicts:
        found = diff_sets(one.golden, other.golden)
        order_of_evidence = {e.key for c in found.changed for e in c.edits if e.field == "evidence"}
        assert found.same or order_of_evidence == {"order"}


@settings(max_examples=120)
@given(SETS, SETS, SETS)
def test_no_case_is_lost_and_ids_stay_unique(base, ours, theirs):
    merge = merge_sets(base, ours, theirs)
    ids = [case.id for case in merge.golden]
    assert len(ids) == len(set(ids))
    asked = {case.question for case in merge.golden} | {c.question for c in merge.conflicts}
    before = {case.id for case in base}
    for side in (ours, theirs):
        for case in side:
            if case.id not in before:  # it is new
                assert case.id in ids or case.question in asked
    gone = before - {case.id for case in ours} - {case.id for case in theirs}
    kept = before & {case.id for case in ours} & {case.id for case in theirs}
    assert kept <= set(ids)
    assert not gone & set(ids)


@settings(max_examples=80)
@given(SETS, SETS, SETS)
def test_every_conflict_can_be_decided(tmp_path_factory, base, ours, theirs):
    merge = merge_sets(base, ours, theirs)
    if not merge.conflicts:
        return
    path = tmp_path_factory.mktemp("c") / "c.jsonl"
    for side in ("ours", "theirs"):
        rows = [json.loads(line) for line in conflict_rows(merge.conflicts).splitlines()]
        path.write_text("".join(json.dumps({**r, "decision": side}) + "\n" for r in rows))
        decided = merge_sets(base, ours, theirs, read_conflicts(str(path)))
        assert decided.conflicts == ()
        assert len(decided.decided) == len(merge.conflicts)


def test_members_merge_one_by_one():
    merge = merge_sets(
        *sets(
            {
                "relevant": {"c1": 3, "c2": 2, "c8": 1},
                "tags": ["x", "y"],
                "evidence": [
                    {"text": "Pro costs 40.", "chunk_id": "c1", "doc_version": "v2"},
                    {"text": "More.", "chunk_id": "c8"},
                ],
                "metadata": {"owner": "bob", "n": 1},
            },
            {
                "relevant": {"c1": 1, "c9": 2},
                "tags": ["z"],
                "evidence": [
                    {"text": "Pro costs 40.", "chunk_id": "c1", "doc_version": "v1", "doc_id": "d"},
                    {"text": "Else."},
                ],
                "metadata": {"owner": "ann", "new": True},
                "split": "test",
            },
        )
    )
    assert merge.conflicts == ()
    (case,) = merge.golden
    assert case.relevant == {"c1": 3, "c8": 1, "c9": 2}
    assert case.tags == ("y", "z")
    assert [(e.text, e.doc_id, e.doc_version) for e in case.evidence] == [
        ("Pro costs 40.", "d", "v2"),
        ("More.", None, None),
        ("Else.", None, None),
    ]
    assert case.metadata == {"owner": "bob", "new": True}
    assert case.split == "test"


@pytest.mark.parametrize(
    ("ours", "theirs", "field", "key"),
    [
        ({"relevant": {"c1": 2, "c2": 2}}, {"relevant": {"c1": 3, "c2": 2}}, "relevant", "c1"),
        ({"relevant": {"c2": 2}}, {"relevant": {"c1": 3, "c2": 2}}, "relevant", "c1"),
        ({"reference": "41"}, {"reference": "42"}, "reference", None),
        ({"question": "A?"}, {"question": "B?"}, "question", None),
        ({"split": "a"}, {"split": "b"}, "split", None),
        (
            {"metadata": {"owner": "b", "n": 1}},
            {"metadata": {"owner": "c", "n": 1}},
            "metadata",
            "owner",
        ),
        ({"metadata": {"owner": "ann", "n": 2}}, {"metadata": {"owner": "ann"}}, "metadata", "n"),
        (
            {"evidence": [{"text": "New.", "chunk_id": "c1", "doc_version": "v1"}]},
            {"evidence": []},
            "evidence",
            "1",
        ),
        (
            {"history": [{"role": "user", "text": "A"}]},
            {"history": [{"role": "user", "text": "B"}]},
            "history",
            None,
        ),
        (
            {"answerable": False, "relevant": ..., "evidence": ..., "reference": ...},
            {"relevant": {"c1": 3}, "reference": ...},
            "labels",
            None,
        ),
    ],
)
def test_what_both_changed_is_a_conflict(ours, theirs, field, key):
    three = sets(ours, theirs)
    merge = merge_sets(*three)
    assert [(c.field, c.key) for c in merge.conflicts] == [(field, key)]
    (case,) = merge.golden
    load_golden([case])  # it is a case that can be read
    if field in ("reference", "question", "split"):
        assert getattr(case, field) == ours[field]


def test_what_one_removed_and_the_other_changed_is_kept_until_decided():
    base = load_golden([BASE, {"id": "b", "question": "B?"}])
    changed = load_golden([{**BASE, "reference": "41"}, {"id": "b", "question": "B?"}])
    removed = load_golden([{"id": "b", "question": "B?"}])
    for ours, theirs in ((changed, removed), (removed, changed)):
        merge = merge_sets(base, ours, theirs)
        assert [(c.case, c.field) for c in merge.conflicts] == [("a", "case")]
        assert [case.id for case in merge.golden] == ["a", "b"]
        assert merge.golden[0].reference == "41"


def test_a_new_id_and_an_edit_meet_in_one_case():
    base, _, edited = sets({}, {"reference": "41"})
    renamed = load_golden([{**BASE, "id": "pro-price"}])
    (case,) = merge_sets(base, renamed, edited).golden
    assert (case.id, case.reference) == ("pro-price", "41")


def test_ids_that_would_meet_are_taken_as_they_are():
    base = load_golden([BASE])
    renamed = load_golden([{**BASE, "id": "b"}])
    added = load_golden([BASE, {"id": "b", "question": "Another?"}])
    merge = merge_sets(base, renamed, added)
    assert [case.id for case in merge.golden] == ["b"]
    assert {c.field for c in merge.conflicts} >= {"question"}


def test_order_is_theirs_who_moved_and_new_cases_stay_in_place():
    rows = [{"id": n, "question": f"{n}?"} for n in "abcd"]
    base = load_golden(rows)
    ours = load_golden([*rows[:2], {"id": "n1", "question": "n1?"}, *rows[2:]])
    theirs = load_golden([rows[3], *rows[:3], {"id": "n2", "question": "n2?"}])
    assert "".join(c.id[-1] for c in merge_sets(base, ours, theirs).golden) == "dab1c2"
    tails = [load_golden([*rows, {"id": n, "question": f"{n}?"}]) for n in ("n1", "n2")]
    assert [c.id for c in merge_sets(base, *tails).golden] == ["a", "b", "c", "d", "n1", "n2"]


def decided(tmp_path, merge, decision, **changes):
    row = json.loads(conflict_rows(merge.conflicts))
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({**row, **changes, "decision": decision}) + "\n")
    return read_conflicts(str(path))


@pytest.mark.parametrize(
    ("decision", "grade"),
    [("ours", 2), ("theirs", 3), ("base", 1), (0, 0), ({"value": None}, None)],
)
def test_decisions(tmp_path, decision, grade):
    three = sets({"relevant": {"c1": 2, "c2": 2}}, {"relevant": {"c1": 3, "c2": 2}})
    done = merge_sets(*three, decided(tmp_path, merge_sets(*three), decision))
    assert done.conflicts == ()
    assert done.golden[0].relevant.get("c1") == grade


@pytest.mark.parametrize(
    ("decision", "changes", "what"),
    [
        (7, {}, "a grade is a whole number"),
        ("mine", {}, "is no decision"),
        ("ours", {"theirs": 9}, "another one by now"),
        ("ours", {"case": "zz"}, "no conflict of these sets"),
        ("ours", {"fild": 1}, "unknown field"),
    ],
)
def test_bad_decisions_are_refused_with_their_place(tmp_path, decision, changes, what):
    three = sets({"relevant": {"c1": 2, "c2": 2}}, {"relevant": {"c1": 3, "c2": 2}})
    with pytest.raises(BadData) as error:
        merge_sets(*three, decided(tmp_path, merge_sets(*three), decision, **changes))
    assert what in str(error.value)
    assert "c.jsonl:1" in str(error.value)
