"""From single pieces of evidence to the parts of a card."""

from collections.abc import Sequence

from acidtest.data.judge_card import (
    Attacked,
    Coverage,
    Figure,
    LeftOut,
    Plain,
    Public,
    Repeat,
    Shift,
    Took,
    Watched,
)
from acidtest.data.outcomes import Score
from acidtest.data.runs import JudgeRef
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.local.measured import measured
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.project.card.choose import Chosen
from acidtest.project.card.present import Present
from acidtest.project.probing.bias.probe import Bias
from acidtest.project.probing.bias.self_preference import SelfPreference
from acidtest.project.probing.injection import Injection
from acidtest.stats.rates import Interval


def shifts_of(metric: str, found: Bias) -> tuple[Shift, ...]:
    """Return what changes and planted faults did to a metric."""
    return (
        *(
            Shift(
                kind=row.kind,
                change=row.change,
                moved=row.flips,
                of=row.asked,
                share=_figure(row.flip_rate, row.flip_ci, row.asked),
                shift=_figure(row.shift, row.shift_ci, row.n),
                finding=row.finding,
            )
            for row in found.changes
            if row.metric == metric
        ),
        *(
            Shift(
                kind="leniency",
                change=row.fault,
                moved=row.passed,
                of=row.passed + row.caught + row.open,
                share=_figure(row.rate, row.ci, row.passed + row.caught + row.open),
                shift=None,
                finding=row.finding,
            )
            for row in found.leniency
            if row.metric == metric
        ),
        *(
            _preferred(row)
            for row in found.self_preference
            if row.metric == metric and row.difference is not None
        ),
    )


def repeat_of(metric: str, chosen: Chosen) -> Repeat | None:
    """Return how alike repeated verdicts are: by the bias probe, else the anchor's repeats, else a run's."""
    if metric in chosen.biases:
        piece, bias = chosen.biases[metric]
        for row in bias.repeatability:
            if row.metric == metric and row.agreement is not None:
                same = Figure(value=row.agreement, ci=row.ci, n=row.n)
                return Repeat(source=piece.name, asks=row.asks, same=same, sd=row.sd)
    watch = chosen.watch[1].metrics.get(metric) if chosen.watch is not None else None
    if chosen.watch is None or watch is None or not watch.repeats.n:
        return _repeat_of_run(metric, chosen)
    piece, status = chosen.watch
    stayed, n = watch.repeats.n - watch.repeats.up - watch.repeats.down, watch.repeats.n
    # Repeats of one case are alike: an interval that takes each for itself would be too narrow.
    return Repeat(source=piece.name, asks=status.anchor.repeat, same=Figure(value=stayed / n, n=n))


def plain_of(chosen: Chosen, asks: str) -> Plain | None:
    """Return what the judge said of plain cases of a prompt."""
    if chosen.check is None:
        return None
    for row in chosen.check[1].plain:
        if row.task == asks and row.n + row.failed:
            return Plain(
                n=row.n, right=row.right, open=row.open, wrong=row.wrong, failed=row.failed
            )
    return None


def hard_of(chosen: Chosen, asks: str) -> Plain | None:
    """Return what the judge said of hard cases, which are claims; None for any other prompt."""
    if chosen.check is None or asks != FAITHFULNESS.name:
        return None
    outcomes = [each.outcome for each in chosen.check[1].hard_cases]
    right, open_, wrong = (outcomes.count(each) for each in ("right", "open", "wrong"))
    failed, n = outcomes.count("failed"), right + open_ + wrong
    return Plain(n=n, right=right, open=open_, wrong=wrong, failed=failed) if n + failed else None


def coverage_of(metric: str, chosen: Chosen) -> Coverage | None:
    """Return how many cases of the run the metric scores."""
    if chosen.run is None:
        return None
    summary = chosen.run[1].metrics.get(metric)
    if summary is None or summary.cost != "judge":
        return None
    return Coverage(
        scored=summary.scored,
        of=summary.scored + summary.skipped + summary.failed,
        undecided=summary.undecided,
    )


def unjudged_of(metric: str, chosen: Chosen, asks: str) -> str:
    """Return why the judge does not judge a metric; empty where it does, or nobody knows."""
    if metric in chosen.biases and (why := chosen.biases[metric][1].unjudged.get(metric)):
        return why
    if chosen.check is not None and asks in chosen.check[1].unjudged:
        return "it says that it cannot"
    return ""


def turned_of(found: Injection, asks: str) -> tuple[str, ...] | None:
    """Return the attacks that moved a verdict on a prompt; None where none was measured."""
    own = [
        pair
        for pair in found.pairs
        if pair.case.rsplit("-", 2)[0] == asks and pair.outcome in ("held", "turned")
    ]
    if not own:
        return None
    return tuple(dict.fromkeys(pair.attack for pair in own if pair.outcome == "turned"))


def attacked_of(chosen: Chosen) -> Attacked | None:
    """Return what came of attacks."""
    if chosen.attacks is None:
        return None
    piece, found = chosen.attacks
    all_of = found.attacks
    return Attacked(
        source=piece.name,
        created=piece.created,
        share=_figure(all_of.share, all_of.ci, all_of.measured),
        moved=all_of.turned,
        of=all_of.measured,
        turned=tuple(each.attack for each in found.tried if each.turned),
    )


