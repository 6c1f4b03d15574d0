"""What became of each label, and of each case."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from acidtest.data.golden import GoldenSet

State = Literal["kept", "moved", "split", "dropped", "doubtful", "lost"]
"""From what asks for least to what asks for most; a case has the state of its worst label."""

ORDER: tuple[State, ...] = ("kept", "moved", "split", "dropped", "doubtful", "lost")


class Shown(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A chunk with its text, for a person to look at."""

    id: str
    doc_id: str | None = None
    text: str


class Label(Struct, frozen=True, kw_only=True):
    """What became of one label.

    Args:
        case: The case's id.
        label: The chunk's or document's id before.
        kind: What it labels.
        grade: Its grade, which its chunks have now.
        state: One of `ORDER`.
        to: The ids that stand for it now; the old id where it is lost.
        confidence: How sure `to` is, from 0 to 1: the similarity of the texts times the certainty that
            this is the place among all that are like it. 1 where a person decided; None without text.
        how: How the evidence was found: exact, normalised, case, fuzzy or reviewed.
        alternatives: Chunks that hold the evidence as well, and are not labelled.
        why: What makes it doubtful or lost.
        evidence: The texts that it was looked for by.
        proposed: The chunks of `to` with their texts, where it is doubtful.
        others: Chunks at other places that may be meant, where it is doubtful.
    """

    case: str
    label: str
    kind: Literal["chunk", "document"] = "chunk"
    grade: int = 1
    state: State
    to: tuple[str, ...] = ()
    confidence: float | None = None
    how: str | None = None
    alternatives: tuple[str, ...] = ()
    why: str | None = None
    evidence: tuple[str, ...] = ()
    proposed: tuple[Shown, ...] = ()
    others: tuple[Shown, ...] = ()


class Remapping(Struct, frozen=True, kw_only=True):
    """A golden set on new chunks.

    Args:
        golden: The cases with their new labels, in the old order; none is left out.
        labels: What became of each label.
        states: The state of each case that has labels, by id.
        merged: Cases in which one chunk now stands for several labels.
        unlabelled: Cases without labels (and those that must be declined): nothing to carry over.
        renamed: Documents that have another name now.
    """

    golden: GoldenSet
    labels: tuple[Label, ...]
    states: Mapping[str, State]
    merged: tuple[str, ...] = ()
    unlabelled: tuple[str, ...] = ()
    renamed: Mapping[str, str] = {}

    def cases(self, state: State) -> tuple[str, ...]:
        """Return the ids of the cases in a state, in the set's order."""
        return tuple(case for case, found in self.states.items() if found == state)

    @property
    def edited(self) -> tuple[str, ...]:
        """Cases whose evidence was found, and says it otherwise now: `stale` shows how."""
        return tuple(dict.fromkeys(each.case for each in self.labels if each.how == "fuzzy"))

    @property
    def exit_status(self) -> int:
        """0 when nothing is lost or doubtful, else 1."""
        return int(any(state in ("doubtful", "lost") for state in self.states.values()))
