"""What a card lacks, and the commands that get it."""

import shlex
from collections.abc import Iterator, Sequence

from acidtest.data.judge_card import Attacked, MetricCard, Missing, Took, Watched
from acidtest.project.card.choose import Chosen
from acidtest.project.card.present import Present

MORE = 50
"""Cases that are labelled at first: enough, also where some of them turn out to have no truth."""


def missing_of(
    metrics: Sequence[MetricCard],
    chosen: Chosen,
    attacks: Attacked | None,
    took: Took | None,
    drift: Watched | None,
    *,
    asked: str,
    present: Present,
) -> tuple[Missing, ...]:
    """Return what was not measured, with the commands that get it.

    Args:
        metrics: The metrics as the card has them; those that the judge does not judge lack nothing.
        chosen: The evidence.
        attacks: What came of attacks.
        took: What judging took.
        drift: What the anchor says.
        asked: The judge's name for commands.
        present: What metrics ask.
    """
    judged = [each for each in metrics if each.may != "unjudged"]
    run, judge = _run(chosen), f"--judge {shlex.quote(asked)}"

    def lacking(what: str) -> list[str]:
        return [each.metric for each in judged if what in each.unknown]

    def row(what: str, names: Sequence[str], *get: str) -> Iterator[Missing]:
        if names:
            yield Missing(what=what, metrics=tuple(names), get=get)

    old = [each.metric for each in judged if _old(each, drift, present)]
    found = list(_agreement(judged, old, run, judge))
    names = lacking("how far people agree")
    label = f"acidtest judge calibrate {run} --metric {_one(names)} --labels labels.jsonl --json calibration.json"
    found += row("how far people agree: have a second person label the same cases", names, label)
    if chosen.check is None:
        known = f"acidtest judge check {judge} --json check.json"
        plain = [each.metric for each in judged if present(each.metric).prompt]
        found.append(
            Missing(what="cases whose verdict is known", metrics=tuple(plain), get=(known,))
        )
    biases, again = lacking("biases"), lacking("repeatability")
    both = biases == again
    probe = f"acidtest judge probe {run} {{}} {judge} --json bias.json"
    found += row("biases and repeatability" if both else "biases", biases, _of(probe, biases))
    if not both:
        found += row("repeatability", again, _of(probe, again))
    inject = f"acidtest judge probe --injection {judge} --json attacks.json"
    names = lacking("attacks")
    if names or attacks is None:
        found.append(Missing(what="attacks", metrics=tuple(names), get=(inject,)))
    found += _drift(lacking("drift"), judged, chosen, run, judge)
    ask = f"acidtest run {_options([m.metric for m in judged])} {judge}"
    if took is None:
        found.append(Missing(what="cost and speed", metrics=(), get=(ask,)))
    elif not took.calls:
        what = "cost and speed: every reply was known from before"
        found.append(Missing(what=what, metrics=(), get=(f"{ask} --no-cache",)))
    elif took.cost_usd is None:
        what = "the price: give [judge.price] in acidtest.toml, and run again"
        found.append(Missing(what=what, metrics=(), get=(ask,)))
    return tuple(found)


def _old(metric: MetricCard, drift: Watched | None, present: Present) -> bool:
    """Tell whether the run that was labelled is of another judge or prompt than there is now."""
    now = present(metric.metric).version
    other = bool(now and metric.version and now != metric.version)
    return other or (drift is not None and drift.result in ("gone", "drift"))


def _agreement(
    judged: Sequence[MetricCard], old: Sequence[str], run: str, judge: str
) -> Iterator[Missing]:
    few = [m.metric for m in judged if m.may == "unmeasured"]
    if judged and not few:
        return
    unscored = [
        m.metric for m in judged if m.metric in few and (m.coverage is None or m.metric in old)
    ]
    ask = (f"acidtest run {_options(unscored)} {judge}",) if unscored or not judged else ()
    of = "latest" if ask else run
    some = any(m.agreed is not None for m in judged if m.metric in few)
    labels = " --labels labels.jsonl" if some and not ask else ""
    out = "more.jsonl" if labels else "labels.jsonl"
    yield Missing(
        what="agreement with people: label what the command chooses, and hold it against them",
        metrics=tuple(few),
        get=(
            *ask,
            f"acidtest judge calibrate {of} --metric {_one(few)}{labels} --next {MORE} --out {out}",
            f"acidtest judge calibrate {of} --metric {_one(few)} --labels {out} --json calibration.json",
        ),
    )


def _drift(
    names: Sequence[str], judged: Sequence[MetricCard], chosen: Chosen, run: str, judge: str
) -> Iterator[Missing]:
    if judged and not names:
        return
    watched = chosen.watch[1].metrics if chosen.watch is not None else {}
    new = [name for name in names if name not in watched]
    file = " --anchor anchor-2.jsonl" if new and watched else ""
    init = f"acidtest judge anchor init {run} {_options(new)} {judge}{file}"
    make = (init,) if new or not judged else ()
    yield Missing(
        what="drift", metrics=tuple(names), get=(*make, f"acidtest judge anchor run{file}")
    )


def _run(chosen: Chosen) -> str:
    """Return a run of the judge as commands take it: one that is there, else the word RUN."""
    if chosen.run is not None:
        return shlex.quote(chosen.run[0].name)
    return next((shlex.quote(body.run.id) for _, body in chosen.calibrations.values()), "RUN")


def _one(names: Sequence[str]) -> str:
    return shlex.quote(names[0]) if len(names) == 1 else "METRIC"


def _options(names: Sequence[str]) -> str:
    return " ".join(f"-m {shlex.quote(name)}" for name in names) or "-m METRIC"


def _of(command: str, names: Sequence[str]) -> str:
    before, _, after = command.partition("{}")
    return f"{before}{_options(names)}{after}"
