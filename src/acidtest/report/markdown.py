"""Markdown for a step summary or a pull-request comment: short tables, the diagnosis, worst cases.

Text from outside is put into a code span, and where it holds what could end one (or a table's cell)
into `<code>` with every punctuation mark as a character reference: there no markup, mention (`@name`),
issue number or link can come of it, and nothing is lost.
"""

import re
from collections.abc import Sequence

from acidtest.data.compared import Change
from acidtest.data.readings import Finding, Scorecard
from acidtest.data.runs import Run
from acidtest.report import view
from acidtest.report.clean import clip, one_line
from acidtest.report.figures import count, delta, interval, score
from acidtest.report.words import change_word, status_word

WORST = 5
FAILURES = 3
LONGEST = 140
MOST_BYTES = 60_000
"""A comment on a pull request may have 65,536 characters."""

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_ACTIVE = re.compile(r"[!\"$&*<>\[\\\]^`{|}~]|(?<!\w)_|_(?!\w)")
_REFERS = re.compile(r"(?<!\w)@|#(?=\w)|:(?=//)")


def markdown_report(
    runs: Sequence[Run],
    scorecards: Sequence[Scorecard],
    changes: Sequence[Sequence[Change]] = (),
    notes: Sequence[Sequence[str]] = (),
) -> str:
    """Return one run or several as Markdown.

    Args:
        runs: The runs, with diagnoses; the first is what the others are compared with.
        scorecards: One a run, in the same order.
        changes: For each run after the first, what changed from the first to it.
        notes: For each run after the first, what must be said beside its changes.
    """
    lines: list[str] = []
    for n, (run, made) in enumerate(zip(runs[1:], changes, strict=False)):
        lines += _changes(runs[0], run, made, notes[n] if n < len(notes) else ())
    for run, card in zip(runs, scorecards, strict=True):
        lines += _run(run, card)
    text = "\n".join(lines).strip() + "\n"
    if len(text.encode()) > MOST_BYTES:
        kept = text.encode()[: MOST_BYTES - 100].decode(errors="ignore")
        text = (
            kept.rpartition("\n")[0] + "\n\nShortened; the JSON and HTML reports have the rest.\n"
        )
    return text


def code(text: str, limit: int = LONGEST) -> str:
    """Return a text from outside that Markdown shows as it is and does nothing with."""
    line = clip(one_line(text), limit)
    if line and not re.search(r"[`|\\<]", line):
        return f"`{line}`"
    return f"<code>{_PUNCTUATION.sub(_reference, line)}</code>"


def _changes(
    base: Run, candidate: Run, changes: Sequence[Change], notes: Sequence[str]
) -> list[str]:
    lines = [f"## acidtest: {code(base.name)} → {code(candidate.name)}", ""]
    lines += [f"> {prose(note)}" for note in notes] + ([""] if notes else [])
    if not changes:
        return [*lines, "No metric was scored in both runs.", ""]
    lines += [
        "| Metric | Before | After | Change | 95% interval | Better / worse / same | |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for c in changes:
        figures = (score(c.base), score(c.candidate), delta(c.delta), interval(c.ci))
        cells = (code(c.metric), *figures, f"{c.wins} / {c.losses} / {c.ties}", change_word(c))
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def _run(run: Run, card: Scorecard) -> list[str]:
    info = run.info
    judge = code(info.judge.model) if info.judge else "none"
    about = (
        f"{count(info.golden.cases, 'case')} · mode {info.mode} · judge {judge} · "
        f"scored {view.coverage(run)} · run {code(info.id)}"
    )
    lines = [f"## acidtest: {code(run.name)}", "", f"**{prose(view.headline(run, card))}**", ""]
    lines += [about, "", *_metrics(run, card), *_tree(card), *_verdicts(card), *_worst(run)]
    return lines + _failures(run)


def _metrics(run: Run, card: Scorecard) -> list[str]:
    if not run.metrics:
        return []
    lines = [
        "| Metric | Mean | 95% interval | p10 | Scored | Skipped | Failed | Target |",
        "|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    for stage, rows in view.by_stage(run):
        lines.append(f"| **{stage}** | | | | | | | |")
        for name, s in rows:
            finding = view.finding_of(card, name)
            goal = f"{score(finding.target, 2)} {status_word(finding)}" if finding else ""
            figures = (score(s.mean), interval(s.ci), score(s.p10, 2))
            counts = (str(s.scored), str(s.skipped), str(s.failed))
            lines.append(f"| {' | '.join((code(name), *figures, *counts, goal))} |")
    return [*lines, ""]


def _tree(card: Scorecard) -> list[str]:
    lines = []
    for finding in card.findings:
        if finding.status == "met":
            continue
        note = f": {prose(finding.note)}" if finding.note else ""
        lines.append(f"- {prose(view.against(finding))}{note}")
        if finding.status == "below":
            lines += _advice(finding)
    lines += [f"- {prose(note)}" for note in card.notes]
    return [*lines, ""] if lines else []


def _advice(finding: Finding) -> list[str]:
    lines = [f"  - look: {prose(finding.look)}"] if finding.look else []
    mends = "; ".join(map(prose, finding.mends))
    return [*lines, f"  - mend: {mends}"] if mends else lines


def _verdicts(card: Scorecard) -> list[str]:
    if not card.verdicts:
        return []
    told = ", ".join(f"{prose(verdict)} {n}" for verdict, n in card.verdicts.items())
    return [f"Verdicts: {told}.", ""]


def _worst(run: Run) -> list[str]:
    cases = view.broken(run)[:WORST]
    if not cases:
        return []
    lines = ["<details><summary>Worst cases</summary>", ""]
    for case in cases:
        verdict = case.diagnosis.verdict if case.diagnosis else view.UNKNOWN
        why = f" {code(case.diagnosis.why, 300)}" if case.diagnosis and case.diagnosis.why else ""
        lines.append(f"- {code(case.id, 60)} **{prose(verdict)}** {code(case.question)}{why}")
    return [*lines, "", "</details>", ""]


def _failures(run: Run) -> list[str]:
    reasons = view.failures(run)[:FAILURES]
    if not reasons:
        return []
    lines = ["<details><summary>Failed scores</summary>", ""]
    lines += [f"- {n:,} × {code(why, 300)}, first {code(first)}" for why, n, first in reasons]
    return [*lines, "", "</details>", ""]


def prose(text: str) -> str:
    """Return our own words, in which a name or note from outside may stand: nothing in them acts."""
    # A character reference would not stop a mention, an issue number or a bare link: those are found
    # in the rendered text. A joiner of no width does.
    return _ACTIVE.sub(_reference, _REFERS.sub("\\g<0>\u2060", one_line(text)))


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
