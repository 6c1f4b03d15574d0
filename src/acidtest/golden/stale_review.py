"""The review of stale cases: today's text beside the old, and what people decided, read back.

A row is one case. Its `decision` is "update" (the evidence becomes today's text, as it stands in the
row), "keep" or "drop" (the case goes); null leaves it open. The `reference` may be edited.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from acidtest.codec.fields import Given
from acidtest.codec.rows.read import read_rows
from acidtest.codec.rows.row import Row, shown
from acidtest.codec.values import identifier
from acidtest.data.golden import Case, Evidence, GoldenSet
from acidtest.errors import BadData, suggestion
from acidtest.golden.stale_record import Aged, Staleness
from acidtest.golden.version import version_of
from acidtest.text.surrogates import without_halves_in

HOW = 'Write "update", "keep" or "drop"; null leaves it open.'
_VERBS = ("update", "keep", "drop")
_FIELDS = ("case", "question", "reference", "state", "evidence", "decision", "note")


class Decided(Struct, frozen=True, kw_only=True):
    """What a person decided on a case: where, what, the reference (None: as it is), today's texts."""

    where: str
    verb: str
    reference: str | None = None
    texts: Mapping[int, str] = {}


def stale_rows(found: Staleness, golden: GoldenSet, difference: Callable[[str, str], str]) -> bytes:
    """Return the JSON lines that show a person every stale case.

    Args:
        found: What became of the set.
        golden: The set.
        difference: Shows in one text what changed between two.
    """
    lines = []
    for case in golden:
        if found.states.get(case.id, "still_good") == "still_good":
            continue
        row = {
            "case": case.id,
            "question": case.question,
            "reference": case.reference,
            "state": found.states[case.id],
            "evidence": [
                _shown(each, difference) for each in found.evidence if each.case == case.id
            ],
            "decision": None,
        }
        lines.append(msgspec.json.encode(without_halves_in(row)) + b"\n")
    return b"".join(lines)


def _shown(each: Aged, difference: Callable[[str, str], str]) -> dict[str, Any]:
    today = each.today
    return {
        "number": each.number,
        "state": each.state,
        "why": each.why,
        "was": each.text,
        "today": today.text if today is not None else None,
        "difference": difference(each.text, today.text) if today is not None else None,
        "doc_id": each.doc_id,
        "today_doc_id": today.doc_id if today is not None else None,
    }


def read_stale_review(path: str) -> dict[str, Decided]:
    """Return the decisions of a review by case; open rows are left out.

    Raises:
        BadData: A row is not what it should be, with file, line and field.
    """
    found: dict[str, Decided] = {}
    for row in read_rows(path, error=BadData):
        for name in row.values:
            if name not in _FIELDS:
                raise row.fault(f"unknown field {shown(name)}", fix=suggestion(name, _FIELDS))
        if row.values.get("case") is None:
            raise row.fault("is missing", field="case")
        case = identifier(row, Given("case", row.values["case"]))
        verb = row.values.get("decision")
        if verb in (None, ""):
            continue
        if not isinstance(verb, str) or verb.strip().lower() not in _VERBS:
            raise row.fault(f"{shown(verb)} is no decision", field="decision", fix=HOW)
        if case in found:
            raise row.fault(
                f"the case {shown(case)} is decided twice",
                fix=f"It is decided at {found[case].where} too: keep one.",
            )
        reference = row.values.get("reference")
        if reference is not None and not isinstance(reference, str):
            raise row.fault("must be text or null", field="reference")
        found[case] = Decided(
            where=row.where,
            verb=verb.strip().lower(),
            reference=reference,
            texts=dict(_texts(row)),
        )
    return found


def _texts(row: Row) -> Iterator[tuple[int, str]]:
    pieces = row.values.get("evidence")
    if not isinstance(pieces, list):
        raise row.fault("must be the list that it was", field="evidence")
    for place, piece in enumerate(pieces):
        field = f"evidence[{place}]"
        if not isinstance(piece, dict):
            raise row.fault("must be the mapping that it was", field=field)
        number, today = piece.get("number"), piece.get("today")
        if number is not None and type(number) is not int:
            raise row.fault("must be the number that it was", field=f"{field}.number")
        if today is not None and not isinstance(today, str):
            raise row.fault("must be text or null", field=f"{field}.today")
        if number is not None and today is not None and today.strip():
            yield number, today


def refreshed(
    golden: GoldenSet, found: Staleness, decisions: Mapping[str, Decided]
) -> tuple[GoldenSet, tuple[str, ...]]:
    """Return the set as people decided, and the ids of the cases that are gone.

    Evidence that is still good gets today's version of its document; nothing else changes undecided.

    Raises:
        BadData: A decision is about a case that the set does not have, or updates to no text.
    """
    known = {case.id for case in golden}
    for name, decision in decisions.items():
        if name not in known:
            raise BadData(
                f"the set has no case {shown(name)}",
                where=f"{decision.where}: field 'case'",
                fix=suggestion(name, known),
            )
    by_case: dict[str, list[Aged]] = {}
    for each in found.evidence:
        by_case.setdefault(each.case, []).append(each)
    kept = [
        _case(case, by_case.get(case.id, ()), decisions.get(case.id))
        for case in golden
        if case.id not in decisions or decisions[case.id].verb != "drop"
    ]
    if not kept:
        raise BadData("every case would be dropped", fix="Keep one at least.")
    dropped = tuple(name for name, each in decisions.items() if each.verb == "drop")
    recorded = [each for each in golden.recorded if each.case_id not in dropped]
    return GoldenSet(kept, version=version_of(kept), path=golden.path, recorded=recorded), dropped


def _case(case: Case, aged: Sequence[Aged], decided: Decided | None) -> Case:
    by_number = {each.number: each for each in aged if each.number is not None}
    update = decided is not None and decided.verb == "update"
    evidence = tuple(
        _evidence(case, each, by_number.get(number), decided if update else None, number)
        for number, each in enumerate(case.evidence)
    )
    edited = decided.reference if update and decided is not None else None
    return replace(case, evidence=evidence, reference=case.reference if edited is None else edited)


def _evidence(
    case: Case, old: Evidence, aged: Aged | None, decided: Decided | None, number: int
) -> Evidence:
    if aged is None:
        return old
    today = aged.today
    if aged.state == "still_good":
        # A text that names no document may stand in several: it is left as it is.
        if today is None or old.doc_id is None:
            return old
        return replace(old, doc_version=today.doc_version or old.doc_version)
    if decided is None:
        return old
    text = decided.texts.get(number)
    if text is None:
        raise BadData(
            f"case {shown(case.id)} has no text of today to update evidence {number} with",
            where=f"{decided.where}: field 'evidence'",
            fix='Write it as "today" of that piece, or decide "keep" or "drop".',
        )
    return replace(
        old,
        text=text,
        doc_id=today.doc_id if today is not None else old.doc_id,
        doc_version=today.doc_version if today is not None else None,
        start=None,
        end=None,
    )
