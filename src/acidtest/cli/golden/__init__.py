"""`acidtest golden`: the life of a golden set; one file a command."""

from collections.abc import Mapping

import click

from acidtest.cli.lazy import LazyGroup

COMMANDS: Mapping[str, str] = {
    "stats": "Say what a golden set holds.",
    "cover": "Say what a golden set does not reach.",
    "lint": "Say what is wrong with a golden set, and how to mend it.",
    "stale": "Say which cases are still true to the corpus.",
    "remap": "Carry the labels over after the corpus was cut anew.",
    "convert": "Turn other tools' files into golden sets and back.",
    "label": "Grade what retrievers find, and put labels into a set.",
    "agree": "Say how far annotators agree.",
    "diff": "Say what changed between two versions.",
    "merge": "Make one of two people's edits.",
    "format": "Write a set in its one form, for small diffs.",
    "synthesize": "Write questions to a corpus, for a person to review.",
    "promote": "Put cases of a run, or live traces, into a golden set.",
    "review": "Show the cases that wait for a person.",
    "accept": "Accept or reject cases that wait for a person.",
}


@click.group(
    name="golden",
    cls=LazyGroup,
    package=__name__,
    commands=COMMANDS,
)
def command() -> None:
    """Check, mend, label and grow a golden set, and keep it true to its corpus."""
