"""What the HTML report's overview draws: the stages in a row, verdict bars, the two-by-two table."""

from msgspec import Struct

from acidtest.data.readings import Scorecard
from acidtest.data.runs import Run
from acidtest.report import view
from acidtest.report.figures import score
from acidtest.report.words import Tone

MOST_IDS = 12


class StageBox(Struct, frozen=True, kw_only=True):
    """A stage in the row: its tone, what is said of it, and its leading figures."""

    title: str
    tone: Tone
    state: str
    figures: tuple[tuple[str, str], ...]
    cases: int


class VerdictBar(Struct, frozen=True, kw_only=True):
    """A verdict with its count and the share of the longest bar."""

    verdict: str
    count: int
    width: float
    tone: Tone


class Matrix(Struct, frozen=True, kw_only=True):
    """The faithful x correct table: counts by row and column, and the cases of the two faults."""

    rows: tuple[tuple[str, int, int], ...]
    faults: tuple[tuple[str, tuple[str, ...], int], ...]


def stage_boxes(run: Run, card: Scorecard) -> tuple[StageBox, ...]:
    """Return the stages that have metrics, as the row from retrieval to the answer."""
    first = view.first_failing(card)
    boxes = []
    for title, rows in view.by_stage(run):
        names = [name for name, _ in rows]
        findings = [f for f in card.findings if f.metric in names]
        statuses = {f.status for f in findings}
        if first is not None and first.metric in names:
            tone, state = "bad", "breaks first"
        elif "below" in statuses:
            tone, state = "bad", "below target"
        elif "untrusted" in statuses:
            tone, state = "warn", "not to be trusted yet"
        elif "met" in statuses:
            tone, state = "good", "on target"
        else:
            tone, state = "mute", "no target held"
        ordered = [f.metric for f in findings] + names
        leading = [n for n in dict.fromkeys(ordered) if run.metrics[n].mean is not None][:3]
        boxes.append(
            StageBox(
                title=title,
                tone=tone,
                state=state,
                figures=tuple((n, score(run.metrics[n].mean, 2)) for n in leading),
                cases=_blamed(run, title),
            )
        )
    return tuple(boxes)


def _blamed(run: Run, title: str) -> int:
    return sum(
        case.diagnosis is not None
        and case.diagnosis.stage is not None
        and view.STAGE_TITLES[case.diagnosis.stage] == title
        for case in run.cases
    )


def verdict_bars(card: Scorecard) -> tuple[VerdictBar, ...]:
    """Return one bar a verdict, in the scorecard's order."""
    most = max(card.verdicts.values(), default=1)
    return tuple(
        VerdictBar(
            verdict=verdict,
            count=n,
            width=round(100 * n / most, 1),
            tone="good" if verdict == view.GOOD else "warn" if verdict == view.UNKNOWN else "bad",
        )
        for verdict, n in card.verdicts.items()
    )


def matrix(card: Scorecard) -> Matrix | None:
    """Return the two-by-two table, or None when no case is decided on both sides."""
    table = card.faithful_correct
    if not any(table.values()):
        return None
    rows = tuple(
        (row, len(table.get(f"{row}, correct", ())), len(table.get(f"{row}, wrong", ())))
        for row in ("faithful", "unfaithful")
    )
    faults = tuple(
        (meaning, table[key][:MOST_IDS], max(0, len(table[key]) - MOST_IDS))
        for key, meaning in view.FAULTS.items()
        if table.get(key)
    )
    return Matrix(rows=rows, faults=faults)
