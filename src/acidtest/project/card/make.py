"""Making a judge's report card of evidence."""

from collections.abc import Sequence
from importlib.metadata import version

from acidtest.data.judge_card import JudgeCard, MetricCard, Source, Watched
from acidtest.data.runs import JudgeRef
from acidtest.project.card.choose import Chosen, choose, subject
from acidtest.project.card.evidence import Piece
from acidtest.project.card.missing import missing_of
from acidtest.project.card.parts import (
    attacked_of,
    coverage_of,
    hard_of,
    names_of,
    older_local,
    plain_of,
    public_of,
    repeat_of,
    shifts_of,
    took_of,
    turned_of,
    unjudged_of,
    watched_of,
)
from acidtest.project.card.present import Present, asked_as
from acidtest.project.card.rules import ORDER, Facts, rule
from acidtest.project.probing.moment import now


def make_card(
    pieces: Sequence[Piece],
    wanted: str | None,
    present: Present,
    configured: str | None = None,
    to_measure: JudgeRef | None = None,
) -> JudgeCard:
    """Make the card of one judge.

    Args:
        pieces: What was measured, of any judge.
        wanted: Which judge; see `choose.subject`.
        present: From a metric to what it asks now.
        configured: The configured judge, by the name that commands take.
        to_measure: The judge that the card is of where there are no pieces.

    Raises:
        UsageError: Nothing is known of such a judge, or it is not said which of several.
    """
    judge = to_measure if to_measure is not None and not pieces else subject(pieces, wanted)
    chosen = choose(pieces, judge)
    drift = watched_of(chosen, judge)
    metrics = tuple(
        sorted(
            (_metric(name, chosen, drift, present) for name in names_of(chosen, present)),
            key=lambda each: (ORDER.index(each.may), each.metric),
        )
    )
    attacks, took = attacked_of(chosen), took_of(chosen)
    return JudgeCard(
        created=now(),
        acidtest=version("acidtest"),
        judge=_whole(judge, chosen),
        metrics=metrics,
        attacks=attacks,
        drift=drift,
        took=took,
        public=public_of(judge),
        sources=tuple(
            Source(name=p.name, kind=p.kind, what=p.what, created=p.created) for p in chosen.pieces
        ),
        left_out=(*chosen.left_out, *older_local(judge)),
        missing=missing_of(
            metrics,
            chosen,
            attacks,
            took,
            drift,
            asked=asked_as(judge, wanted, configured),
            present=present,
        ),
    )


def _metric(name: str, chosen: Chosen, drift: Watched | None, present: Present) -> MetricCard:
    calibration, bias = chosen.calibrations.get(name), chosen.biases.get(name)
    shifts = shifts_of(name, bias[1]) if bias else ()
    attacks, now_has = chosen.attacks, present(name)
    facts = Facts(
        unjudged=unjudged_of(name, chosen, now_has.prompt),
        measured=chosen.versions.get(name, ""),
        current=now_has.version,
        agreed=calibration[1].agreed(calibration[0].name) if calibration else None,
        shifts=shifts if any(row.of for row in shifts) else None,
        repeat=repeat_of(name, chosen),
        plain=plain_of(chosen, now_has.prompt),
        coverage=coverage_of(name, chosen),
        attacked=turned_of(attacks[1], now_has.prompt) if attacks else None,
        drift=drift,
        watched=drift is not None and name in drift.metrics,
    )
    ruled = rule(facts)
    return MetricCard(
        metric=name,
        version=facts.measured,
        may=ruled.may,
        says=ruled.says,
        reasons=ruled.reasons,
        unknown=ruled.unknown,
        agreed=facts.agreed,
        shifts=tuple(facts.shifts or ()),
        repeat=facts.repeat,
        plain=facts.plain,
        hard=hard_of(chosen, now_has.prompt),
        coverage=facts.coverage,
    )


def _whole(judge: JudgeRef, chosen: Chosen) -> JudgeRef:
    """Return the judge with the models that its provider reports, which some evidence leaves out."""
    same = [j for p in chosen.pieces for j in p.judges if j.fingerprint == judge.fingerprint]
    return next((each for each in same if each.reported), judge)
