"""The option `--corpus` of golden commands, and the corpus that it or the configuration names."""

from typing import TYPE_CHECKING

import click

from acidtest.cli.options import filled
from acidtest.cli.output import note

if TYPE_CHECKING:
    from acidtest.data.corpus import Corpus

corpus_option = click.option(
    "--corpus",
    type=filled,
    metavar="C",
    help="The corpus: a chunk file, a folder or module:function; else the configured one.",
)


def corpus_or_none(option: str | None) -> "Corpus | None":
    """Read the corpus that the option or the configuration names, and tell what was left out of it.

    Raises:
        AcidtestError: It cannot be read.
    """
    from acidtest.project.config import load_config
    from acidtest.project.corpora import corpus_for

    corpus = corpus_for(option, load_config())
    if corpus is not None:
        for told in corpus.notes:
            note(f"{corpus.path}: {told}")
    return corpus


def corpus_needed(option: str | None) -> "Corpus":
    """Read the corpus as `corpus_or_none` does, where a command cannot do without.

    Raises:
        UsageError: Neither names one.
        AcidtestError: It cannot be read.
    """
    from acidtest.errors import UsageError

    corpus = corpus_or_none(option)
    if corpus is None:
        raise UsageError(
            "no corpus was named",
            fix="Give one with --corpus: a chunk file, a folder or module:function; or write "
            '`corpus = "..."` into acidtest.toml.',
        )
    return corpus
