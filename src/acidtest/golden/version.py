"""The version of a golden set: a hash of what it says, not of how it is written.

The canonical form is the list of cases, sorted by id, each as `Case` with default values left out,
keys sorted, tags sorted, and nulls in metadata left out (a table cannot tell null from absent). So the version does not depend on key order, file format, field aliases,
spelled-out defaults or the order of cases and tags. It does depend on metadata, and not on recorded
outputs.
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from acidtest.codec.json import content_hash
from acidtest.data.golden import Case


def version_of(cases: Iterable[Case]) -> str:
    """Return `sha256:...` over the canonical form of the cases."""
    ordered = sorted(cases, key=lambda case: case.id)
    return content_hash(
        [
            replace(case, tags=tuple(sorted(case.tags)), metadata=_without_nulls(case.metadata))
            for case in ordered
        ]
    )


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(v) for key, v in value.items() if v is not None}
    if isinstance(value, list):
        return [_without_nulls(v) for v in value]
    return value
