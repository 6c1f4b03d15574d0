"""Two runs (or one against several) on one self-contained page: what changed, and every case in both."""

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.compared import Comparison
from acidtest.data.gate import Gate
from acidtest.data.runs import Run
from acidtest.data.terms import Direction
from acidtest.report import view
from acidtest.report.compare_case import Moved, Pair, most_changed_first, moved, paired, view_pair
from acidtest.report.compare_flows import (
    Flow,
    FlowRow,
    VerdictRow,
    counted,
    flow_rows,
    verdict_rows,
)
from acidtest.report.compare_rows import Row, Split, Stage, names_of, splits, stages, tag_rows
from acidtest.report.gate_rows import Row as GateRow
from acidtest.report.gate_rows import headline, p_title, reasons_of, rows
from acidtest.report.html import page, part
from acidtest.report.words import Tone

MOST_CASES = 300
"""So many cases a page shows in full, the most changed first; of several comparisons each its part."""

MOST_LETTERS = 12_000_000
"""Cases are shown in full until together they are as long as this."""

MOST_TAGS = 100

GATE_TONES: dict[str, Tone] = {"pass": "good", "fail": "bad", "inconclusive": "warn"}

Compared = tuple[Run, Comparison, Gate | None]


class Section(Struct, frozen=True, kw_only=True):
    """One comparison with what its part of the page needs."""

    key: str
    names: tuple[str, str]
    comparison: Comparison
    gate: Gate | None
    gated: tuple[tuple[GateRow, str], ...]
    facts: tuple[tuple[str, str, str], ...]
    stages: tuple[Stage, ...]
    splits: tuple[Split, ...]
    verdicts: tuple[VerdictRow, ...]
    flows: tuple[FlowRow, ...]
    tags: tuple[Row, ...]
    tags_still: int
    metrics: tuple[str, ...]
    tag_names: tuple[str, ...]
    cases: tuple[Markup, ...]
    left_out: int


def comparison_html(
    base: Run, candidate: Run, comparison: Comparison, gate: Gate | None = None
) -> str:
    """Return a page that holds two runs against each other.

    Args:
        base: The baseline, with diagnoses where verdicts are to be shown.
        candidate: What is held against it.
        comparison: What changed from the one to the other.
        gate: The release decision, if one was asked for.
    """
    return comparisons_html(base, [(candidate, comparison, gate)])


def comparisons_html(base: Run, compared: Sequence[Compared]) -> str:
    """Return a page that holds several runs against one baseline.

    Args:
        base: The baseline.
        compared: The other runs, each with what changed from the baseline to it and its gate if any.
    """
    most = max(1, len(compared))
    sections = [
        _section(f"s{n}", base, one, MOST_CASES // most or 1, MOST_LETTERS // most)
        for n, one in enumerate(compared, 1)
    ]
    return page(
        "compare.html.j2",
        styles=("style.css", "paired.css", "compare.css"),
        script="compare.js",
        gate_tones=GATE_TONES,
        gate_headline=headline,
        gate_p=p_title,
        title=" and ".join(" to ".join(section.names) for section in sections[:3]) or base.name,
        sections=sections,
    )


def _section(key: str, base: Run, one: Compared, room: int, letters: int) -> Section:
    candidate, comparison, gate = one
    names = names_of(base.info, candidate.info)
    directions = {c.metric: c.direction for c in comparison.metrics.values()}
    found: list[tuple[Pair, Moved]] = []
    scored: set[str] = set()
    for pair in paired(base.cases, candidate.cases):
        how = moved(pair, directions)
        scored.update(how.steps)
        # The steps of all cases would be large; those of the cases that are shown are made again.
        found.append((pair, replace(how, steps={})))
    ordered = most_changed_first(found)
    metrics = tuple(m for m in directions if m in scored)
    flows = [row.flow for row in flow_rows(ordered, {})]
    tags = _tags(ordered)
    cases: list[Markup] = []
    anchors: dict[str, str] = {}
    for pair, _ in ordered[:room]:
        if letters <= 0:
            break
        anchor = f"{key}-c{len(cases) + 1}"
        drawn = _case(pair, anchor, names, directions, (metrics, flows, tags))
        letters -= len(drawn)
        cases.append(drawn)
        anchors[pair[0].id] = anchor
    moving, still = tag_rows(comparison)
    return Section(
        key=key,
        names=names,
        comparison=comparison,
        gate=gate,
        gated=_gated(gate),
        facts=_facts(base, candidate),
        stages=stages(comparison, gate),
        splits=splits(comparison),
        verdicts=verdict_rows(comparison.verdicts or _verdicts(ordered)),
        flows=flow_rows(ordered, anchors),
        tags=moving,
        tags_still=still,
        metrics=metrics,
        tag_names=tags,
        cases=tuple(cases),
        left_out=len(ordered) - len(cases),
    )


def _gated(gate: Gate | None) -> tuple[tuple[GateRow, str], ...]:
    """Return the gate's lines with the reasons of those that fail or are open, which come first."""
    if gate is None:
        return ()
    why = reasons_of(gate)
    order = {"bad": 0, "warn": 1, "good": 2}
    return tuple(
        (row, why.get(row.name, "")) for row in sorted(rows(gate), key=lambda row: order[row.tone])
    )


def _facts(base: Run, candidate: Run) -> tuple[tuple[str, str, str], ...]:
    """Return what the runs were made of, label by label; what is the same stands once."""
    one, other = dict(view.facts(base.info)), dict(view.facts(candidate.info))
    return tuple(
        (
            label,
            one.get(label, "-"),
            "" if one.get(label) == other.get(label) else other.get(label, "-"),
        )
        for label in dict.fromkeys((*one, *other))
    )


def _verdicts(pairs: Sequence[tuple[Pair, Moved]]) -> dict[str, tuple[int, int]]:
    """Return the verdicts of the pairs, where a diagnosis was made of any."""
    known = any(case.diagnosis is not None for pair, _ in pairs for case in pair)
    return counted(pairs) if known else {}


def _tags(pairs: Sequence[tuple[Pair, Moved]]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for (_, case), _how in pairs:
        for tag in case.tags:
            counts[tag] = counts.get(tag, 0) + 1
    return tuple(sorted(counts, key=lambda tag: (-counts[tag], tag))[:MOST_TAGS])


def _case(
    pair: Pair,
    key: str,
    names: tuple[str, str],
    directions: dict[str, Direction],
    choices: tuple[tuple[str, ...], list[Flow], tuple[str, ...]],
) -> Markup:
    """Return a case's part of the page; what it is filtered by are places in the lists of choices."""
    metrics, flows, tags = choices
    how = moved(pair, directions)
    steps = " ".join(f"{n}:{how.steps[m]:.6g}" for n, m in enumerate(metrics) if m in how.steps)
    return part(
        "compare_case.html.j2",
        c=view_pair(pair, how, key, names, directions),
        flow=flows.index(how.flow) if how.flow in flows else "",
        steps=steps,
        tags=" ".join(str(n) for n, tag in enumerate(tags) if tag in pair[1].tags),
    )
