"""Linting a golden set: from what a caller names, to what is written."""

from collections.abc import Iterable
from typing import Any

import msgspec

from acidtest.data.corpus import Corpus
from acidtest.data.golden import GoldenSet
from acidtest.errors import AcidtestError
from acidtest.golden.lint.finding import SEVERITIES, Finding, exit_status
from acidtest.golden.lint.lint import RULES, lint_all
from acidtest.golden.lint.mend.mend import Mended
from acidtest.golden.lint.rule import Rule, Subject
from acidtest.golden.load import load_golden
from acidtest.project.config import Config
from acidtest.project.corpora import load_corpus
from acidtest.project.tiers import resolve
from acidtest.text.surrogates import without_halves_in


def lint(golden: Any, corpus: Any = None, tuning: Any = None) -> tuple[Finding, ...]:
    """Say what is wrong with a golden set, and how to mend each thing.

    Args:
        golden: A golden set, or what `load_golden` reads.
        corpus: Today's corpus, or what `load_corpus` reads; labels and evidence are held against it.
        tuning: A golden set that the system was tuned on, or what `load_golden` reads.

    Returns:
        The findings, rule by rule: `.rule`, `.severity` (error, warning, note), `.case`, `.cases`,
        `.message`, `.fix`.

    Raises:
        AcidtestError: An input cannot be read.
    """
    return lint_all(
        Subject(
            load_golden(golden),
            corpus=None if corpus is None else load_corpus(corpus),
            tuning=() if tuning is None else load_golden(tuning),
        ),
        RULES.values(),
    )


def judged_here(config: Config) -> bool:
    """Say whether the configuration has a judge score anything: in a tier of its own, a target or a floor.

    The built-in tiers do not count: everybody has them.
    """
    named = [name for tier in config.metrics.values() for name in tier]
    return any(_is_judged(name, config) for name in (*named, *config.targets, *config.gate.min))


def _is_judged(name: str, config: Config) -> bool:
    try:
        return any(bound.spec.cost == "judge" for bound in resolve([name], config))
    except AcidtestError:  # a name that does not exist is told by the command that runs it
        return False


def lint_json(
    findings: tuple[Finding, ...],
    subject: Subject,
    rules: Iterable[Rule],
    *,
    mended: Mended | None = None,
) -> bytes:
    """Return the findings as JSON (`"format": "acidtest/lint"`)."""
    corpus, golden = subject.corpus, subject.golden
    report: dict[str, Any] = {
        "format": "acidtest/lint",
        "version": 1,
        "golden": _told(golden),
        "corpus": None if corpus is None else _corpus(corpus),
        "tuning": len(subject.tuning),
        "judged": subject.judged,
        "rules": [rule.name for rule in rules],
        "counts": {
            severity: sum(each.severity == severity for each in findings) for severity in SEVERITIES
        },
        "status": exit_status(findings),
        "fixed": None if mended is None else _fixed(mended),
        "findings": [
            {"rule": each.rule, "case": each.case} | msgspec.to_builtins(each) for each in findings
        ],
    }
    return msgspec.json.format(msgspec.json.encode(without_halves_in(report)), indent=1)


def _told(golden: GoldenSet) -> dict[str, Any]:
    return {"path": golden.path, "version": golden.version, "cases": len(golden)}


def _corpus(corpus: Corpus) -> dict[str, Any]:
    return {"path": corpus.path, "chunks": len(corpus), "documents": len(corpus.by_doc)}


def _fixed(mended: Mended) -> dict[str, Any]:
    return {"changed": mended.changed, "dropped": mended.dropped}
