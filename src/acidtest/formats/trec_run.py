"""TREC runs as what a system retrieved: ids and scores by the ids of cases."""

from collections.abc import Mapping
from itertools import pairwise

from acidtest.atomic import write_whole
from acidtest.codec.rows.row import shown
from acidtest.data.answers import Answer, Chunk
from acidtest.data.exchange import Exchanged, Loss
from acidtest.errors import UsageError
from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.leave import chunks_left, fields_left, scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.trec import read_run
from acidtest.formats.trec_lines import columns
from acidtest.formats.write_rows import ending_of

_ENDINGS = (".run", ".trec", ".txt")
_HELD = frozenset(("case_id", "retrieved"))
_WHY = "a TREC run holds ids and scores alone"


def _sniff(source: Source) -> Likeness:
    return 2 if columns(source) == 6 else 0


def _read(source: Source) -> Found:
    return Found(answers=rankings(read_run(source.path)))


def rankings(run: Mapping[str, Mapping[str, float]]) -> tuple[Answer, ...]:
    """Return the rankings of a run; scores order them, and of equal ones the larger id is first."""
    return tuple(
        Answer(
            case_id=query,
            retrieved=tuple(
                Chunk(id=document, score=float(score), rank=rank)
                for rank, (score, document) in enumerate(
                    sorted(((s, d) for d, s in scores.items()), reverse=True), start=1
                )
            ),
        )
        for query, scores in run.items()
    )


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    ranked = [answer for answer in exchanged.answers if answer.retrieved]
    if not ranked:
        raise UsageError(
            "there is nothing to write: no answer says what was retrieved",
            fix="Give recorded outputs with retrieved chunks.",
        )
    ending_of(path, _ENDINGS)
    losses = Losses()
    tag = "".join(next(iter(exchanged.outputs)).split()) or "acidtest"
    lines = [line for answer in ranked for line in _lines(answer, tag, losses)]
    if not lines:
        raise UsageError(
            "there is nothing to write: no retrieved chunk has an id",
            fix="Give the retrieved chunks ids: TREC names documents by them.",
        )
    write_whole(path, "".join(lines).encode())
    for answer in exchanged.answers:
        chunks_left(losses, answer, {"id", "score"}, _WHY)
    fields_left(losses, exchanged.answers, _HELD, _WHY)
    fields_left(
        losses, exchanged.golden or (), {"id"}, "a run holds no cases: write them with --to trec"
    )
    scores_left(losses, exchanged, _WHY)
    return losses.told()


def _lines(answer: Answer, tag: str, losses: Losses) -> list[str]:
    if len(answer.case_id.split()) != 1 or answer.case_id.startswith("#"):
        raise UsageError(
            f"the id {shown(answer.case_id)} has blanks, which part the columns of a TREC file",
            where="--to trec-run",
            fix="Give the case an id without blanks.",
        )
    named = [
        one for one in answer.retrieved or () if one.id is not None and len(one.id.split()) == 1
    ]
    if len(named) < len(answer.retrieved or ()):
        losses.add("retrieved", "a chunk without an id, or with blanks in it", answer.case_id)
    scores = [one.score for one in named]
    falling = all(a is not None and b is not None and a > b for a, b in pairwise(scores))
    if None in scores or not falling:
        # In a run the scores alone tell the order.
        if any(score is not None for score in scores):
            why = "they do not fall from rank to rank: places stand for them"
            losses.add("retrieved.score", why, answer.case_id)
        scores = [float(len(named) - place) for place in range(len(named))]
    return [
        f"{answer.case_id} Q0 {str(one.id).strip()} {rank} {score!r} {tag}\n"
        for rank, (one, score) in enumerate(zip(named, scores, strict=True), start=1)
    ]


FORMAT = Format(
    name="trec-run", sniff=_sniff, read=_read, write=_write, endings=_ENDINGS, outputs=True
)
