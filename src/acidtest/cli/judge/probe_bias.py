"""`acidtest judge probe`: biases and leniency of a judge, chosen, asked and shown."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from acidtest.data.human import HumanLabel
    from acidtest.project.config import Config
    from acidtest.project.judging import Judging
    from acidtest.project.probing.bias.estimate import BiasEstimate
    from acidtest.project.probing.bias.plan import BiasPlan
    from acidtest.project.probing.bias.probe import Bias
    from acidtest.project.probing.bias.self_preference import SelfPreference
    from acidtest.report.paper import Paper
    from acidtest.run.progress import Watcher
    from acidtest.stats.rates import Interval
    from acidtest.store.runs import Store

    Chosen = tuple[BiasPlan, str, Sequence[HumanLabel], Sequence[str]]

_WIDE = 104  # columns that the intervals need
_SHOWN = 6  # cases that are named


def chosen(config: "Config", given: dict[str, Any]) -> "Chosen":
    """Return what is asked, what it is of, people's labels and the kinds of probes.

    Raises:
        UsageError: A metric without a probe, or a run without answers.
    """
    from acidtest.project.human_labels import read_labels
    from acidtest.project.probing.bias.choose import items_of, metrics_of
    from acidtest.project.probing.bias.plan import KINDS, bias_plan
    from acidtest.project.stores import find_run

    run = find_run(config, given["run"], given["store"]) if given["run"] else None
    kinds = given["kinds"] or KINDS
    plan = bias_plan(
        metrics_of(config, given["metrics"], run),
        items_of(run, given["n"], given["seed"]),
        kinds,
        repeat=given["repeat"],
        seed=given["seed"],
    )
    labels = read_labels(given["labels"]) if given["labels"] else ()
    return plan, run.id if run is not None else "built-in", labels, kinds


async def probe(
    judging: "Judging",
    store: "Store | None",
    what: "Chosen",
    given: dict[str, Any],
    watch: "Watcher | None",
) -> "Bias":
    """Ask everything, as the command line wants it."""
    from acidtest.project.probing.bias.probe import probe_bias

    plan, source, labels, kinds = what
    return await probe_bias(
        judging,
        plan,
        store,
        source=source,
        kinds=kinds,
        labels=labels,
        seed=given["seed"],
        concurrency=given["concurrency"],
        use_cache=not given["no_cache"],
        watch=watch,
    )


async def estimate(
    config: "Config", judging: "Judging", what: "Chosen", given: dict[str, Any]
) -> "BiasEstimate":
    """Count what would be asked."""
    from acidtest.project.probing.bias.estimate import estimate_bias
    from acidtest.project.stores import open_existing

    store = open_existing(config, given["store"])
    try:
        return await estimate_bias(judging, what[0], store, use_cache=not given["no_cache"])
    finally:
        if store is not None:
            store.close()
        await judging.aclose()


def show_estimate(found: "BiasEstimate", console: "Console") -> None:
    """Show what a probe would take."""
    from acidtest.report.figures import count

    tokens, price = found.tokens, found.cost_usd
    told = f"{tokens.input.high + tokens.output.high:,}"
    money = "unknown price" if price is None else f"${price.low:.2f} to ${price.high:.2f}"
    for line in (
        f"judge {found.judge}: {', '.join(found.metrics)}",
        f"{count(found.items, 'item')}, {count(found.scorings, 'scoring')}",
        f"at most {count(found.calls, 'call')}, {found.cached:,} known, some {told} tokens, {money}",
        "Nobody was asked.",
    ):
        console.print(line, markup=False)


def show(found: "Bias", console: "Console") -> None:
    """Show what was found."""
    from acidtest.report.paper import Paper

    paper = Paper(console)
    paper.line(
        f"judge {found.judge.model}  {found.judge.fingerprint[:19]}  {found.items} items ({found.source})"
    )
    if found.changes:
        _changes(found, paper)
    if found.leniency:
        _leniency(found, paper)
    if found.repeatability:
        _repeatability(found, paper)
    paper.console.print()
    for line in _lines(found):
        paper.line(line)


def _changes(found: "Bias", paper: "Paper") -> None:
    wide = paper.width >= _WIDE
    interval = (("95 % interval", True),) if wide else ()
    columns = [("shift", True), *interval, ("flips", True), *interval]
    paper.heading("What must not change a verdict")
    table = paper.grid([("metric", False), ("change", False), *columns, ("found", False)], gap=2)
    last = None
    for row in found.changes:
        shift = "" if row.shift is None else f"{row.shift:+.3f}"
        flips = f"{row.flips} of {row.asked}" if row.asked else ""
        told = [row.metric if row.metric != last else "", row.change, shift]
        told += [_interval(row.shift_ci, signed=True)] if wide else []
        told += [flips, *((_interval(row.flip_ci),) if wide else ())]
        table.add_row(*map(paper.text, told), paper.text(row.finding or "", "red"))
        last = row.metric
    paper.table(table)


def _leniency(found: "Bias", paper: "Paper") -> None:
    figures = [(heading, True) for heading in ("passed", "caught", "open", "passed (95 %)")]
    paper.heading("Planted faults")
    table = paper.grid([("metric", False), ("fault", False), *figures, ("found", False)], gap=2)
    last = None
    for row in found.leniency:
        rate = "" if row.rate is None else f"{row.rate:.0%} ({_interval(row.ci)})"
        told = [row.metric if row.metric != last else "", row.fault]
        told += [str(row.passed), str(row.caught), str(row.open), rate]
        table.add_row(*map(paper.text, told), paper.text(row.finding or "", "red"))
        last = row.metric
    paper.table(table)


def _repeatability(found: "Bias", paper: "Paper") -> None:
    figures = [(heading, True) for heading in ("asks", "items", "agree", "95 % interval", "sd")]
    paper.heading("The same question again")
    table = paper.grid([("metric", False), *figures], gap=2)
    for row in found.repeatability:
        agree = "" if row.agreement is None else f"{row.agreement:.0%}"
        sd = "" if row.sd is None else f"{row.sd:.3f}"
        told = (row.metric, str(row.asks), str(row.n), agree, _interval(row.ci), sd)
        table.add_row(*map(paper.text, told))
    paper.table(table)


def _lines(found: "Bias") -> "list[str]":
    from acidtest.report.figures import count, money

    use = found.use
    lines = [f"Found: {each}." for each in found.findings]
    if not lines and found.exit_status == 0:
        lines = ["Nothing was found."]
    lines += [_preference(each) for each in found.self_preference]
    lines += [f"This judge does not judge {m}: {why}." for m, why in found.unjudged.items()]
    lines += _named(found)
    failed = sum(row.failed for row in found.changes) + sum(row.failed for row in found.leniency)
    if failed:
        lines.append(f"Changed questions that got no valid reply: {failed}.")
    if found.coverage is None:
        lines.append("Incomplete: nothing could be measured.")
    elif found.exit_status == 3:
        lines.append(f"Incomplete: {found.coverage:.0%} of the questions got a verdict.")
    took = (count(use.calls, "call"), f"{use.cached:,} known", count(use.tokens, "token"))
    return [*lines, f"{', '.join(took)}, {money(use.cost_usd)}."]


def _named(found: "Bias") -> "list[str]":
    """Name the cases behind each finding."""
    wanted = {(row.metric, row.change) for row in found.changes if row.finding}
    wanted |= {(row.metric, row.fault) for row in found.leniency if row.passed}
    lines = []
    for metric, change in sorted(wanted):
        cases = [m.case for m in found.moved if (m.metric, m.change) == (metric, change)]
        if cases:
            more = f" and {len(cases) - _SHOWN} more" if len(cases) > _SHOWN else ""
            lines.append(f"{metric}, {change}: {', '.join(cases[:_SHOWN])}{more}.")
    return lines


def _preference(row: "SelfPreference") -> str:
    if row.difference is None:
        return f"Self-preference was left out: {row.why}."
    told = f"Self-preference, {row.metric}: {row.difference:+.3f} for {row.family}"
    interval = f" (95 % interval {_interval(row.ci, signed=True)})" if row.ci else ""
    return f"{told}{interval}; {row.own} answers against {row.others}."


def _interval(ci: "Interval | None", *, signed: bool = False) -> str:
    if ci is None:
        return ""
    if signed:
        return f"{ci[0]:+.3f} to {ci[1]:+.3f}"
    return f"{100 * ci[0]:.0f}-{100 * ci[1]:.0f} %"
