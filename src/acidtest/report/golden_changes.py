"""The changes of a golden set in words: one line a change, for the terminal and for Markdown alike."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.data.golden import Evidence, Turn
from acidtest.golden.edit.changes import LABELS, TEXTS, Edit
from acidtest.golden.edit.diff import CaseChange, GoldenDiff
from acidtest.report.clean import clip, one_line
from acidtest.report.figures import count
from acidtest.report.word_marks import Piece, pieces
from acidtest.text.surrogates import without_halves_in

LONGEST = 400
"""Characters that are shown of a text that is new or gone as a whole."""


class Line(Struct, frozen=True):
    """A change: where, and what, in pieces."""

    where: str
    what: tuple[Piece, ...]


def summary(diff: GoldenDiff) -> str:
    """Return the difference in one sentence."""
    told = [
        f"{number} {word}"
        for number, word in (
            (len(diff.added), "added"),
            (len(diff.removed), "removed"),
            (sum(bool(each.edits) for each in diff.changed), "changed"),
            (len(diff.renamed), "renamed"),
            (len(diff.moved), "moved to another split"),
        )
        if number
    ]
    if not told:
        order = ", in another order" if diff.reordered else ""
        return f"no difference: {count(diff.unchanged, 'case')}{order}"
    order = "; the order changed" if diff.reordered else ""
    return f"{', '.join(told)}; {diff.unchanged:,} unchanged{order}"


def lines(change: CaseChange) -> Iterator[Line]:
    """Yield the lines of a case that is in both versions."""
    if change.before.id != change.after.id:
        yield Line("id", _to(change.before.id, change.after.id))
    for edit in change.edits:
        yield from _lines(edit)


def _lines(edit: Edit) -> Iterator[Line]:
    if edit.field == "evidence":
        yield from _evidence(edit)
    elif edit.field == "tags":
        yield Line("tag", ((("new" if edit.what == "added" else "gone"), str(edit.key)),))
    elif edit.field == "history":
        yield Line(f"turn {edit.key}", _texts(_said(edit.before), _said(edit.after)))
    elif edit.field in TEXTS:
        yield Line(edit.field, _texts(edit.before, edit.after))
    elif edit.field in LABELS or edit.field == "metadata":
        where = f"{edit.field} {one_line(str(edit.key))}"
        one_text = isinstance(edit.before, str) and isinstance(edit.after, str)
        yield Line(
            where,
            _texts(edit.before, edit.after) if one_text else _values(edit),
        )
    else:
        yield Line(edit.field, _values(edit))


def _evidence(edit: Edit) -> Iterator[Line]:
    if edit.key == "order":
        yield Line("evidence", (("kept", "in another order"),))
        return
    piece = edit.after or edit.before
    of = f" ({one_line(piece.chunk_id)})" if piece.chunk_id else ""
    where = f"evidence {edit.key}{of}"
    before: Evidence | None = edit.before
    after: Evidence | None = edit.after
    if before is None or after is None or before.text != after.text:
        yield Line(where, _texts(before.text if before else None, after.text if after else None))
    if before is not None and after is not None:
        for name in ("chunk_id", "doc_id", "doc_version", "start", "end"):
            old, new = getattr(before, name), getattr(after, name)
            if old != new:
                yield Line(f"{where} {name}", _to(_shown(old), _shown(new)))


def _values(edit: Edit) -> tuple[Piece, ...]:
    if edit.what == "added":
        return (("new", _shown(edit.after)),)
    if edit.what == "removed":
        return (("gone", _shown(edit.before)),)
    return _to(_shown(edit.before), _shown(edit.after))


def _texts(before: str | None, after: str | None) -> tuple[Piece, ...]:
    old, new = one_line(before or ""), one_line(after or "")
    if old and new:
        if old == new:
            return (("kept", "white space, or what cannot be seen"),)
        return tuple(pieces(old, new))
    return (("new", clip(new, LONGEST)),) if new else (("gone", clip(old, LONGEST)),)


def _to(before: str, after: str) -> tuple[Piece, ...]:
    return (("kept", f"{one_line(before)} → {one_line(after)}"),)


def _said(turn: Turn | None) -> str | None:
    return None if turn is None else f"{turn.role}: {turn.text}"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return clip(value, LONGEST)
    return clip(msgspec.json.encode(without_halves_in(value)).decode(), LONGEST)
