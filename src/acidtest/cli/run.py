"""`acidtest run`: evaluate pipelines, or recorded outputs, on the golden set."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.corrected import check_labels, corrected, label_options
from acidtest.cli.dry_run import tell_estimates
from acidtest.cli.options import amount, filled, json_option, target
from acidtest.cli.output import note, stdout, told_errors, write_each
from acidtest.cli.progress import progress
from acidtest.cli.signals import interruptible
from acidtest.cli.streams import set_apart
from acidtest.cli.targets import check_targets, store_files
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from acidtest.data.runs import Run
    from acidtest.project.config import Config
    from acidtest.project.embedding import Embedding
    from acidtest.project.judging import Judging
    from acidtest.project.thresholds import Check
    from acidtest.run.plan import Plan

TARGETS = {
    "--json": "json_to",
    "--html": "html_to",
    "--junit": "junit_to",
    "--markdown": "markdown_to",
}
"""The options that write, and what their values are called here."""

MODES = ("live", "golden-context", "retrieval-only")


@click.command(name="run")
@click.argument("pipelines", nargs=-1, metavar="[PIPELINE]...")
@click.option(
    "--golden", type=filled, metavar="F", help="The golden set; by default the configured one."
)
@click.option(
    "--outputs",
    type=filled,
    metavar="F",
    help="Score recorded outputs instead of asking a pipeline.",
)
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="METRIC", help="Score this metric."
)
@click.option(
    "--tier",
    type=filled,
    metavar="TIER",
    help="Score a tier: fast, nightly, or one of [metrics].",
)
@click.option("--mode", type=click.Choice(MODES), default="live", show_default=True)
@click.option(
    "--judge",
    type=filled,
    metavar="MODEL",
    help="Who judges: a model, 'A + B' as a panel, 'A > B' as a cascade; by default as configured.",
)
@click.option("--repeat", type=int, default=1, metavar="N", help="Ask each judged metric N times.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N cases.")
@click.option("--tag", "tags", multiple=True, metavar="T", help="Only cases with this tag.")
@click.option("--dry-run", is_flag=True, help="Say what it would take, and spend nothing.")
@click.option(
    "--fresh", is_flag=True, help="Start a new run even if an unfinished one could go on."
)
@click.option("--no-cache", is_flag=True, help="Ask the judge again what it was asked before.")
@click.option(
    "--budget-usd",
    type=amount,
    metavar="X",
    help="Stop when the run has cost this much; 0 spends nothing.",
)
@click.option("--concurrency", type=int, default=8, metavar="N", help="Judge calls in flight.")
@click.option("--store", type=filled, metavar="URL", help="Where runs are kept.")
@click.option(
    "--name",
    type=filled,
    metavar="NAME",
    help="What the run is called; by default its pipeline.",
)
@click.option("--min", "floors", multiple=True, metavar="METRIC=X", help="Status 1 below this.")
@click.option(
    "--floor-on",
    type=click.Choice(["unsupported", "mean"]),
    help="What floors compare where the judge leaves claims undecided.",
)
@label_options
@json_option
@click.option(
    "--html", "html_to", type=target, metavar="F", help="Write the self-contained HTML report."
)
@click.option("--junit", "junit_to", type=target, metavar="F", help="Write JUnit XML.")
@click.option("--markdown", "markdown_to", type=target, metavar="F|-", help="Write Markdown.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
def command(**given: Any) -> int:
    """Evaluate pipelines, or recorded outputs, on the golden set.

    PIPELINE is a name from the configuration, `module:object`, `path.py:object` or an http(s) URL;
    without one, every configured pipeline runs. An interrupted run goes on with the same command.
    """
    from acidtest.project.config import load_config
    from acidtest.project.correcting import labels_of
    from acidtest.project.thresholds import applicable, check_run, parse_floors

    set_apart()
    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    asked = parse_floors(given["floors"])
    labels = labels_of(given["labels"], given["correct"])
    _check_targets(config, given)
    plans, judging, embedding = _plans(config, given)
    config, asked = _known(plans, asked, config)
    check_labels(plans, labels)
    if given["dry_run"]:
        return tell_estimates(
            plans,
            config,
            store=given["store"],
            fresh=given["fresh"],
            use_cache=not given["no_cache"],
            json_to=given["json_to"],
        )
    made = interruptible(_carry_out(plans, judging, embedding, config, given))
    runs = [corrected(run, labels) for run in made]
    floor_on = given["floor_on"] or config.gate.floor_on
    checks = [
        check_run(run, {**applicable(run, config.gate.min), **asked}, floor_on=floor_on)
        for run in runs
    ]
    if unwritten := _tell(runs, checks, config, given):
        return unwritten
    statuses = {check.exit_status for check in checks}
    return 1 if 1 in statuses else max(statuses)


def _plans(
    config: "Config", given: dict[str, Any]
) -> "tuple[list[Plan], Judging | None, Embedding | None]":
    from acidtest.golden.select import select
    from acidtest.project.embedding import embedding_of
    from acidtest.project.means import means_of
    from acidtest.project.planning import bounds, judging_of, make_plan
    from acidtest.project.sources import golden_of, pipelines_of
    from acidtest.project.tiers import tier
    from acidtest.run.plan import check

    golden = golden_of(config, given["golden"])
    pipelines, told = pipelines_of(config, given["pipelines"], given["outputs"], golden)
    for line in told:
        note(line)
    golden = select(golden, tags=given["tags"], limit=given["limit"])
    metrics = tier(given["tier"], config) if given["tier"] else []
    if given["metrics"] or not metrics:
        named = bounds(list(given["metrics"]) or None, config)
        metrics += [bound for bound in named if bound.name not in {m.name for m in metrics}]
    means = means_of(config.judge, concurrency=given["concurrency"], budget_usd=given["budget_usd"])
    judging = judging_of(metrics, config, given["judge"], means=means)
    embedding = embedding_of(metrics, config, None, means=means)
    plans = []
    for pipeline in pipelines:
        plan = make_plan(
            pipeline,
            golden,
            metrics,
            config,
            judge=judging.judge if judging else None,
            embedder=embedding.embedder if embedding else None,
            mode=given["mode"],
            name=given["name"],
            repeat=given["repeat"],
            concurrency=given["concurrency"],
            budget=means.budget,
        )
        check(plan)
        plans.append(plan)
    return plans, judging, embedding


async def _carry_out(
    plans: "list[Plan]",
    judging: "Judging | None",
    embedding: "Embedding | None",
    config: "Config",
    given: dict[str, Any],
) -> "list[Run]":
    from acidtest.project.evaluate import carry_out, warnings_of
    from acidtest.project.stores import open_store

    runs = []
    async with AsyncExitStack() as stack:
        for held in (judging, embedding):
            if held is not None:
                stack.push_async_callback(held.aclose)
        # A closed port or a refused key is told before a pipeline is asked for anything.
        for warning in await warnings_of(judging, embedding):
            note(warning)
        store = stack.enter_context(open_store(config, given["store"]))
        for plan in plans:
            with progress(plan.name) as watch:
                run = await carry_out(
                    plan,
                    store,
                    config,
                    judging,
                    fresh=given["fresh"],
                    use_cache=not given["no_cache"],
                    watch=watch,
                    told=note,
                )
            runs.append(run)
    return runs


def _tell(runs: "list[Run]", checks: "list[Check]", config: "Config", given: dict[str, Any]) -> int:
    """Tell the floors, then write and show the results; return 2 if something was not written."""
    from acidtest.project.reports import html, junit, markdown, run_json, show

    for run, check in zip(runs, checks, strict=True):
        for line in check.lines(run.name):
            note(line)
    errors = write_each(
        [
            (given["json_to"], "JSON", lambda: run_json(runs)),
            (given["html_to"], "HTML report", lambda: html(runs, config)),
            (given["junit_to"], "JUnit XML", lambda: junit(runs, checks, config)),
            (given["markdown_to"], "Markdown", lambda: markdown(runs, config)),
        ],
        fix="The run itself is kept; see: acidtest runs list",
    )
    if "-" not in (given[key] for key in TARGETS.values()):
        show(runs, config, stdout())
    return told_errors(errors)


def _check_targets(config: "Config", given: dict[str, Any]) -> None:
    from acidtest.project.sources import files_read
    from acidtest.project.stores import store_url

    check_targets(
        {option: given[key] for option, key in TARGETS.items()},
        [
            *files_read(
                config, given["golden"], given["outputs"], given["pipelines"], given["judge"]
            ),
            *([("the labels", Path(given["labels"]))] if given["labels"] else []),
            *store_files(store_url(config, given["store"])),
        ],
    )


def _known(
    plans: "list[Plan]", asked: dict[str, float], config: "Config"
) -> "tuple[Config, dict[str, float]]":
    """Return floors and targets by the names that the run has its metrics under."""
    from msgspec.structs import replace

    from acidtest.comparison.quantity import check_form
    from acidtest.project.limit_names import named
    from acidtest.project.tiers import canonical

    scored = {bound.name for bound in plans[0].metrics}
    targets = canonical(config.targets, config, where=f"{config.path}: [targets]")
    # A typo must not switch a floor off.
    floors = named(config.gate.min, scored, config, where=f"{config.path}: [gate] min")
    for name in floors:
        if not _measured(name, scored):
            note(f"Not checked: the floor on {name}, which this run does not score")
    asked = named(asked, scored, config, where="--min")
    tags = {tag for plan in plans for case in plan.cases for tag in case.tags}
    for name in asked:
        if not _measured(name, scored):
            raise UsageError(
                f"{name} is not scored in this run", where="--min", fix=f"Score it too: -m {name}"
            )
        check_form(name, scored, tags, where="--min")
    gate = replace(config.gate, min=floors)
    return replace(config, targets=targets, gate=gate), asked


def _measured(name: str, scored: set[str]) -> bool:
    from acidtest.comparison.quantity import OPERATIONS
    from acidtest.project.limit_names import head_of

    return head_of(name, scored) in {*scored, *OPERATIONS}
