"""Cases that are equal in everything but their ids: all but the first can go."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from acidtest.data.golden import Case


def but_for_id(case: Case) -> bytes:
    """Return what a case says, without its id; tags in any order."""
    bare = replace(case, id="", tags=tuple(sorted(case.tags)))
    return msgspec.json.encode(bare, order="deterministic")


def without_twins(cases: Iterable[Case]) -> tuple[list[Case], dict[str, str]]:
    """Return the cases, each once, and id -> id of the equal one that stays, for those that went."""
    seen: dict[bytes, Case] = {}
    gone: dict[str, str] = {}
    for case in cases:
        first = seen.setdefault(but_for_id(case), case)
        if first is not case:
            gone[case.id] = first.id
    return list(seen.values()), gone
