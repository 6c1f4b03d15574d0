"""Cases of runs and rows of recorded outputs, found by name and put into a golden set."""

import getpass
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from acidtest.codec.rows.row import shown
from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.runs import CaseResult, Run
from acidtest.errors import AcidtestError, UnknownName, UsageError
from acidtest.golden.grow.lines import GoldenFile, read_file, write_file
from acidtest.golden.grow.lock import alone
from acidtest.golden.grow.promote import Ruling, Seen, firsts, merged, named_anew, promoted
from acidtest.golden.grow.review import ACCEPTED
from acidtest.golden.grow.same import Asked
from acidtest.golden.ids import NO_ID, with_ids
from acidtest.golden.load import load_golden
from acidtest.pipelines.recorded import Recorded, load_recorded
from acidtest.project.config import Config, load_config
from acidtest.project.stores import find_run
from acidtest.run.imports import case_of


class Promotion(Struct, frozen=True, kw_only=True):
    """What was put into a set, by case id.

    Attributes:
        into: The set.
        added: New cases.
        replaced: Cases that were there, with what is new.
        open: Those of both that wait for a person.
        same: Those named that ask just what one named before them asks, by the case that was put in for all.
    """

    format: str = "acidtest/golden-promote"
    version: int = 1
    into: str
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    same: dict[str, tuple[str, ...]] = {}


def who_and_when(by: str | None) -> tuple[str, str]:
    """Return who rules, by default the user's name on this machine, and the time (UTC)."""
    return by or _user(), datetime.now(UTC).isoformat(timespec="seconds")


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container without a user entry
        return "unknown"


def seen_in_run(config: Config, run: str, names: Sequence[str], store: str | None) -> list[Seen]:
    """Return cases of a run by their ids.

    Raises:
        UnknownName: The run has no such case, or there is no such run.
    """
    return seen_of(config, find_run(config, run, store), names)


def seen_of(config: Config, found: Run, names: Sequence[str]) -> list[Seen]:
    """Return cases of a run by their ids.

    Raises:
        UnknownName: The run has no such case.
    """
    by_id = {case.id: case for case in found.cases}
    for name in names:
        if name not in by_id:
            raise UnknownName("case", name, by_id, where=f"run {found.id}")
    asked_from = _golden_of(config, found)
    return [_from_run(found, by_id[name], asked_from.get(name)) for name in dict.fromkeys(names)]


def seen_in_outputs(path: str, names: Sequence[str]) -> list[Seen]:
    """Return rows of recorded outputs by id, else by their exact question.

    Raises:
        UnknownName: There is no such row.
        UsageError: A row has no question.
        BadData: The file cannot be read.
    """
    rows = load_recorded(path).rows
    often = Counter(row.question for row in rows)
    by_name = {row.question: row for row in rows if row.question is not None}
    by_name |= {row.id: row for row in rows if row.id is not None}
    for name in names:
        if name not in by_name:
            raise UnknownName("row", name, by_name, where=path)
        if by_name[name].id != name and often[name] > 1:
            raise UsageError(
                f"{often[name]} rows have the question {shown(name)}",
                where=path,
                fix="Name the row by its id.",
            )
    return [_from_row(path, by_name[name]) for name in dict.fromkeys(names)]


def promote(seen: Sequence[Seen], ruling: Ruling, into: str, *, replace: bool = False) -> Promotion:
    """Put what was seen into a golden set; the set is written once, whole, or not at all.

    Of several that ask the same the first is put in, and names the others where it says where it is from.

    Args:
        seen: What happened.
        ruling: What a person says of it.
        into: The set, a JSONL file; a new one is made.
        replace: Whether a case that asks the same is replaced; nothing that it has and the new one lacks
            is lost.

    Raises:
        UsageError: A case of the set asks the same, the ruling cannot be of several cases, or it
            contradicts itself.
        BadGolden: The set cannot be read.
    """
    first = firsts(seen)
    if len(first) > 1 and (ruling.reference is not None or ruling.relevant):
        what = "--reference" if ruling.reference is not None else "--relevant"
        raise UsageError(
            f"{what} is of one case, and {len(first)} are named", fix="Promote them one by one."
        )
    with alone(into):
        return _promoted(first, ruling, into, replace=replace)


