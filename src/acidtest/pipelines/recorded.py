"""Recorded outputs: a file of what a system answered, played back as a pipeline.

One row a question: `{"id" or "question", "answer", "retrieved": [...], "latency_ms", "usage",
"abstained", "citations", "candidates"}`, under the names that other tools write too (see
`acidtest.codec.names`), in any form that `acidtest.codec.rows.read` reads; a TREC run is a file of
rankings without answers. Rows are matched to cases by id, else by the exact question. Fields of a
golden set beside them are passed over, so that one file can serve as both.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from msgspec import Struct
from msgspec.structs import replace

from acidtest.codec.answers import answer
from acidtest.codec.fields import lookup, pick
from acidtest.codec.json import content_hash
from acidtest.codec.names import ANSWER_ALONE, ANSWER_ANYWHERE, BESIDE_ANSWER, CARRIED, CASE, fold
from acidtest.codec.rows.read import read_rows
from acidtest.codec.rows.row import Row, shown
from acidtest.codec.values import identifier, text
from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case, GoldenSet
from acidtest.data.terms import Mode
from acidtest.errors import PipelineError
from acidtest.pipelines.normalise import ranked
from acidtest.ports import PipelineOptions

_MATCHED = {"id": CASE["id"], "question": CASE["question"]}
_KNOWN = lookup(_MATCHED, ANSWER_ANYWHERE, ANSWER_ALONE)
_CONTEXT = "context"
_PASSED_OVER = frozenset((*lookup(CASE), *CARRIED, *BESIDE_ANSWER)) - _KNOWN.keys()


class Recorded(Struct, frozen=True, kw_only=True):
    """One row: what it is matched by, and the answer that it holds."""

    answer: Answer
    id: str | None = None
    question: str | None = None
    where: str | None = None


class RecordedPipeline:
    """Answers from a file; nothing is asked.

    Args:
        rows: The rows, or answers that carry their case's id.
        name: What the run is called after.
    """

    def __init__(self, rows: Iterable[Recorded | Answer], *, name: str = "recorded") -> None:
        self.name = name
        # Nothing is asked: many at once only means that one commit stores many answers.
        self.options = PipelineOptions(concurrency=64)
        self._rows = tuple(
            row if isinstance(row, Recorded) else Recorded(id=row.case_id, answer=row)
            for row in rows
        )
        self._by_id = {row.id: row for row in self._rows if row.id is not None}
        self._by_question = {row.question: row for row in self._rows if row.question is not None}
        often = Counter(row.question for row in self._rows if row.question is not None)
        self._unclear = {question for question, count in often.items() if count > 1}
        # Row by row: the JSON of all of them at once would take as much room as they do.
        self.fingerprint = content_hash(
            [content_hash([row.id, row.question, row.answer]) for row in self._rows]
        )

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def rows(self) -> tuple[Recorded, ...]:
        """The rows, in the order of the file."""
        return self._rows

    def refuses(self, mode: Mode) -> str | None:
        """Say why recorded outputs cannot run in a mode; None when they can."""
        if mode == "golden-context":
            return "recorded outputs were made from their own contexts: ask the live pipeline"
        if mode == "retrieval-only" and all(row.answer.retrieved is None for row in self._rows):
            return "the recorded outputs hold no retrieved chunks"
        return None

    async def ask(
        self, case: Case, *, mode: Mode = "live", contexts: Sequence[Chunk] | None = None
    ) -> Answer:
        """Return what was recorded for a case, with each chunk id once and ranks set.

        Raises:
            PipelineError: No row is for this case, several may be, or the row records an error or
                nothing at all; or the mode is golden-context.
        """
        if contexts is not None or mode == "golden-context":
            raise PipelineError(str(self.refuses("golden-context")), where=self.name)
        row = self._find(case)
        if row is None:
            raise self._missing(case)
        found = row.answer
        if found.failure is not None:
            raise PipelineError(
                f"the recorded row says: {found.failure.why}",
                where=row.where,
                detail=found.failure.detail,
            )
        if found.text is None and found.retrieved is None and found.abstained is None:
            raise PipelineError(
                "the recorded row holds no answer and no retrieved chunks", where=row.where
            )
        return _played(case, row, mode)

    def unmatched(self, golden: GoldenSet) -> list[str]:
        """Return the id, else the question, of each row that belongs to no case of the set."""
        used = {id(row) for case in golden if (row := self._find(case)) is not None}
        return [row.id or row.question or "" for row in self._rows if id(row) not in used]

    async def aclose(self) -> None:
        """Nothing is held."""

    def _find(self, case: Case) -> Recorded | None:
        row = self._by_id.get(case.id)
        if row is None and case.question not in self._unclear:
            row = self._by_question.get(case.question)
        return row

    def _missing(self, case: Case) -> PipelineError:
        if case.question in self._unclear:
            return PipelineError(
                "several recorded rows have this question, and none has this case's id",
                where=self.name,
                fix="Give the rows the ids of the cases.",
            )
        return PipelineError(
            "no recorded output for this case",
            where=self.name,
            fix="Rows are matched by id, else by the exact question.",
        )


def load_recorded(path: str | os.PathLike[str], *, name: str | None = None) -> RecordedPipeline:
    """Read recorded outputs.

    Args:
        path: JSONL, JSON, YAML, CSV, TSV, Parquet; a saved run; or a TREC run (`.trec`, `.run`,
            `.txt`).
        name: What the run is called after; by default the file's name.

    Returns:
        The pipeline that plays them back.

    Raises:
        BadData: The file or a row of it cannot be read, or two rows are for one case; the message
            names file, line and field.
        MissingExtra: Parquet, and Polars is not installed.
    """
    rows = list(_once(map(_recorded, read_rows(path, trec_runs=True))))
    stem = PurePath(os.fspath(path).removesuffix(".gz")).stem
    return RecordedPipeline((row for _, row in rows), name=name or stem or "recorded")


def _recorded(row: Row) -> tuple[Row, Recorded]:
    fields = pick(row, _KNOWN, passed_over=_PASSED_OVER)
    _refuse_ambiguous(row)
    if "id" not in fields and "question" not in fields:
        raise row.fault(
            "has neither an id nor a question, so it belongs to no case",
            fix="Give each row the id, or the exact question, of its case.",
        )
    name = identifier(row, fields["id"]) if "id" in fields else None
    question = text(row, fields["question"]) if "question" in fields else None
    return row, Recorded(
        id=name, question=question, where=row.where, answer=answer(row, fields, name or "")
    )


def _refuse_ambiguous(row: Row) -> None:
    # Some tools call the retrieved texts `context`, others the known-relevant ones.
    names = {fold(name): name for name in row.values}
    name = names.get(_CONTEXT)
    if not name or not row.values[name]:
        return
    if not {"retrieved", "retrieved_ids"} & {_KNOWN.get(folded) for folded in names}:
        raise row.fault(
            "may be the retrieved or the known-relevant texts",
            field=name,
            fix="Call it retrieved_contexts (what came back) or reference_contexts (passed over).",
        )


def _once(rows: Iterable[tuple[Row, Recorded]]) -> Iterator[tuple[Row, Recorded]]:
    seen: dict[tuple[bool, str], Row] = {}
    for row, recorded in rows:
        key = (recorded.id is not None, recorded.id or recorded.question or "")
        before = seen.setdefault(key, row)
        if before is not row:
            what = "id" if recorded.id is not None else "question"
            raise row.fault(
                f"the {what} {shown(key[1])} is already at {before.where}",
                fix="Keep one row a case: the outputs of one system, from one trial.",
            )
        yield row, recorded


def _played(case: Case, row: Recorded, mode: Mode) -> Answer:
    found, notes = row.answer, list(row.answer.notes)
    if row.question is not None and row.question != case.question:
        notes.append("the recorded row of this id has another question")
    retrieved = None if found.retrieved is None else ranked(found.retrieved, notes)
    candidates = None if found.candidates is None else ranked(found.candidates, notes)
    kept = replace(
        found, case_id=case.id, retrieved=retrieved, candidates=candidates, notes=tuple(notes)
    )
    if mode == "retrieval-only":
        return replace(kept, text=None, citations=None, abstained=None)
    return kept
