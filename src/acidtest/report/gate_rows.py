"""What every form of report shows of a gate: the decision in words, and one row a gated quantity."""

from msgspec import Struct

from acidtest.data.gate import Gate, Gated
from acidtest.report.figures import NONE, count, delta, interval, money, score
from acidtest.report.words import Tone

MARKER = "<!-- acidtest:gate -->"
"""The first line of the Markdown: by it a program finds its comment and updates it in place."""


class Row(Struct, frozen=True):
    """One gated quantity as it is printed."""

    name: str
    baseline: str
    candidate: str
    change: str
    ci: str
    p: str
    limit: str
    word: str
    tone: Tone


def rows(gate: Gate) -> list[Row]:
    """Return the rows, in the gate's order."""
    return [_row(gate, name, entry) for name, entry in gate.metrics.items()]


def headline(gate: Gate) -> str:
    """Return the decision in one sentence."""
    flagged = [name for name, entry in gate.metrics.items() if entry.flag]
    undecided = [name for name, entry in gate.metrics.items() if entry.open]
    gated = count(len(gate.metrics), "gated metric")
    if gate.result == "fail":
        return f"FAIL: {_names(flagged)} of {gated} {'fails' if len(flagged) == 1 else 'fail'}."
    if gate.result == "inconclusive":
        return f"INCONCLUSIVE: {_names(undecided)} of {gated} cannot be decided."
    return f"PASS: {'all of ' if len(gate.metrics) > 1 else ''}{gated} hold{'s' * (len(gate.metrics) == 1)}."


def last_line(gate: Gate) -> str:
    """Return the decision for programs that read text: stable, one line, no name from outside."""
    failed = sum(entry.flag is not None for entry in gate.metrics.values())
    undecided = sum(bool(entry.open) for entry in gate.metrics.values())
    return (
        f"acidtest gate: {gate.result} metrics={len(gate.metrics)} failed={failed} open={undecided}"
    )


def reasons_of(gate: Gate) -> dict[str, str]:
    """Return the reason of each quantity that fails or is open: a gate gives one each, in order."""
    named = [name for name, entry in gate.metrics.items() if entry.flag or entry.open]
    return dict(zip(named, gate.reasons, strict=False))


def p_title(gate: Gate) -> str:
    """Return what the column of p-values is called: the one that decides, or that of no change."""
    return "p drop" if gate.mode == "statistical" else "p"


def p_value(p: float | None) -> str:
    """Return a p-value: `0.034`, `<0.001`."""
    if p is None:
        return NONE
    return "<0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def amount(name: str, value: float | None, *, signed: bool = False) -> str:
    """Return a value of a quantity in its unit: a score, milliseconds, tokens, dollars."""
    if value is None:
        return NONE
    if name.startswith("cost_usd"):
        shown = money(abs(value))
        sign = "-" if value < 0 else "+" if signed and value > 0 else ""
        return f"{sign}{shown}"
    if name.startswith(("latency_ms.", "tokens.")):
        unit = " ms" if name.startswith("latency_ms.") else ""
        size = abs(value)
        digits = (
            0 if size >= 10 else 1 if size >= 1 or not (size and unit) else 2 if size >= 0.01 else 3
        )
        return f"{value:{'+' if signed else ''},.{digits}f}{unit}"
    return delta(value) if signed else score(value)


def _row(gate: Gate, name: str, entry: Gated) -> Row:
    p = entry.p_drop if gate.mode == "statistical" else entry.p
    word, tone = entry.flag or ("open" if entry.open else "ok"), "good"
    if entry.flag:
        tone = "bad"
    elif entry.open:
        tone = "warn"
    return Row(
        name,
        amount(name, entry.baseline),
        amount(name, entry.candidate),
        amount(name, entry.delta, signed=True),
        _interval(name, entry.ci),
        p_value(p),
        _limit(name, entry),
        word,
        tone,
    )


def _interval(name: str, ci: tuple[float, float] | None) -> str:
    if ci is None or not name.startswith(("cost_usd", "latency_ms.", "tokens.")):
        return interval(ci)
    low, high = (amount(name, edge) for edge in ci)
    return f"{low.removesuffix(' ms')} to {high.replace('$', '')}"


def _limit(name: str, entry: Gated) -> str:
    parts = []
    if entry.floor is not None:
        parts.append(f"limit {amount(name, entry.floor)}")
    if entry.max_drop is not None:
        parts.append(f"drop {amount(name, entry.max_drop)}")
    return ", ".join(parts)


def _names(names: list[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"
