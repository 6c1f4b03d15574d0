"""A slot of which no case came, and why."""

from msgspec import Struct

from acidtest.golden.grow.kinds import Kind
from acidtest.golden.grow.plan import Slot


class Dropped(Struct, frozen=True, kw_only=True):
    """A slot of which no case came.

    `reason` is of `faults.REASONS`, or `INVALID` or `FAILED`; `why` says it of this draft.
    """

    slot: str
    kind: Kind
    chunks: tuple[str, ...]
    reason: str
    why: str
    question: str = ""


def dropped(slot: Slot, reason: str, why: str, question: str = "") -> Dropped:
    """Say that no case comes of a slot."""
    ids = tuple(chunk.id for chunk in slot.chunks)
    return Dropped(
        slot=slot.name, kind=slot.kind, chunks=ids, reason=reason, why=why, question=question
    )
