"""One HTML file: everything inside, nothing fetched, readable without JavaScript.

The page forbids itself every request by its content security policy; its style and its small script
are allowed by their hashes, so that nothing from a case can run even if it got through the escaping.
Every value is cleaned (`acidtest.report.clean`) and then escaped by Jinja2; templates hold no
unescaped value.
"""

import base64
import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from acidtest.data.compared import Comparison
from acidtest.data.readings import Scorecard
from acidtest.data.runs import Run
from acidtest.report import chart, figures, view, words
from acidtest.report.case_view import CaseView, view_case
from acidtest.report.clean import clean
from acidtest.report.compare_rows import names_of, stages
from acidtest.report.corrected import Row, corrected_rows
from acidtest.report.html_sections import (
    Matrix,
    StageBox,
    VerdictBar,
    matrix,
    stage_boxes,
    verdict_bars,
)

MOST_CASES = 300
"""So many cases a page shows in full, the worst first; of several runs each gets its part."""

MOST_TAGS = 60

_TEMPLATES = Path(__file__).with_name("templates")


class RunView(Struct, frozen=True, kw_only=True):
    """A run with what its part of the page needs."""

    key: str
    run: Run
    card: Scorecard
    headline: str
    stages: tuple[StageBox, ...]
    verdicts: tuple[VerdictBar, ...]
    matrix: Matrix | None
    tags: tuple[tuple[str, int, tuple[str, ...]], ...]
    tag_metrics: tuple[str, ...]
    corrected: tuple[Row, ...]
    cases: tuple[CaseView, ...]
    left_out: int


def html_report(
    runs: Sequence[Run], scorecards: Sequence[Scorecard], compared: Sequence[Comparison] = ()
) -> str:
    """Return a page with one run or several.

    Args:
        runs: The runs, with diagnoses; the first is what the others are compared with.
        scorecards: One a run, in the same order.
        compared: What changed from the first run to each other one.
    """
    room = max(1, MOST_CASES // max(1, len(runs)))
    views = [
        run_view(run, card, f"r{n}", room)
        for n, (run, card) in enumerate(zip(runs, scorecards, strict=True), 1)
    ]
    changes = [
        {"names": names_of(one.base, one.candidate), "comparison": one, "stages": stages(one)}
        for one in compared
    ]
    return page(
        "report.html.j2",
        styles=("style.css", "paired.css"),
        script="filter.js",
        title=" and ".join(run.name for run in runs[:3]) or "no run",
        views=views,
        compared=changes,
    )


def page(
    template: str,
    *,
    styles: Sequence[str] = ("style.css",),
    script: str = "",
    **shown: Any,
) -> str:
    """Return a page of a template: its style and script inside, and allowed by their hashes alone."""
    style, code = "\n".join(map(_asset, styles)), _asset(script) if script else ""
    return (
        _environment()
        .get_template(template)
        .render(
            **shown,
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(code),  # noqa: S704 - our own file
            style_hash=_source_hash(style),
            script_hash=_source_hash(code),
        )
    )


def part(template: str, **shown: Any) -> Markup:
    """Return a part of a page that was made apart, with everything in it escaped."""
    return Markup(_environment().get_template(template).render(**shown))  # noqa: S704 - escaped


def run_view(run: Run, card: Scorecard, key: str, room: int) -> RunView:
    """Return a run as `run.html.j2` shows it, under a key that its anchors begin with.

    Args:
        run: The run, with diagnoses.
        card: Its scorecard.
        key: Unlike that of any other run on the page.
        room: So many cases are shown in full, the worst first.
    """
    cases = view.worst_first(run)
    names = tuple(view.tag_metrics(run, card)[:8])
    counts = view.tag_counts(run)
    return RunView(
        key=key,
        run=run,
        card=card,
        headline=view.headline(run, card),
        stages=stage_boxes(run, card),
        verdicts=verdict_bars(card),
        matrix=matrix(card),
        tags=tuple(
            (tag, counts[tag], tuple(figures.score(means.get(name), 2) for name in names))
            for tag, means in list(run.tags.items())[:MOST_TAGS]
        ),
        tag_metrics=names,
        corrected=corrected_rows(run),
        cases=tuple(view_case(run, case, f"{key}-c{n}") for n, case in enumerate(cases[:room], 1)),
        left_out=max(0, len(cases) - room),
    )


@functools.cache
def _environment() -> Environment:
    return environment()


def environment(*folders: Path) -> Environment:
    """Return what renders templates of these folders, and the report's own: escaped and cleaned."""
    made = Environment(
        loader=FileSystemLoader([*folders, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    made.globals.update(view=view, words=words, figures=figures, chart=chart)
    return made


def _finalize(value: Any) -> Any:
    """Clean every string on its way into the page; `Markup` is ours or already was here."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@functools.cache
def _asset(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8").strip()


def _source_hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
