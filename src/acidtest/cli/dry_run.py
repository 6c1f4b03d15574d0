"""`acidtest run --dry-run`: what a run would take, before anything is spent."""

from typing import TYPE_CHECKING

import click

from acidtest.cli.output import write
from acidtest.cli.streams import results

if TYPE_CHECKING:
    from acidtest.run.plan import Plan


def tell_estimates(plans: "list[Plan]", *, json: bool) -> int:
    """Say what plans would take; nothing is asked."""
    import msgspec

    from acidtest.run.estimate import estimate

    estimates = {plan.name: estimate(plan) for plan in plans}
    models = {plan.name: plan.judge.model if plan.judge else None for plan in plans}
    if json:
        write("-", msgspec.json.encode(estimates), what="estimate")
        return 0
    for name, e in estimates.items():
        click.echo(f"{name}: {e.cases} cases, {e.pipeline_calls} pipeline calls", file=results())
        click.echo(f"  metrics: {', '.join(e.metrics)}", file=results())
        if e.judged:
            click.echo(
                f"  judged: {', '.join(e.judged)}: at most {e.judgements} judgements by "
                f"{models[name]}",
                file=results(),
            )
    click.echo("Nothing was run.", file=results())
    return 0
