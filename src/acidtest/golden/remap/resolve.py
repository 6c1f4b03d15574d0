"""Decisions held against the set and the chunks that they are about."""

from collections.abc import Iterator, Mapping

from acidtest.codec.rows.row import shown
from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, GoldenSet
from acidtest.errors import BadData, suggestion
from acidtest.golden.remap.decisions import Decision

Key = tuple[str, str, str]
"""Case, kind and label."""


def resolved(
    decisions: Mapping[Key, Decision], golden: GoldenSet, corpus: Corpus
) -> dict[Key, Decision]:
    """Return the decisions by the labels that the set has.

    A review may be applied to the set that it was made from, and to the one that was written beside it:
    there the proposed chunks are the labels.

    Raises:
        BadData: No such case or label, or a chunk is named that does not exist; with file and line.
    """
    cases = {case.id: case for case in golden}
    found: dict[Key, Decision] = {}
    for (case_id, kind, label), decision in decisions.items():
        case = cases.get(case_id)
        if case is None:
            raise BadData(
                f"the set has no case {shown(case_id)}",
                where=f"{decision.where}: field 'case'",
                fix=suggestion(case_id, cases),
            )
        known = corpus.by_id if kind == "chunk" else corpus.by_doc
        for name in decision.chunks:
            if name not in known:
                raise BadData(
                    f"the new chunks have no {kind} {shown(name)}",
                    where=f"{decision.where}: field 'decision'",
                    fix=suggestion(name, known),
                )
        found.update(_for(case, kind, label, decision))
    return found


def _for(case: Case, kind: str, label: str, decision: Decision) -> Iterator[tuple[Key, Decision]]:
    labels = (case.relevant if kind == "chunk" else case.relevant_docs) or {}
    if label in labels:
        yield (case.id, kind, label), decision
        return
    if not decision.proposed or not all(name in labels for name in decision.proposed):
        raise BadData(
            f"case {shown(case.id)} has no label {shown(label)}",
            where=f"{decision.where}: field 'label'",
            fix="Give the golden set that the review was made from.",
        )
    first, *rest = decision.proposed
    yield (case.id, kind, first), _instead(label, decision)
    gone = Decision(where=decision.where, verb="accept" if decision.verb == "accept" else "drop")
    for name in rest:
        yield (case.id, kind, name), gone


def _instead(label: str, decision: Decision) -> Decision:
    if decision.verb != "keep":
        return decision
    return Decision(where=decision.where, verb="chunks", chunks={label: None})
