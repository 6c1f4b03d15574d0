"""What the comparison page draws of its tables: metrics by stage, the split by stage, tags, the gate."""

from msgspec import Struct

from acidtest.data.compared import Change, Comparison
from acidtest.data.gate import Gate
from acidtest.data.runs import RunInfo
from acidtest.report.clean import clip, one_line
from acidtest.report.compare_chart import (
    SCORE_ENDS,
    SHARE_ENDS,
    Mark,
    drawn,
    end_of,
    extent,
    mark,
    place,
)
from acidtest.report.compare_figures import Unit, between, figure, p_value, signed, unit_of
from acidtest.report.figures import delta, interval, score
from acidtest.report.view import STAGES
from acidtest.report.words import CLEAR, Tone, change_tone, change_word

MOST_TAG_ROWS = 40

PERHAPS = "perhaps"


class Row(Struct, frozen=True, kw_only=True):
    """One metric (or one metric of one tag), every figure as text."""

    metric: str
    tag: str = ""
    lower: bool = False
    base: str
    candidate: str
    delta: str
    ci: str
    share: str = ""
    drawn: Mark | None = None
    seen: tuple[float, float] | None = None
    p: str = ""
    wins: int
    losses: int
    ties: int
    p10: str = ""
    p10_ci: str = ""
    least: str = ""
    needed: str = ""
    noise: str = ""
    tone: Tone
    word: str
    flag: str = ""
    open: str = ""


class Stage(Struct, frozen=True, kw_only=True):
    """The rows of one stage with their common axis: its ends as text."""

    title: str
    end: str
    rows: tuple[Row, ...]


class Part(Struct, frozen=True, kw_only=True):
    """One stage's part of a change."""

    title: str
    figure: str
    ci: str
    drawn: Mark


class Split(Struct, frozen=True, kw_only=True):
    """A metric's change in its parts, and how they were found."""

    metric: str
    delta: str
    parts: tuple[Part, ...]
    how: str


def names_of(base: RunInfo, candidate: RunInfo) -> tuple[str, str]:
    """Return what the runs are called; runs of one name by their ids too."""
    if base.name != candidate.name:
        one, other = base.name, candidate.name
    else:
        one, other = f"{base.name} {base.id}", f"{candidate.name} {candidate.id}"
    return clip(one_line(one), 60) or "baseline", clip(one_line(other), 60) or "candidate"


def stages(comparison: Comparison, gate: Gate | None = None) -> tuple[Stage, ...]:
    """Return the metrics by stage; scores share one axis, times, tokens and money another."""
    every = comparison.metrics.values()
    score_end = end_of(extent(drawn(c) for c in every if c.stage != "operations"), SCORE_ENDS)
    share_end = end_of(extent(drawn(c) for c in every if c.stage == "operations"), SHARE_ENDS)
    found = []
    for stage, title in STAGES:
        end = share_end if stage == "operations" else score_end
        rows = tuple(
            row(change, end, gate)
            for change in comparison.metrics.values()
            if change.stage == stage
        )
        if rows:
            shown = f"{end:.0%}" if stage == "operations" else f"{end:g}"
            found.append(Stage(title=title, end=shown, rows=rows))
    return tuple(found)


def row(change: Change, end: float, gate: Gate | None = None, *, tag: str = "") -> Row:
    """Return one change as a row, drawn on an axis from -`end` to `end`."""
    unit = unit_of(change.metric, change.stage)
    span = drawn(change)
    tone, word = reading(change)
    gated = gate.metrics.get(change.metric) if gate is not None and not tag else None
    least = change.min_detectable
    seen = None
    if least is not None and span is not None:
        reach = least if unit == "score" else least / change.base
        seen = (place(-reach, end), place(reach, end))
    return Row(
        metric=change.metric,
        tag=tag,
        lower=change.direction == "lower",
        base=figure(change.base, unit),
        candidate=figure(change.candidate, unit),
        delta=signed(change.delta, unit),
        ci=between(change.ci, unit),
        share=f"{span[0]:+.0%}" if unit != "score" and span is not None else "",
        drawn=None if span is None else mark(span, end, f"{change.metric}: "),
        seen=seen,
        p=p_value(change.p if change.p_adjusted is None else change.p_adjusted),
        wins=change.wins,
        losses=change.losses,
        ties=change.ties,
        p10=_p10(change, unit),
        p10_ci="" if change.p10_ci is None else between(change.p10_ci, unit),
        least="" if least is None else figure(least, unit),
        needed="" if change.needed is None else f"{change.needed:,}",
        noise="" if not change.noise else f"{change.noise:.0%}",
        tone=tone,
        word=word,
        flag=gated.flag or "" if gated is not None else "",
        open=gated.open if gated is not None else "",
    )


def reading(change: Change) -> tuple[Tone, str]:
    """Return tone and word of a change: better or worse where interval and p-value both say so.

    `perhaps` is said where only the interval does. The p-value is the corrected one, where there is.
    """
    tone, word = change_tone(change), change_word(change)
    p = change.p if change.p_adjusted is None else change.p_adjusted
    return ("warn", PERHAPS) if tone != "mute" and p is not None and p > CLEAR else (tone, word)


def _p10(change: Change, unit: Unit) -> str:
    if change.base_p10 is None or change.candidate_p10 is None:
        return ""
    if unit == "score":
        return f"{score(change.base_p10, 2)} → {score(change.candidate_p10, 2)}"
    return f"{figure(change.base_p10, unit)} → {figure(change.candidate_p10, unit)}"


def splits(comparison: Comparison) -> tuple[Split, ...]:
    """Return each change split into retrieval and generation, all on one axis."""
    found = comparison.stages.values()
    end = end_of(
        extent(
            span
            for s in found
            for span in ((s.retrieval, s.retrieval_ci), (s.generation, s.generation_ci))
        ),
        SCORE_ENDS,
    )
    return tuple(
        Split(
            metric=s.metric,
            delta=delta(s.delta),
            parts=tuple(
                Part(
                    title=title,
                    figure=delta(value),
                    ci="" if ci is None else interval(ci),
                    drawn=mark((value, ci), end, f"{title}'s part of {s.metric}: "),
                )
                for title, value, ci in (
                    ("retrieval", s.retrieval, s.retrieval_ci),
                    ("generation", s.generation, s.generation_ci),
                )
            ),
            how=f"crossed over {s.n} cases: each generator answered from each retriever's contexts"
            if s.method == "crossed"
            else f"estimated from {s.changed} of {s.n} cases whose contexts changed and "
            f"{s.n - s.changed} whose did not",
        )
        for s in found
    )


def tag_rows(comparison: Comparison) -> tuple[tuple[Row, ...], int]:
    """Return the tags that moved, the largest change first, and how many changes are not shown.

    A tag's change counts as moved where its own interval leaves out 0 and its own p-value is at most
    0.05; tags are not corrected for their number.
    """
    every = [(tag, c) for tag, made in comparison.tags.items() for c in made.values()]
    moved = [
        (tag, c) for tag, c in every if reading(c)[0] in {"good", "bad"} and c.stage != "operations"
    ]
    moved.sort(key=lambda one: -abs(one[1].delta))
    end = end_of(extent(drawn(c) for _, c in moved), SCORE_ENDS)
    rows = tuple(row(c, end, tag=tag) for tag, c in moved[:MOST_TAG_ROWS])
    return rows, len(every) - len(rows)
