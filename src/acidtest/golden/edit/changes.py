"""What changed within a case: label by label, tag by tag, key by key."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from acidtest.codec.json import canonical
from acidtest.data.golden import Case, Evidence
from acidtest.golden.edit.pairs import paired

What = Literal["added", "removed", "changed"]

TEXTS = ("question", "reference")
"""Fields whose words are held against each other."""

LABELS = ("relevant", "relevant_docs")


class Edit(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One change.

    Attributes:
        field: The field of the case.
        what: Whether something was added, removed or changed.
        key: Which of the field's members: a chunk or document id, a tag, a key of metadata, the number
            of a piece of evidence or of a turn, from 1 (in the new case, unless it was removed).
        before: What it was; None where it was added.
        after: What it is; None where it was removed.
    """

    field: str
    what: What
    key: str | None = None
    before: Any = None
    after: Any = None


def edits(before: Case, after: Case) -> tuple[Edit, ...]:
    """Return what changed between two versions of a case, but for its id; order of tags is no change."""
    return tuple(_edits(before, after))


def _edits(before: Case, after: Case) -> Iterator[Edit]:
    for name in ("question", "reference", "answerable"):
        yield from _value(name, getattr(before, name), getattr(after, name))
    for name in LABELS:
        yield from _members(name, getattr(before, name) or {}, getattr(after, name) or {})
    yield from _evidence(before.evidence, after.evidence)
    yield from _members("tags", dict.fromkeys(before.tags, True), dict.fromkeys(after.tags, True))
    if before.history != after.history:
        yield from _turns(before, after)
    for name in ("group", "split", "source"):
        yield from _value(name, getattr(before, name), getattr(after, name))
    yield from _members("metadata", before.metadata, after.metadata)


def _value(name: str, before: Any, after: Any) -> Iterator[Edit]:
    if before != after:
        what: What = "added" if before is None else "removed" if after is None else "changed"
        yield Edit(field=name, what=what, before=before, after=after)


def _members(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Edit]:
    tags = name == "tags"
    for key in dict.fromkeys((*before, *after)):
        had, has = key in before, key in after
        if had and has and _same(before[key], after[key]):
            continue
        yield Edit(
            field=name,
            what="changed" if had and has else "added" if has else "removed",
            key=key,
            before=None if tags else before.get(key),
            after=None if tags else after.get(key),
        )


def _same(one: Any, other: Any) -> bool:
    # True equals 1 in Python, and not in JSON.
    return one == other and canonical(one) == canonical(other)


def _evidence(before: Sequence[Evidence], after: Sequence[Evidence]) -> Iterator[Edit]:
    place = {new: old for old, new in paired(before, after)}
    kept = set(place.values())
    for number, piece in enumerate(before):
        if number not in kept:
            yield Edit(field="evidence", what="removed", key=str(number + 1), before=piece)
    for number, piece in enumerate(after):
        if number not in place:
            yield Edit(field="evidence", what="added", key=str(number + 1), after=piece)
        elif before[place[number]] != piece:
            old = before[place[number]]
            yield Edit(
                field="evidence", what="changed", key=str(number + 1), before=old, after=piece
            )
    if [place[new] for new in sorted(place)] != sorted(kept):
        yield Edit(field="evidence", what="changed", key="order")


def _turns(before: Case, after: Case) -> Iterator[Edit]:
    for number in range(max(len(before.history), len(after.history))):
        old = before.history[number] if number < len(before.history) else None
        new = after.history[number] if number < len(after.history) else None
        if old != new:
            what: What = "added" if old is None else "removed" if new is None else "changed"
            yield Edit(field="history", what=what, key=str(number + 1), before=old, after=new)
