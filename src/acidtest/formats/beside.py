"""What a peer has no field for, kept under `acidtest` in its metadata, and taken out again.

So a golden set survives the way through a tool that takes metadata: whoever looks there finds ids, labels
and tags as our own files have them.
"""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from acidtest.data.golden import Case

KEY = "acidtest"
_FIELDS = frozenset(field.name for field in msgspec.structs.fields(Case))


def packed(case: Case, held: Collection[str]) -> dict[str, Any]:
    """Return the metadata of a case, with all fields that are not in `held` under `acidtest`."""
    values: dict[str, Any] = msgspec.to_builtins(case)
    inner = {
        name: value for name, value in values.items() if name not in held and name != "metadata"
    }
    found = dict(case.metadata)
    if inner:
        found[KEY] = inner
    return found


def unpacked(metadata: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the metadata without what `packed` added, and the fields that it added.

    Evidence is among the fields; whoever reads texts elsewhere in the file holds it against them (see
    `agreed`).
    """
    inner = metadata.get(KEY)
    if not isinstance(inner, dict) or not inner.keys() <= _FIELDS:
        return dict(metadata), {}
    return {name: value for name, value in metadata.items() if name != KEY}, dict(inner)


def agreed(inner: dict[str, Any], texts: object) -> dict[str, Any]:
    """Return packed fields without evidence that the file's own texts contradict: they were edited."""
    evidence = inner.get("evidence")
    if not isinstance(evidence, list):
        return inner
    told = [one.get("text") if isinstance(one, dict) else None for one in evidence]
    return inner if told == texts else {k: v for k, v in inner.items() if k != "evidence"}
