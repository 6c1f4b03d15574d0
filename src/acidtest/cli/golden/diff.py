"""`acidtest golden diff`: what changed between two versions of a golden set."""

import click

from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import stdout, told_errors, write_each
from acidtest.cli.targets import check_targets


@click.command(name="diff")
@click.argument("before", metavar="A", type=filled)
@click.argument("after", metavar="B", type=filled)
@click.option("--markdown", type=target, metavar="F", help="Write it for a pull request.")
@click.option("--exit-code", is_flag=True, help="Status 1 when they differ.")
@json_option
def command(
    before: str, after: str, markdown: str | None, *, exit_code: bool, json_to: str | None
) -> int:
    """Say what changed from the golden set A to B: cases, labels one by one, and texts word by word.

    A case that is gone and a new one that asks the same are one case with another id. The order of
    cases, tags and keys is no difference.
    """
    from acidtest.project.golden_edit import diff_golden, diff_json
    from acidtest.report.golden_diff import markdown_of, print_diff

    check_targets(
        {"--json": json_to, "--markdown": markdown},
        [("the golden set", before), ("the golden set", after)],
    )
    found = diff_golden(before, after)
    errors = write_each(
        [
            (json_to, "JSON", lambda: diff_json(found)),
            (markdown, "Markdown", lambda: markdown_of(found).encode(errors="replace")),
        ]
    )
    if "-" not in (json_to, markdown):
        print_diff(found, stdout())
    return told_errors(errors) or int(exit_code and not found.same)
