"""A digest as people read it: plain text or Markdown, each group with the command that makes cases of it."""

import shlex
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.data.digest import Digest, Group, Movement
from acidtest.data.watching import Estimate
from acidtest.online.readings import DAY_MS
from acidtest.report.alert_words import RATES, called
from acidtest.report.clean import clip, one_line
from acidtest.report.figures import NBSP, count
from acidtest.report.markdown_text import code, document, prose
from acidtest.report.online_dashboard import day, moment, teller

INTO = "golden.jsonl"
"""Where cases go when no golden set is configured."""

_SAID = 140  # characters of a question
_LONGEST = 1_000  # of a command


class Line(Struct, frozen=True):
    """One line: our words, a question that was asked, and the command that promotes its traces."""

    words: str
    said: str = ""
    command: str = ""


class Part(Struct, frozen=True):
    """Lines under a title."""

    title: str
    lines: tuple[Line, ...]


def parts(found: Digest, *, into: str = INTO) -> list[Part]:
    """Return what a digest says; parts without a line are left out.

    Args:
        found: The digest.
        into: The golden set that commands put traces into.
    """
    said = [
        Part(
            f"Asked, and not in the golden set ({found.unlike} questions)",
            tuple(_group(group, "", into) for group in found.lacking),
        ),
        Part(
            "Forms of questions that the golden set has less of",
            tuple(
                Line(f"{f.form}: {f.asked:.0%} of what is asked, {f.golden:.0%} of it")
                for f in found.forms
            ),
        ),
        Part(
            f"Failures that are alike ({found.failed} failed)",
            tuple(
                _group(
                    each.group,
                    f" ({', '.join(f'{called(w)} {n}' for w, n in each.why.items())})",
                    into,
                )
                for each in found.failing
            ),
        ),
        Part(
            "Moved since the span before",
            tuple(
                Line(f"{named(m)}: {shown(m, m.before)} to {shown(m, m.after)}")
                for m in found.moved
                if m.clear
            ),
        ),
    ]
    return [part for part in said if part.lines]


def titled(found: Digest) -> str:
    """Return which days a digest is of, and how many traces; the time of day where it is not of whole days."""
    if found.since_ms % DAY_MS == found.until_ms % DAY_MS == 0:
        span = f"{day(found.since_ms)} to {day(found.until_ms - 1)}"
    else:
        span = f"{moment(found.since_ms)} to {moment(found.until_ms)} UTC"
    return f"{span}: {counted(found)}"


def counted(found: Digest) -> str:
    """Return how many traces there were, and how many of them were read."""
    some = f", of which {found.read:,} were read" if found.read < found.traces else ""
    return f"{count(found.traces, 'trace')}{some}"


def text(found: Digest, *, into: str = INTO) -> str:
    """Return a digest as plain text."""
    lines = [titled(found)]
    for part in parts(found, into=into):
        lines += ["", part.title]
        for line in part.lines:
            said = f": {clip(one_line(line.said), _SAID)!r}" if line.said else ""
            lines.append(f"- {one_line(line.words)}{said}")
            lines += [f"  {line.command}"] if line.command else []
    return "\n".join(lines)


def markdown(found: Digest, *, into: str = INTO) -> str:
    """Return a digest as Markdown in which nothing that was asked acts."""
    lines = [f"# {prose(titled(found))}"]
    for part in parts(found, into=into):
        lines += ["", f"## {prose(part.title)}", ""]
        for line in part.lines:
            lines.append(f"- {prose(line.words)}{f': {code(line.said)}' if line.said else ''}")
            lines += ["", f"  {code(line.command, _LONGEST)}", ""] if line.command else []
    return document(lines, rest="the JSON has the rest")


def document_of(found: Digest, *, into: str = INTO) -> dict[str, Any]:
    """Return a digest as JSON has it."""
    said: dict[str, Any] = msgspec.to_builtins(found)
    for group, told in zip(found.lacking, said["lacking"], strict=True):
        told["promote"] = promotion(group, into)
    for each, told in zip(found.failing, said["failing"], strict=True):
        told["promote"] = promotion(each.group, into)
    return {"format": "acidtest/digest", "version": 1, **said}


def _group(group: Group, why: str, into: str) -> Line:
    said = group.questions[0] if group.questions else ""
    return Line(f"{group.n} on {', '.join(group.words)}{why}", said, promotion(group, into))


def promotion(group: Group, into: str) -> str:
    """Return the command that makes golden cases of the traces of a group."""
    ids = shlex.join(group.traces)
    return f"acidtest golden promote {ids} --traces --into {shlex.quote(into)}"


def named(moved: Movement) -> str:
    """Return what moved in words."""
    name = called(moved.metric)
    return name if moved.statistic in ("mean", "rate") else f"{name} {moved.statistic}"


def shown(moved: Movement, estimate: Estimate) -> str:
    """Return one side of what moved, with its interval."""
    told = teller(moved.metric, "rate" if moved.metric in RATES else "score")
    if estimate.low is None or estimate.high is None:
        said = told(estimate.value)
    else:
        said = f"{told(estimate.value)} ({told(estimate.low)} to {told(estimate.high)})"
    return said.replace(NBSP, " ")
