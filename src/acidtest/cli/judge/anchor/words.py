"""What an anchor says, as JSON or in words."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from acidtest.cli.output import stdout, write
from acidtest.cli.targets import check_targets

if TYPE_CHECKING:
    from acidtest.data.outcomes import Score
    from acidtest.data.runs import JudgeRef
    from acidtest.project.anchoring.watch import Flip, MetricWatch, Status
    from acidtest.project.config import Config
    from acidtest.report.paper import Paper

_SHOWN_FLIPS = 20
_SHOWN_LOOKS = 20
_WIDE = 90  # columns that the whole table needs
_NARROW = 64  # columns under which the judge of each look is left out
_TEXT = 400  # characters of a reply that are shown


def config_and_path(given: dict[str, Any]) -> "tuple[Config, Path]":
    """Return the configuration and the anchor's file; refuse JSON that would go over one of them."""
    from acidtest.project.anchoring.files import anchor_path
    from acidtest.project.config import load_config

    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    path = anchor_path(config, given["anchor"])
    inputs: list[tuple[str, str | Path]] = [("the anchor", path)]
    if config.path is not None:
        inputs.append(("the configuration", config.path))
    check_targets({"--json": given["json_to"]}, inputs)
    return config, path


def tell(status: "Status", json_to: str | None, *, history: bool = False) -> None:
    """Write the JSON, and show the rest unless it goes to stdout."""
    if json_to:
        import msgspec

        from acidtest.codec.lossy import encoded

        write(json_to, msgspec.json.format(encoded(status), indent=1), what="JSON")
    if json_to != "-":
        from acidtest.report.paper import Paper

        _show(status, Paper(stdout()), history=history)


def _show(status: "Status", paper: "Paper", *, history: bool) -> None:
    anchor = status.anchor
    _say(
        paper,
        f"anchor of {anchor.created}, {anchor.cases} cases of run {anchor.source.id}, judge "
        f"{named(anchor.judge)}",
    )
    for line in verdict_lines(status):
        _say(paper, line)
    _metrics(status, paper)
    if history and status.history:
        _history(status, paper)
    if status.moved:
        _flips(status, paper)


def verdict_lines(status: "Status") -> list[str]:
    """Return what the anchor says, most important first."""
    lines = []
    changed = status.judge_changed
    if status.result == "drift":
        lines.append(
            f"DRIFT since the look of {status.drift_since}: this judge's verdicts are not those that were "
            f"recorded, beyond its own noise. Scores before and after do not compare. Look at the "
            "verdicts below; then begin anew: acidtest judge anchor init --replace"
        )
    if changed is not None:
        lines.append(
            f"CHANGED: asked for the same judge, {named(changed.now)} answered; before it was "
            f"{named(changed.before)}."
        )
    if status.other_judge:
        lines.append(
            "This is another judge, or other parameters, than the anchor was recorded with: what is told "
            "here is how far the two differ."
        )
    if status.reworded:
        lines.append(
            f"Not judged, since method or prompt changed: {', '.join(status.reworded)}. Make the anchor "
            "anew to watch them."
        )
    if status.coverage is not None and status.coverage < 1:
        lines.append(f"{status.coverage:.0%} of the recorded verdicts could be had again.")
    if status.result == "incomplete":
        lines.append("INCOMPLETE: at least 95 % of them are needed.")
    if status.result == "steady":
        lines.append(
            f"Steady: evidence {figure(status.e_value)}; from {status.limit:g} on it would be drift."
        )
    elif status.result == "new":
        lines += [_sight(name, watch) for name, watch in status.metrics.items()]
        lines.append("Not looked at yet: acidtest judge anchor run")
    elif status.result != "drift":
        lines.append(f"Evidence {figure(status.e_value)}; from {status.limit:g} on it is drift.")
    return lines


def _sight(name: str, watch: "MetricWatch") -> str:
    moves = watch.repeats
    return (
        f"{name}: of {moves.n} repeats {moves.up} moved up and {moves.down} down; up to "
        f"{watch.bounds.up:.1%} up and {watch.bounds.down:.1%} down pass as noise. More cases or repeats "
        "make that less."
    )


