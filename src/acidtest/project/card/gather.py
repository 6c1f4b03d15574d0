"""A judge's report card for commands: what is named, and what is found beside it."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from acidtest.codec.lossy import encoded
from acidtest.data.judge_card import JudgeCard
from acidtest.data.runs import JudgeRef, Run
from acidtest.errors import UsageError
from acidtest.project.anchoring.files import anchor_path
from acidtest.project.card.choose import named
from acidtest.project.card.evidence import Piece, of_anchor, of_labels, read_piece
from acidtest.project.card.make import make_card
from acidtest.project.card.present import present
from acidtest.project.config import Config
from acidtest.project.judging import judge_named
from acidtest.project.stores import open_existing
from acidtest.run.pinned import pinned
from acidtest.store.rows import StoredRun


def gather(
    config: Config,
    evidence: Sequence[str],
    *,
    judge: str | None = None,
    labels: str | None = None,
    anchor: str | None = None,
    store: str | None = None,
) -> tuple[JudgeCard, list[str]]:
    """Make the card of a judge from what is named, and say what else there is to know.

    Args:
        config: The configuration.
        evidence: Runs and files; empty for the newest run that this judge scored, if there is one.
        judge: Which judge; where nothing was measured yet, by default the configured one.
        labels: People's labels of the run's cases.
        anchor: The anchor's file; by default that of the configuration, if it is there.
        store: Where runs are kept.

    Raises:
        AcidtestError: Something named is not there or not readable, or it is not said which judge is meant.
    """
    notes: list[str] = []
    names = list(dict.fromkeys(evidence)) or _latest(config, store, judge)
    pieces = [read_piece(name, config, store) for name in names]
    runs = [piece.body for piece in pieces if isinstance(piece.body, Run)]
    if labels is not None:
        if len(runs) != 1:
            raise UsageError(
                f"labels are of one run's answers, and {len(runs)} runs are named",
                where=labels,
                fix="Name the run that they are of, and no other.",
            )
        found, others = of_labels(runs[0], labels)
        pieces += found
        if others:
            notes.append(
                f"{others} label(s) are of other answers than this run's, and are left out."
            )
    path = anchor_path(config, anchor)
    if anchor is not None or (path.exists() and not _has(pieces, path)):
        pieces.append(of_anchor(path))
    to_measure = None if pieces else _to_measure(config, judge)
    return make_card(pieces, judge, present(config), config.judge.model, to_measure), notes


def card_json(card: JudgeCard) -> bytes:
    """Return a card as JSON."""
    return msgspec.json.format(encoded(card), indent=1)


def _latest(config: Config, store: str | None, judge: str | None) -> list[str]:
    """Return the newest run that the judge scored: any judge's, where none is named."""
    opened = open_existing(config, store)
    if opened is None:
        return []
    try:
        return [run.info.id for run in opened.all_runs() if _judged(run, judge)][:1]
    finally:
        opened.close()


def _to_measure(config: Config, judge: str | None) -> JudgeRef:
    """Return the judge that commands would ask: the configured one, or that of a name."""
    base = Path(config.folder) if judge is None else Path.cwd()
    made = judge_named(config.judge, judge, base=base, asked=False).judge
    return JudgeRef(model=made.model, fingerprint=made.fingerprint)


def _has(pieces: Sequence[Piece], path: Path) -> bool:
    return any(Path(piece.name).resolve() == path.resolve() for piece in pieces)


def _judged(run: StoredRun, judge: str | None) -> bool:
    by = run.info.judge
    if by is None or not any(spec.cost == "judge" for spec in run.specs):
        return False
    whole = pinned(by, run.judge_use.models) if run.judge_use is not None else by
    return judge is None or named(whole, judge)
