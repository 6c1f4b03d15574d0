"""A case as it is written for the new chunks, and the mark that says what was done to it.

`metadata.remap` is there in cases that changed: `state`, `from` (the old labels) and `confidence`;
`doubtful` names the labels to look at, `lost` those that still have their old id.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from acidtest.data.golden import Case, Evidence
from acidtest.golden.remap.evidence import joined, rewritten
from acidtest.golden.remap.place import Placement
from acidtest.golden.remap.record import ORDER, Label, State

MARK = "remap"
"""Where a case's metadata says what was done to it."""


def new_case(
    case: Case,
    labels: Sequence[Label],
    placements: Mapping[int, Placement],
    grades: Mapping[tuple[str, str], Mapping[str, int]],
    written: Mapping[int, tuple[Evidence, ...]],
) -> Case:
    """Return a case with its new labels and evidence.

    Args:
        case: As it was.
        labels: What became of its labels.
        placements: Where its evidence is, by place in the case's evidence.
        grades: By kind and label, the grades of its chunks, where a person gave them.
        written: Evidence that follows from a person's decision, by its place.
    """
    chunks = _graded([each for each in labels if each.kind == "chunk"], grades)
    documents = _graded([each for each in labels if each.kind == "document"], grades)
    evidence = joined(
        [
            (new, placements.get(number))
            for number, old in enumerate(case.evidence)
            for new in _evidence(number, old, placements, written)
        ]
    )
    state = worst(labels)
    metadata = case.metadata
    if state != "kept":
        metadata = {**metadata, MARK: _mark(state, labels)}
    elif marked(case):
        # What was doubtful or lost is not any more; where it came from is still true.
        metadata = {**metadata, MARK: _settled(metadata[MARK])}
    return replace(
        case,
        relevant=case.relevant and (chunks or None),
        relevant_docs=case.relevant_docs and (documents or None),
        evidence=evidence,
        metadata=metadata,
    )


def worst(labels: Sequence[Label]) -> State:
    """Return the state of a case: that of its worst label; those of grade 0 count where they are all."""
    counted = [each for each in labels if each.grade] or labels
    return max((each.state for each in counted), key=ORDER.index)


def marks(case: Case) -> frozenset[str]:
    """Return the labels that an earlier time left doubtful."""
    mark = case.metadata.get(MARK)
    named = mark.get("doubtful") if isinstance(mark, dict) else None
    return (
        frozenset(each for each in named if isinstance(each, str))
        if isinstance(named, list)
        else frozenset()
    )


def marked(case: Case) -> bool:
    """Say whether an earlier time left something open."""
    mark = case.metadata.get(MARK)
    return isinstance(mark, dict) and bool(mark.get("doubtful") or mark.get("lost"))


def _graded(
    labels: Sequence[Label], given: Mapping[tuple[str, str], Mapping[str, int]]
) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in labels:
        to = each.to or ((each.label,) if each.state == "lost" else ())
        grades = given.get((each.kind, each.label), dict.fromkeys(to, each.grade))
        for name, grade in grades.items():
            found[name] = max(grade, found.get(name, 0))
    return found


def _evidence(
    number: int,
    old: Evidence,
    placements: Mapping[int, Placement],
    written: Mapping[int, tuple[Evidence, ...]],
) -> tuple[Evidence, ...]:
    if number in written:
        return written[number]
    placement = placements.get(number)
    return (old,) if placement is None else rewritten(old, placement)


def _mark(state: State, labels: Sequence[Label]) -> dict[str, Any]:
    changed = [each for each in labels if each.to != (each.label,)]
    sure = [each.confidence for each in labels if each.confidence is not None]
    mark: dict[str, Any] = {"state": state}
    if changed:
        mark["from"] = [each.label for each in changed]
    if sure:
        mark["confidence"] = round(min(sure), 3)
    doubtful = [name for each in labels if each.state == "doubtful" for name in each.to]
    lost = [each.label for each in labels if each.state == "lost"]
    if doubtful:
        mark["doubtful"] = list(dict.fromkeys(doubtful))
    if lost:
        mark["lost"] = lost
    return mark


def _settled(mark: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in mark.items() if name not in ("doubtful", "lost")}
    return {**kept, "state": "moved"} if mark.get("from") else {**kept, "state": "kept"}
