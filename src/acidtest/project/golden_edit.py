"""Diff, merge and form of golden sets: from what a caller names, to what is written."""

import os
from typing import Any

import msgspec

from acidtest.data.golden import GoldenSet
from acidtest.golden.edit.canonical import canonical_lines, refuse_recorded
from acidtest.golden.edit.changes import TEXTS, Edit
from acidtest.golden.edit.conflicts import read_conflicts
from acidtest.golden.edit.diff import CaseChange, GoldenDiff, diff_sets
from acidtest.golden.edit.merge import Merge, merge_sets
from acidtest.golden.edit.read import read_side
from acidtest.golden.load import load_golden
from acidtest.report.word_diff import differences
from acidtest.text.surrogates import without_halves_in


def diff_golden(before: Any, after: Any) -> GoldenDiff:
    """Say what changed between two versions of a golden set, label by label.

    Args:
        before: A golden set, or what `load_golden` reads.
        after: Another version of it.

    Returns:
        `.added`, `.removed`, `.changed` (with `.edits`), `.renamed`, `.moved`, `.unchanged`; `.same` when
        both say the same.

    Raises:
        AcidtestError: An input cannot be read.
    """
    return diff_sets(_read(before), _read(after))


def merge_golden(
    base: Any, ours: Any, theirs: Any, *, decided: str | os.PathLike[str] | None = None
) -> Merge:
    """Merge two people's edits of a golden set.

    Args:
        base: The set that both started from: a golden set, or what `load_golden` reads.
        ours: What the one made of it.
        theirs: What the other made of it.
        decided: A file of conflicts that people filled in.

    Returns:
        `.golden`, the merged set, and `.conflicts`, what a person has to decide.

    Raises:
        UsageError: A set's file holds recorded answers, which a merge would lose.
        AcidtestError: An input cannot be read, or a decision does not fit.
    """
    before, one, other = _read(base), _read(ours), _read(theirs)
    refuse_recorded(one)
    refuse_recorded(other)
    decisions = read_conflicts(os.fspath(decided)) if decided is not None else None
    return merge_sets(before, one, other, decisions)


def formatted(golden: GoldenSet) -> bytes:
    """Return a golden set in the one form that it has on disk.

    Raises:
        UsageError: Its file holds recorded answers, which would be lost.
    """
    refuse_recorded(golden)
    return canonical_lines(golden)


def _read(source: Any) -> GoldenSet:
    return (
        read_side(os.fspath(source))
        if isinstance(source, str | os.PathLike)
        else load_golden(source)
    )


def diff_json(diff: GoldenDiff) -> bytes:
    """Return a difference as JSON."""
    report: dict[str, Any] = {
        "format": "acidtest/golden-diff",
        "version": 1,
        "before": _about(diff.before),
        "after": _about(diff.after),
        "same": diff.same,
        "added": _named(case.id for case in diff.added),
        "removed": _named(case.id for case in diff.removed),
        "changed": _named(each.after.id for each in diff.changed if each.edits),
        "renamed": [{"from": old, "to": new} for old, new in diff.renamed],
        "moved": [
            {"case": each.after.id, "from": each.before.split, "to": each.after.split}
            for each in diff.moved
        ],
        "unchanged": diff.unchanged,
        "reordered": diff.reordered,
        "cases": {
            "added": [msgspec.to_builtins(case) for case in diff.added],
            "removed": [msgspec.to_builtins(case) for case in diff.removed],
            "changed": [_change(each) for each in diff.changed],
        },
    }
    return msgspec.json.format(msgspec.json.encode(without_halves_in(report)), indent=1)


def merge_json(merge: Merge, out: str | None, conflicts: str | None) -> bytes:
    """Return what a merge made as JSON.

    Args:
        merge: The merge.
        out: Where the set was written.
        conflicts: Where the conflicts were written.
    """
    report: dict[str, Any] = {
        "format": "acidtest/golden-merge",
        "version": 1,
        "out": {"path": out, "version": merge.golden.version, "cases": len(merge.golden)},
        "conflicts": [msgspec.to_builtins(each) for each in merge.conflicts],
        "decided": len(merge.decided),
        "conflicts_to": conflicts,
    }
    return msgspec.json.format(msgspec.json.encode(without_halves_in(report)), indent=1)


def _about(golden: GoldenSet) -> dict[str, Any]:
    return {"path": golden.path, "version": golden.version, "cases": len(golden)}


def _named(ids: Any) -> dict[str, Any]:
    listed = list(ids)
    return {"count": len(listed), "cases": listed}


def _change(change: CaseChange) -> dict[str, Any]:
    return {
        "case": change.after.id,
        "was": change.before.id,
        "question": change.after.question,
        "edits": [_edit(each) for each in change.edits],
    }


def _edit(edit: Edit) -> dict[str, Any]:
    made: dict[str, Any] = {
        "field": edit.field,
        "what": edit.what,
        "key": edit.key,
        "before": msgspec.to_builtins(edit.before),
        "after": msgspec.to_builtins(edit.after),
    }
    if edit.field in TEXTS and isinstance(edit.before, str) and isinstance(edit.after, str):
        gone, new = differences(edit.before, edit.after)
        made |= {"gone": [list(span) for span in gone], "new": [list(span) for span in new]}
    return made
