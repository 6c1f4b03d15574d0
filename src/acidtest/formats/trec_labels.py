"""TREC judgements with the queries that stand beside them, as a golden set."""

from pathlib import Path

from acidtest.codec.rows.row import shown
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.formats.folder import write_folder
from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.judged import graded, labelled, queries_beside
from acidtest.formats.leave import fields_left, scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.trec import read_qrels
from acidtest.formats.trec_lines import columns

_HELD = frozenset(("id", "question", "relevant"))
_WHY = "TREC files hold queries and judgements alone"


def _sniff(source: Source) -> Likeness:
    if source.form == "folder":
        return 2 if len(_qrels(source)) == 1 else 0
    return 2 if columns(source) == 4 else 0


def _qrels(source: Source) -> list[Path]:
    return [
        path
        for path in sorted(Path(source.path).glob("*qrels*"))
        if path.is_file() and columns(Source(path)) == 4
    ]


def _read(source: Source) -> Found:
    losses = Losses()
    path = source.path
    if source.form == "folder":
        found = _qrels(source)
        if len(found) != 1:
            raise source.fault(
                f"{len(found)} files of TREC judgements are in this folder", fix="Name the file."
            )
        path = str(found[0])
    labels = graded(read_qrels(path), losses)
    rows = labelled(queries_beside(Source(path)), labels, losses)
    return Found(rows=rows, losses=losses.told())


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no cases to write: the file that was read has no questions",
            fix="Give a file that has questions.",
        )
    losses = Losses()
    qrels, queries = list[str](), list[str]()
    for case in exchanged.golden:
        if len(case.id.split()) != 1 or case.id.startswith("#"):
            raise UsageError(
                f"the id {shown(case.id)} has blanks, which part the columns of a TREC file",
                where="--to trec",
                fix="Give the case an id without blanks.",
            )
        queries.append(f"{case.id}\t{' '.join(case.question.split())}\n")
        qrels += _lines(case, losses)
        if " ".join(case.question.split()) != case.question:
            losses.add("question", "line breaks and blanks become single blanks", case.id)
    files = {"queries.tsv": "".join(queries).encode(), "qrels.txt": "".join(qrels).encode()}
    if not qrels:
        raise UsageError(
            "no case has labels of chunks: there are no judgements to write",
            fix="Label the set first: acidtest golden label.",
        )
    write_folder(path, files)
    fields_left(losses, exchanged.golden, _HELD, _WHY)
    for answers in exchanged.outputs.values():
        for answer in answers:
            why = "judgements hold no outputs: write them with --to trec-run"
            losses.add("answers", why, answer.case_id)
    scores_left(losses, exchanged, _WHY)
    return losses.told()


def _lines(case: Case, losses: Losses) -> list[str]:
    held = {name: grade for name, grade in (case.relevant or {}).items() if len(name.split()) == 1}
    if len(held) < len(case.relevant or {}):
        losses.add("relevant", "an id with blanks cannot stand in a TREC file", case.id)
    return [f"{case.id} 0 {name.strip()} {grade}\n" for name, grade in held.items()]


FORMAT = Format(name="trec", sniff=_sniff, read=_read, write=_write, endings=("/",))
"""Judgements and queries; a run is `trec-run`."""
