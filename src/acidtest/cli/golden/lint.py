"""`acidtest golden lint`: what is wrong with a golden set, and how to mend it."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.corpora import corpus_option, corpus_or_none
from acidtest.cli.options import filled, json_option, target
from acidtest.cli.output import note, stdout, told_errors, write, write_each
from acidtest.cli.targets import check_targets
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from acidtest.golden.lint.finding import Finding
    from acidtest.golden.lint.mend.mend import Mended
    from acidtest.golden.lint.rule import Subject
    from acidtest.report.paper import Paper

_SHOWN = 3  # findings of a rule that are told one by one
_NAMES = 4  # case ids that a finding names
_DONE = 20  # mended cases that are told one by one
_STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}


@click.command(name="lint")
@click.argument("golden", metavar="G", type=filled)
@corpus_option
@click.option("--tuning", type=filled, metavar="T", help="Cases that the system was tuned on.")
@click.option("--judged", is_flag=True, help="A judge scores this set: 50 cases are the least.")
@click.option("--rule", "only", multiple=True, type=filled, metavar="R", help="Only this rule.")
@click.option("--ignore", multiple=True, type=filled, metavar="R", help="Leave this rule out.")
@click.option("--fix", is_flag=True, help="Mend what needs no judgement, in G itself.")
@click.option("--out", type=target, metavar="G2", help="With --fix: write it here, and leave G.")
@json_option
def command(**given: Any) -> int:
    """Say what is wrong with the golden set G, and how to mend each thing.

    With a corpus, labels and evidence are held against it. Errors make figures wrong, warnings make
    them say less than they seem to, notes are good to know. Status 1: there are errors or warnings.
    """
    from acidtest.golden.lint.finding import exit_status
    from acidtest.golden.lint.lint import chosen_rules, lint_all
    from acidtest.project.golden_lint import lint_json

    rules = chosen_rules(given["only"], given["ignore"])
    _check(given)
    before = _before(given)
    subject = _subject(given)
    mended = None
    if given["fix"]:
        subject, mended = _mend(subject, [rule.name for rule in rules], before, given)
    findings = lint_all(subject, rules)
    artifact = (
        given["json_to"],
        "JSON",
        lambda: lint_json(findings, subject, rules, mended=mended),
    )
    errors = write_each([artifact])
    if "-" not in (given["json_to"], given["out"]):
        from acidtest.report.paper import Paper

        _show(findings, subject, Paper(stdout()), whole=len(given["only"]) == 1)
    return told_errors(errors) or exit_status(findings)


def _check(given: dict[str, Any]) -> None:
    golden, tuning = given["golden"], given["tuning"]
    if given["out"] and not given["fix"]:
        raise UsageError("nothing is written without --fix", where="--out", fix="Add --fix.")
    if tuning and os.path.realpath(tuning) == os.path.realpath(golden):
        raise UsageError(
            "the tuning set is the golden set itself",
            where="--tuning",
            fix="Name the cases that the system was tuned on; a split of the set is known by its name.",
        )
    inputs = (
        ("the golden set", golden),
        ("the corpus", given["corpus"]),
        ("the tuning set", tuning),
    )
    check_targets(
        {"--out": given["out"], "--json": given["json_to"]},
        [(what, path) for what, path in inputs if path],
    )


def _subject(given: dict[str, Any]) -> "Subject":
    from acidtest.golden.lint.rule import Subject
    from acidtest.golden.load import load_golden
    from acidtest.project.config import load_config
    from acidtest.project.golden_lint import judged_here

    return Subject(
        load_golden(given["golden"]),
        corpus=corpus_or_none(given["corpus"]),
        tuning=load_golden(given["tuning"]) if given["tuning"] else (),
        judged=given["judged"] or judged_here(load_config()),
    )


def _before(given: dict[str, Any]) -> bytes | None:
    """Return what the set's file holds where it is to be written over."""
    from acidtest.golden.grow.lines import check_form

    if not given["fix"] or given["out"]:
        return None
    check_form(given["golden"])
    path = Path(given["golden"])
    return path.read_bytes() if path.is_file() else None  # reading the set tells what is wrong


def _mend(
    subject: "Subject", names: list[str], before: bytes | None, given: dict[str, Any]
) -> "tuple[Subject, Mended]":
    from acidtest.golden.edit.canonical import canonical_lines, refuse_recorded
    from acidtest.golden.grow.lines import refuse_changed
    from acidtest.golden.lint.mend.mend import mend
    from acidtest.golden.lint.rule import Subject

    refuse_recorded(subject.golden)
    mended = mend(subject.golden, subject.corpus, names)
    if mended.changed or mended.dropped or given["out"]:
        content = canonical_lines(mended.golden)
        if before is not None:
            refuse_changed(given["golden"], before)
        write(given["out"] or given["golden"], content, what="golden set")
    _tell(mended)
    now = Subject(
        mended.golden, corpus=subject.corpus, tuning=subject.tuning, judged=subject.judged
    )
    return now, mended


def _tell(mended: "Mended") -> None:
    done = [f"Dropped {gone}: it is equal to {kept}" for gone, kept in mended.dropped.items()]
    done += [f"Mended {case}: {'; '.join(what)}" for case, what in mended.changed.items()]
    for line in done[:_DONE]:
        note(line)
    if len(done) > _DONE:
        note(f"... and {len(done) - _DONE:,} cases more; --json tells all")
    if not done:
        note("There was nothing to mend without judgement")


def _show(
    findings: Sequence["Finding"], subject: "Subject", paper: "Paper", *, whole: bool
) -> None:
    from acidtest.golden.lint.finding import SEVERITIES
    from acidtest.report.figures import count

    counts = [
        count(sum(each.severity == severity for each in findings), severity)
        for severity in SEVERITIES
    ]
    head = f"{count(len(subject.golden), 'case')}, version {subject.golden.version[:19]}"
    paper.line(paper.text(head, "bold"))
    paper.line(", ".join(counts) if findings else "Nothing was found.")
    if subject.corpus is None:
        paper.line(
            paper.text("No corpus was named: labels and evidence were not held against it.", "dim")
        )
    by_rule: dict[str, list[Finding]] = {}
    for each in findings:
        by_rule.setdefault(each.rule, []).append(each)
    for its in by_rule.values():
        _rule(its, paper, whole=whole)


def _rule(its: Sequence["Finding"], paper: "Paper", *, whole: bool) -> None:
    from acidtest.report.figures import count

    first = its[0]
    cases = len({case for each in its for case in each.cases})
    paper.console.print()
    head = paper.text(first.severity, _STYLES[first.severity]).append(" ")
    head.append_text(paper.text(first.rule, "bold"))
    paper.line(head.append(f" ({count(cases, 'case')})") if cases else head)
    shown = its if whole else its[:_SHOWN]
    for each in shown:
        named = ", ".join(each.cases[:_NAMES])
        more = f" and {len(each.cases) - _NAMES:,} more" if len(each.cases) > _NAMES else ""
        told = f"{named}{more}: {each.message}" if named else each.message
        paper.lead("-", paper.clipped(told, 3 * paper.width - 24))
    if len(its) > len(shown):
        rest = count(len(its) - len(shown), "finding")
        paper.line(f"and {rest} more; all: --rule {first.rule}", indent=4)
    for fix in dict.fromkeys(each.fix for each in shown):
        paper.lead("=>", fix)
