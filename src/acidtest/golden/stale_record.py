"""What became of the sources of a golden set: of each piece of evidence, and of each case."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Freshness = Literal["still_good", "renamed", "moved", "changed", "vanished"]
"""From the best to the worst; a case is as stale as its worst piece of evidence."""

ORDER: tuple[Freshness, ...] = ("still_good", "renamed", "moved", "changed", "vanished")


class Today(Struct, frozen=True, kw_only=True):
    """What stands there today: the text, how alike it is to the evidence, and its document."""

    text: str
    similarity: float
    doc_id: str | None = None
    doc_version: str | None = None


class Aged(Struct, frozen=True, kw_only=True):
    """One piece of evidence against today's corpus.

    Args:
        case: The case's id.
        number: Its place in the case's evidence; None: a document label without evidence.
        state: What became of it.
        text: The evidence.
        doc_id: The document that it was taken from.
        today: The text that is most like it today; None when there is none, or nobody had to look.
        why: In words.
    """

    case: str
    number: int | None
    state: Freshness
    text: str = ""
    doc_id: str | None = None
    today: Today | None = None
    why: str


class Staleness(Struct, frozen=True, kw_only=True):
    """A golden set against today's corpus.

    Args:
        states: Case id -> state, in the set's order, for the cases that can be told.
        unknown: Case id -> why it cannot be told.
        unanswerable: Cases that must be declined: they have no source.
        evidence: What became of each piece.
        renamed: Documents that have another name today.
    """

    states: Mapping[str, Freshness]
    unknown: Mapping[str, str]
    unanswerable: tuple[str, ...]
    evidence: tuple[Aged, ...]
    renamed: Mapping[str, str] = {}

    def cases(self, state: Freshness) -> tuple[str, ...]:
        """Return the ids of the cases in a state, in the set's order."""
        return tuple(case for case, found in self.states.items() if found == state)

    @property
    def exit_status(self) -> int:
        """1 when anything is stale, else 0."""
        return int(any(state != "still_good" for state in self.states.values()))
