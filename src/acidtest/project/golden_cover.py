"""What users asked, from recorded outputs, runs and lists of questions, for the cover of a golden set."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from acidtest.codec.chunks import chunks, named
from acidtest.codec.fields import Given
from acidtest.codec.names import ANSWER_ALONE, ANSWER_ANYWHERE, CASE, fold
from acidtest.codec.rows.lines import numbered_lines
from acidtest.codec.rows.read import SUFFIXES, read_rows
from acidtest.codec.rows.row import Row
from acidtest.codec.runs import load_run
from acidtest.data.golden import GoldenSet
from acidtest.data.runs import Run
from acidtest.errors import BadData
from acidtest.golden.cover.record import Asked
from acidtest.project.config import Config
from acidtest.project.stores import find_run

_RANKED = (*ANSWER_ANYWHERE["retrieved"], *ANSWER_ALONE["retrieved"])
_LOOK = 4_096
_RUN = b'"acidtest/run"'


def asked_in(
    source: str, config: Config, golden: GoldenSet, *, store: str | None = None
) -> list[Asked]:
    """Read the questions that users asked.

    Args:
        source: A file of rows with a question each (recorded outputs, logs), a text file with one
            question a line, or a run: its JSON file, id, name or `latest`.
        config: The configuration, which names the store.
        golden: Gives the question of a row that has only a case's id.
        store: The store, where it is another one.

    Raises:
        BadData: The file cannot be read, or holds no question.
        UnknownName: It is no file, and there is no such run.
    """
    if not Path(source).exists() and not source.endswith((*SUFFIXES, ".gz", ".txt")):
        return list(_of_run(find_run(config, source, store), golden))
    name = source.lower().removesuffix(".gz")
    if name.endswith(".json") and _is_run(source):
        return list(_of_run(load_run(source), golden))
    if name.endswith(".txt"):
        lines = numbered_lines(source, BadData)
        found = [Asked(question=line.strip()) for _, line in lines if line.strip()]
    else:
        by_id = {case.id: case.question for case in golden}
        read = (_of_row(row, by_id) for row in read_rows(source, error=BadData))
        found = [each for each in read if each is not None]
    if not found:
        raise BadData(
            "no row has a question",
            where=source,
            fix=f"Call the field one of: {', '.join(CASE['question'])}.",
        )
    return found


def _is_run(path: str | os.PathLike[str]) -> bool:
    try:
        with Path(path).open("rb") as stream:
            return _RUN in stream.read(_LOOK)
    except OSError:
        return False  # the reader says what is wrong


def _of_run(run: Run, golden: GoldenSet) -> Iterator[Asked]:
    follows = {case.id for case in golden if case.history}
    for case in run.cases:
        ranked = tuple(chunk.id for chunk in case.retrieved or () if chunk.id is not None)
        yield Asked(question=case.question, follows=case.id in follows, retrieved=ranked)


def _of_row(row: Row, by_id: Mapping[str, str]) -> Asked | None:
    fields = {fold(name): Given(name, value) for name, value in row.values.items() if value}
    question = _first(fields, CASE["question"])
    asked = question.value if question is not None else None
    if not isinstance(asked, str):
        case = _first(fields, CASE["id"])
        asked = by_id.get(str(case.value)) if case is not None else None
    if asked is None or not asked.strip():
        return None
    ranked = _first(fields, _RANKED)
    ids = _first(fields, ANSWER_ANYWHERE["retrieved_ids"])
    found = chunks(row, ranked) if ranked is not None else ()
    if ids is not None and not any(chunk.id for chunk in found):
        found = named(row, ids)
    return Asked(
        question=asked,
        follows=_first(fields, CASE["history"]) is not None,
        retrieved=tuple(chunk.id for chunk in found if chunk.id is not None),
    )


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> Given | None:
    return next((fields[name] for name in names if name in fields), None)