def _promoted(
    seen: Sequence[tuple[Seen, tuple[str, ...]]], ruling: Ruling, into: str, *, replace: bool
) -> Promotion:
    file = read_file(into, new=True)
    known, here = Asked(file.cases), {case.id: case for case in file.cases}
    added: list[Case] = []
    changed: list[Case] = []
    alike: dict[str, tuple[str, ...]] = {}
    for each, others in seen:
        case = promoted(each, ruling)
        same = known.exactly(case.question, case.history)
        if same is None:
            case = named_anew(case, [*here, *(one.id for one in added)])
            known.add(case)
            added.append(case)
        elif replace:
            case = merged(here[same], case)
            changed.append(case)
        else:
            raise _twice(file, each.case.id, same)
        if others:
            alike[case.id] = others
    write_file(file, added=added, changed=changed)
    waiting = tuple(c.id for c in (*added, *changed) if c.metadata.get("review") == "open")
    return Promotion(
        into=into,
        added=tuple(case.id for case in added),
        replaced=tuple(case.id for case in changed),
        open=waiting,
        same=alike,
    )


def promote_cases(
    run: str | Run,
    cases: Sequence[str],
    into: str | os.PathLike[str],
    *,
    reference: str | None = None,
    from_answer: bool = False,
    unanswerable: bool = False,
    relevant: Mapping[str, int] | None = None,
    tags: Sequence[str] = (),
    source: str | None = None,
    by: str | None = None,
    replace: bool = False,
    store: str | None = None,
    config: Config | str | os.PathLike[str] | None = None,
) -> Promotion:
    """Put cases of a run into a golden set.

    Args:
        run: A run, or the id, name or JSON file of one, or `latest`.
        cases: Ids of cases of it.
        into: The set, a JSONL file; a new one is made.
        reference: The right answer to the one case.
        from_answer: The answer that the system gave was right.
        unanswerable: Nothing in the corpus answers it.
        relevant: Chunk id -> grade, of the one case.
        tags: More tags.
        source: Where it is from; by default `run`.
        by: Who says so; by default the user's name on this machine.
        replace: Put what is new into the case of the set that asks the same.
        store: Where runs are kept.
        config: The configuration; by default the one of the working folder or the nearest above it.

    Raises:
        UsageError: The set asks this already, or what is said contradicts itself.
        UnknownName: There is no such run or case.
        BadGolden: The set cannot be read.
    """
    if not isinstance(config, Config):
        config = load_config(Path(config) if config is not None else None)
    who, when = who_and_when(by)
    ruling = Ruling(
        reference=reference,
        from_answer=from_answer,
        unanswerable=unanswerable,
        relevant=dict(relevant or {}),
        tags=tuple(tags),
        source=source,
        by=who,
        when=when,
    )
    found = find_run(config, run, store) if isinstance(run, str) else run
    return promote(seen_of(config, found, cases), ruling, os.fspath(into), replace=replace)


def _twice(file: GoldenFile, name: str, same: str) -> UsageError:
    is_there = "is there already" if same == name else f"asks what case {shown(name)} asks"
    return UsageError(
        f"case {shown(same)} {is_there}",
        where=file.path,
        fix="With --replace what is new goes into it, and nothing that it has is lost.",
    )


def _golden_of(config: Config, run: Run) -> dict[str, Case]:
    """Return the cases of the set that a run was made from, if it is still there: they know the history."""
    path = run.info.golden.path
    if path is None:
        return {}
    for place in (Path(path), Path(config.folder) / path):
        try:
            return {case.id: case for case in load_golden(place)}
        except AcidtestError:
            continue
    return {}


def _from_run(run: Run, result: CaseResult, case: Case | None) -> Seen:
    same = case is not None and case.question == result.question
    provenance: dict[str, Any] = {
        "run": run.id,
        "case": result.id,
        "pipeline": run.info.pipeline.name,
        "date": run.info.created,
    }
    if result.diagnosis is not None and result.diagnosis.verdict != "unknown":
        provenance["verdict"] = result.diagnosis.verdict
    return Seen(
        case=structs.replace(
            case_of(result),
            history=case.history if case is not None and same else (),
            metadata=case.metadata if case is not None and same else {},
        ),
        answer=result.answer,
        retrieved=result.retrieved or (),
        provenance=provenance,
        source="run",
        accepted=case is not None and same and _accepted(case, result),
    )


def _accepted(case: Case, result: CaseResult) -> bool:
    """Tell whether the set holds what the run was scored by, and no review is open: a mark is not needed."""
    unchanged = (case.reference, case.answerable) == (result.reference, result.answerable)
    return unchanged and case.metadata.get("review") in (None, ACCEPTED)


def _from_row(path: str, row: Recorded) -> Seen:
    if row.question is None:
        raise UsageError(
            f"the row {shown(row.id)} has no question",
            where=row.where or path,
            fix="Promote from a run of it instead: acidtest run --outputs FILE, then name the run.",
        )
    answer: Answer = row.answer
    made = Case(id=row.id or NO_ID, question=row.question)
    provenance = {"outputs": path, "row": row.where, "case": row.id}
    return Seen(
        case=with_ids([made])[0],
        answer=answer.text,
        retrieved=answer.retrieved or (),
        provenance={name: value for name, value in provenance.items() if value is not None},
        source="production",
    )