def watched_of(chosen: Chosen, judge: JudgeRef) -> Watched | None:
    """Return what the anchor says of a judge."""
    if chosen.watch is None:
        return None
    piece, status = chosen.watch
    looks = [seen for seen in status.history if seen.same_judge]
    gone = next((s for s in looks[::-1] if s.judge.fingerprint == judge.fingerprint), None)
    since, result = status.drift_since or "", status.result
    says = _SAYS[result]
    if status.judge.fingerprint != judge.fingerprint:
        after = [s for s in looks if gone is None or s.created > gone.created]
        since = after[0].created if after else ""
        now = ", ".join(status.judge.reported) or status.judge.model
        says = (
            f"the provider answers with another model now, {now} ({status.judge.fingerprint[:19]})"
        )
    return Watched(
        source=piece.name,
        result="gone" if status.judge.fingerprint != judge.fingerprint else result,
        says=says,
        since=since,
        last=looks[-1].created if looks else "",
        looks=len(looks),
        cases=status.anchor.cases,
        evidence=status.e_value,
        limit=status.limit,
        metrics=tuple(status.metrics),
    )


def took_of(chosen: Chosen) -> Took | None:
    """Return what judging took in the run."""
    use = chosen.run[1].operations.judge if chosen.run is not None else None
    if use is None or chosen.run is None:
        return None
    piece, run = chosen.run
    known = use.cost_usd is not None and use.calls
    return Took(
        run=f"{run.name} ({run.id})",
        created=piece.created,
        calls=use.calls,
        cached=use.cached,
        tokens=use.tokens,
        cost_usd=use.cost_usd,
        usd_per_1000_calls=1000 * (use.cost_usd or 0.0) / use.calls if known else None,
        ms_per_call=1000 * use.seconds / use.calls if use.seconds and use.calls else None,
    )


def public_of(judge: JudgeRef) -> tuple[Public, ...]:
    """Return how often the local judge's rulings were right on public data; nothing of another judge."""
    if judge.fingerprint != LocalJudge().fingerprint:
        return ()
    return tuple(
        Public(
            task=mean.over,
            sets=mean.sets,
            decided=Figure(value=mean.decided, ci=mean.decided_ci),
            against=Figure(value=mean.against, ci=mean.against_ci),
            in_favour=Figure(value=mean.in_favour, ci=mean.in_favour_ci),
        )
        for mean in measured().means
    )


def older_local(judge: JudgeRef) -> tuple[LeftOut, ...]:
    """Say that the published figures are not of this local judge, where it is another version of it."""
    local = LocalJudge()
    if judge.model != local.model or judge.fingerprint == local.fingerprint:
        return ()
    return (
        LeftOut(
            name="judges-local",
            kind="published table",
            why=f"it is of this acidtest's local judge, {local.fingerprint[:19]}; what was measured here is of "
            f"another version or another coverage, {judge.fingerprint[:19]}",
        ),
    )


def names_of(chosen: Chosen, present: Present) -> Sequence[str]:
    """Return the metrics that anything is known of."""
    found = dict.fromkeys((*chosen.calibrations, *chosen.biases))
    if chosen.run is not None:
        metrics = chosen.run[1].metrics
        found |= dict.fromkeys(name for name, each in metrics.items() if each.cost == "judge")
    if chosen.watch is not None:
        found |= dict.fromkeys(chosen.watch[1].metrics)
    if chosen.check is not None:
        check = chosen.check[1]
        tasks = (*(row.task for row in check.plain), *check.unjudged)
        found |= dict.fromkeys(task for task in tasks if present(task).prompt == task)
    return list(found)


_SAYS = {
    "new": "not looked at since it was recorded",
    "steady": "steady",
    "changed": "the provider reports another model than before",
    "drift": "its verdicts are not those that were recorded, beyond its own noise",
    "incomplete": "the last look lacks verdicts",
}


def _repeat_of_run(metric: str, chosen: Chosen) -> Repeat | None:
    summary = chosen.run[1].metrics.get(metric) if chosen.run is not None else None
    if chosen.run is None or summary is None or summary.wavering is None:
        return None
    piece, run = chosen.run
    outcomes = [case.scores.get(metric) for case in run.cases]
    asks = [len(o.trials) for o in outcomes if isinstance(o, Score) and len(o.trials) > 1]
    if not asks:
        return None
    same = Figure(value=1 - summary.wavering, n=len(asks))
    return Repeat(source=piece.name, asks=max(asks), same=same, sd=summary.repeat_sd)


def _preferred(row: SelfPreference) -> Shift:
    return Shift(
        kind="self-preference",
        change=row.family or "",
        moved=row.own,
        of=row.own + row.others,
        share=None,
        shift=_figure(row.difference, row.ci, row.own + row.others),
        finding=row.finding,
    )


def _figure(value: float | None, ci: Interval | None, n: int) -> Figure | None:
    return None if value is None else Figure(value=value, ci=ci, n=n)