def named(judge: "JudgeRef") -> str:
    """Return a judge's name, with the models behind it and the beginning of its fingerprint."""
    from acidtest.report.clean import one_line

    models = f" ({', '.join(judge.reported)})" if judge.reported else ""
    return one_line(f"{judge.model}{models} {judge.fingerprint[:19]}")


def figure(e_value: float) -> str:
    """Return an e-value in a few characters."""
    return f"{e_value:.2f}" if e_value < 10 else f"{e_value:.3g}"


def _metrics(status: "Status", paper: "Paper") -> None:
    wide = paper.width >= _WIDE
    headings = ["cases", "up", "down", "evidence"]
    if wide:
        headings[1:1] = ["mean\nrecorded", "mean\nnow"]
        headings[-1:-1] = ["noise at most\nup, down"]
    paper.heading("How many verdicts moved")
    table = paper.grid([("metric", False), *((heading, True) for heading in headings)], gap=2)
    for name, watch in status.metrics.items():
        table.add_row(*map(paper.text, (name, *_cells(watch, wide=wide))))
    paper.table(table)


def _cells(watch: "MetricWatch", *, wide: bool) -> list[str]:
    from acidtest.report.figures import score

    moves = ("-", "-") if watch.last is None else (str(watch.last.up), str(watch.last.down))
    cells = [str(watch.cases), *moves, figure(watch.e_value)]
    if wide:
        cells[1:1] = [score(watch.recorded_mean), score(watch.mean)]
        cells[-1:-1] = [f"{watch.bounds.up:.1%}, {watch.bounds.down:.1%}"]
    return cells


def _history(status: "Status", paper: "Paper") -> None:
    from acidtest.report.figures import money

    wide, narrow = paper.width >= _WIDE, paper.width < _NARROW
    headings = ("up", "down", "missing", "evidence", *(("cost",) if wide else ()))
    columns = [("when (UTC)", False), *((heading, True) for heading in headings)]
    columns += [] if narrow else [("judge", False)]
    paper.heading("Looks")
    table = paper.grid(columns, gap=1 if narrow else 2)
    for seen in status.history[-_SHOWN_LOOKS:]:
        worth = "-" if seen.e_value is None else figure(seen.e_value)
        cost = [money(seen.cost_usd)] if wide else []
        counts = (str(seen.up), str(seen.down), str(seen.missing))
        told = (seen.created, *counts, worth, *cost)
        table.add_row(*map(paper.text, told if narrow else (*told, named(seen.judge))))
    paper.table(table)
    if len(status.history) > _SHOWN_LOOKS:
        _say(paper, f"The last {_SHOWN_LOOKS} of {len(status.history)} looks.")


def _flips(status: "Status", paper: "Paper") -> None:
    looks = sum(seen.same_judge for seen in status.history)
    paper.heading("Verdicts of the last look that are others than recorded")
    for flip in sorted(status.moved, key=lambda flip: -flip.times)[:_SHOWN_FLIPS]:
        _flip(flip, looks, paper)
    if len(status.moved) > _SHOWN_FLIPS:
        _say(paper, f"And {len(status.moved) - _SHOWN_FLIPS} more; --json has them all.")


def _flip(flip: "Flip", looks: int, paper: "Paper") -> None:
    _say(paper, f"{flip.case}, {flip.metric} (in {flip.times} of {looks} looks): {flip.question}")
    _say(paper, f"recorded {_reply(flip.recorded)}", indent=2)
    _say(paper, f"now {_reply(flip.now)}", indent=2)


def _reply(score: "Score") -> str:
    """Return a verdict: the score, the reason, and what it rests on."""
    from acidtest.codec.lossy import encoded

    rests_on = encoded(score.evidence).decode() if score.evidence else ""
    return " ".join(part for part in (f"{score.value:.2f}", score.reason, rests_on) if part)


def _say(paper: "Paper", text: str, *, indent: int = 0) -> None:
    from acidtest.report.clean import clip, one_line

    paper.line(clip(one_line(text), _TEXT), indent=indent)
