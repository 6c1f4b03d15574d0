"""BEIR: a folder of `queries.jsonl`, `qrels/SPLIT.tsv` and `corpus.jsonl`, or one of these files.

The texts of relevant documents become evidence where the corpus is there. What a query has no field for is
kept in its `metadata`, so that a golden set comes back whole.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from acidtest.codec.rows.row import Row, shown
from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.formats.beside import KEY, packed, unpacked
from acidtest.formats.folder import write_folder
from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.judged import Labels, grade_of, labelled, queries_of_rows
from acidtest.formats.leave import scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.write_rows import json_lines, table_text

_QUERY = frozenset(("_id", "text", "metadata"))
_DOCUMENT = frozenset(("_id", "title", "text"))
_QRELS = ("query-id", "corpus-id", "score")
_HELD = frozenset(("id", "question", "relevant", "metadata"))


def _sniff(source: Source) -> Likeness:
    if source.form == "folder":
        files = _Files(Path(source.path))
        return 2 if files.queries is not None and (files.qrels or files.corpus) else 0
    if source.form == "tsv":
        return 2 if source.keys == frozenset(_QRELS) else 0
    is_query = source.keys <= _QUERY and {"_id", "text"} <= source.keys
    is_document = {"_id", "title", "text"} <= source.keys
    return 2 if source.form == "jsonl" and (is_query or is_document) else 0


class _Files:
    """The files of a data set, wherever in its folder they are."""

    def __init__(self, folder: Path) -> None:
        lines = sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")])
        named = {path.name.removesuffix(".gz"): path for path in lines}
        self.corpus = named.pop("corpus.jsonl", None)
        others = list(named.values())
        only = others[0] if len(others) == 1 else None
        self.queries = named.get("queries.jsonl", only)
        self.qrels = sorted(folder.glob("qrels/*.tsv")) or sorted(folder.glob("*.tsv"))


def _read(source: Source) -> Found:
    losses = Losses()
    if source.form == "folder":
        files = _Files(Path(source.path))
        if files.queries is None:
            raise source.fault(
                "the folder has no queries", fix="BEIR's is named queries.jsonl, beside qrels/."
            )
        return _data_set(files, losses)
    if source.form == "tsv":
        return _of_qrels(source, losses)
    if source.keys >= _DOCUMENT:
        return Found(corpus=_corpus(source))
    rows = tuple(_case(row, {}, {}, None) for row in queries_of_rows(source))
    return Found(rows=rows)


def _of_qrels(source: Source, losses: Losses) -> Found:
    path = Path(source.path)
    files = _Files(path.parent.parent if path.parent.name == "qrels" else path.parent)
    if files.queries is None:
        raise source.fault(
            "judgements hold ids of queries and documents, and no question: queries.jsonl is missing",
            fix="Put queries.jsonl beside them, as BEIR does, and give the folder.",
        )
    files.qrels = [path]
    return _data_set(files, losses)


def _data_set(files: _Files, losses: Losses) -> Found:
    labels, splits = _labels(files.qrels, losses)
    corpus = _corpus(Source(files.corpus)) if files.corpus is not None else None
    rows = labelled(queries_of_rows(Source(str(files.queries))), labels, losses)
    documents = corpus.by_id if corpus is not None else {}
    return Found(
        rows=tuple(_case(row, labels, documents, splits.get(row.values["id"])) for row in rows),
        corpus=corpus,
        losses=losses.told(),
    )


def _case(row: Row, labels: Labels, documents: Mapping[str, CorpusChunk], split: str | None) -> Row:
    metadata, inner = unpacked(row.values.get("metadata") or {})
    values = {**row.values, **inner}
    values.pop("metadata", None)
    if metadata:
        values["metadata"] = metadata
    if split is not None and "split" not in inner:
        values["split"] = split
    if not inner:  # what a query carries itself is whole
        judged = labels.get(values["id"], {})
        found = [documents[name] for name, grade in judged.items() if grade and name in documents]
        if found:
            values["evidence"] = [{"text": one.text, "chunk_id": one.id} for one in found]
    return Row(where=row.where, values={k: v for k, v in values.items() if v is not None})


def _labels(
    paths: Iterable[Path], losses: Losses
) -> tuple[dict[str, dict[str, int]], dict[str, str]]:
    labels: dict[str, dict[str, int]] = {}
    splits: dict[str, str] = {}
    several = list(paths)
    for path in several:
        for row in Source(path).rows:
            query, document, grade = (row.values.get(name) for name in _QRELS)
            if not isinstance(query, str) or not isinstance(document, str):
                raise row.fault(
                    "this is no judgement",
                    fix=f"A row of qrels has the columns {', '.join(_QRELS)}.",
                )
            labels.setdefault(query, {})[document] = _grade(row, grade, losses)
            if len(several) > 1:
                first = splits.setdefault(query, path.stem)
                if first != path.stem:
                    losses.add("split", "the query is judged in another split too", row.where)
    return labels, splits


def _grade(row: Row, value: Any, losses: Losses) -> int:
    try:
        return grade_of(float(value), losses, row.where)
    except (TypeError, ValueError, OverflowError) as fault:
        raise row.fault(f"the grade is {shown(value)}, not a number", field="score") from fault


def _corpus(source: Source) -> Corpus:
    chunks = []
    for row in source.rows:
        name, text, title = (row.values.get(key) for key in ("_id", "text", "title"))
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise row.fault("the document has no id", field="_id")
        title = title if isinstance(title, str) and title.strip() else None
        words = text if isinstance(text, str) and text.strip() else title
        if words is None:
            continue  # BEIR's corpora hold a few empty documents
        about = row.values.get("metadata")
        chunks.append(
            CorpusChunk(
                id=str(name),
                text=words,
                title=title,
                metadata=about if isinstance(about, dict) else {},
            )
        )
    return Corpus(chunks, path=source.path)


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no cases to write: the file that was read has no questions",
            fix="Give a file that has questions.",
        )
    parted = any(case.split for case in exchanged.golden)
    qrels: dict[str, list[dict[str, Any]]] = {}
    for case in exchanged.golden:
        for document, grade in (case.relevant or {}).items():
            row = dict(zip(_QRELS, (case.id, document, grade), strict=True))
            qrels.setdefault(_name(case.split), []).append(row)
    files = {f"qrels/{name}.tsv": table_text(rows, "\t") for name, rows in qrels.items()}
    files["queries.jsonl"] = json_lines([_query(case, parted=parted) for case in exchanged.golden])
    files["corpus.jsonl"] = json_lines(_documents(exchanged))
    write_folder(path, {name: content for name, content in files.items() if content})
    losses = Losses()
    for answers in exchanged.outputs.values():
        for answer in answers:
            losses.add("answers", "BEIR holds no outputs", answer.case_id)
    scores_left(losses, exchanged, "BEIR holds no scores")
    return losses.told()


def _query(case: Case, *, parted: bool) -> dict[str, Any]:
    metadata = packed(case, _HELD)
    if parted:
        metadata.setdefault(KEY, {}).setdefault("split", None)
    return {"_id": case.id, "text": case.question, "metadata": metadata}


def _name(split: str | None) -> str:
    return split if split and split.replace("-", "").replace("_", "").isalnum() else "test"


def _documents(exchanged: Exchanged) -> list[dict[str, Any]]:
    if exchanged.corpus is not None:
        return [
            {"_id": one.id, "title": one.title or "", "text": one.text, "metadata": one.metadata}
            for one in exchanged.corpus
        ]
    texts = {
        one.chunk_id: one.text
        for case in exchanged.golden or ()
        for one in case.evidence
        if one.chunk_id is not None
    }
    return [{"_id": name, "title": "", "text": text} for name, text in texts.items()]


FORMAT = Format(name="beir", sniff=_sniff, read=_read, write=_write, endings=("/",))
