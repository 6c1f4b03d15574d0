"""`acidtest demo`: a real RAG system over acidtest's own handbook, baseline against reranked."""

import asyncio
from pathlib import Path

import click

from acidtest.cli.options import filled, target
from acidtest.cli.output import note, stdout, told_errors, write_each
from acidtest.cli.progress import progress
from acidtest.cli.streams import set_apart
from acidtest.cli.targets import check_targets, store_files


@click.command(name="demo")
@click.option(
    "--html",
    "html_to",
    type=target,
    metavar="F",
    default="acidtest-demo/report.html",
    show_default=True,
    help="Where the HTML report goes.",
)
@click.option(
    "--store", type=filled, metavar="URL", default="acidtest-demo/store.db", show_default=True
)
def command(html_to: str, store: str) -> int:
    """Evaluate two retrievers over the handbook on the same golden set, with no key.

    Shows each scorecard, where each one breaks, and what reranking changed; then writes the report.
    """
    from acidtest.data.runs import Run
    from acidtest.demo.corpus import demo_folder
    from acidtest.extras import need
    from acidtest.project.config import load_config
    from acidtest.project.evaluate import carry_out
    from acidtest.project.planning import judging_of, make_plan
    from acidtest.project.reports import html, show
    from acidtest.project.sources import golden_of, pipelines_of
    from acidtest.project.thresholds import check_run
    from acidtest.project.tiers import tier
    from acidtest.store.runs import Store

    set_apart()
    check_targets({"--html": html_to}, store_files(store))
    need("bm25s", extra="demo")
    config = load_config(demo_folder() / "acidtest.toml")
    golden = golden_of(config, None)
    pipelines, _ = pipelines_of(config, (), None, golden)
    metrics = tier("demo", config)
    judging = judging_of(metrics, config, "local")
    judge = judging.judge if judging else None

    async def all_runs() -> list[Run]:
        runs = []
        with Store(store) as opened:
            for pipeline in pipelines:
                plan = make_plan(pipeline, golden, metrics, config, judge=judge)
                with progress(plan.name) as watch:
                    runs.append(await carry_out(plan, opened, config, watch=watch, told=note))
        return runs

    runs = asyncio.run(all_runs())
    if html_to != "-":
        show(runs, config, stdout())
    errors = write_each([(html_to, "HTML report", lambda: html(runs, config))])
    if errors:
        return told_errors(errors)
    if html_to != "-":
        note(f"Open it: {Path(html_to).resolve().as_uri()}")
    return max(check_run(run, {}).exit_status for run in runs)
