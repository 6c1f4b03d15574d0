"""The gate's lines as the comparison page shows them."""

from msgspec import Struct

from acidtest.data.compared import Comparison
from acidtest.data.gate import Gate
from acidtest.report.compare_figures import figure, p_value, signed, unit_of
from acidtest.report.figures import NONE
from acidtest.report.words import Tone

RESULT_TONES: dict[str, Tone] = {"pass": "good", "fail": "bad", "inconclusive": "warn"}
RESULT_WORDS = {"pass": "passes", "fail": "fails", "inconclusive": "is undecided"}


class GateRow(Struct, frozen=True, kw_only=True):
    """One gated metric, every figure as text."""

    name: str
    baseline: str
    candidate: str
    delta: str
    floor: str
    max_drop: str
    p: str
    tone: Tone
    word: str
    why: str = ""


def gate_rows(gate: Gate | None, comparison: Comparison) -> tuple[GateRow, ...]:
    """Return the gate's lines, what fails first."""
    if gate is None:
        return ()
    rows = []
    for name, line in gate.metrics.items():
        known = comparison.metrics.get(name)
        unit = unit_of(name, known.stage if known is not None else None)
        rows.append(
            GateRow(
                name=name,
                baseline=figure(line.baseline, unit),
                candidate=figure(line.candidate, unit),
                delta=signed(line.delta, unit),
                floor=figure(line.floor, unit),
                max_drop=NONE if line.max_drop is None else f"{line.max_drop:g}",
                p=p_value(line.p) or NONE,
                tone="bad" if line.flag else "warn" if line.open else "good",
                word=line.flag or ("open" if line.open else "passes"),
                why=line.open,
            )
        )
    order = {"bad": 0, "warn": 1, "good": 2}
    return tuple(sorted(rows, key=lambda row: order[row.tone]))
