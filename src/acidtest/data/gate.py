"""A release decision, with what it rests on."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from acidtest.data.corrected import Correction

Flag = Literal["REGRESSION", "BELOW FLOOR"]


GateMode = Literal["strict", "statistical"]


GateResult = Literal["pass", "fail", "inconclusive"]


GATE_FORMAT = "acidtest/gate"


GATE_VERSION = 1


class Gated(Struct, frozen=True, kw_only=True):
    """One metric at the gate; members are None where they were not asked or not known.

    Attributes:
        baseline: The baseline's value over the shared cases.
        candidate: The candidate's.
        delta: Candidate minus baseline.
        ci: 95 % interval of `delta`.
        p: Two-sided p-value of no change, corrected for the metrics that are gated.
        p_drop: One-sided p-value of the drop being no more than `max_drop`, corrected in the same way;
            at 5 % it decides in the statistical mode.
        flag: Why it fails; where both hold, the floor is named.
        min_detectable: The smallest drop beyond `max_drop` that these cases would have shown in four of
            five tries.
        floor: The least value (for lower-is-better the most).
        max_drop: How much worse than the baseline it may be.
        open: Why it can be neither passed nor failed; empty when it is decided.
        corrected: What people's labels make of the candidate's mean; its floor is held against it. There
            only where the metric has labels.
        corrected_drop: What they make of `delta`; baseline, candidate, delta, ci and the p-values are
            then the corrected ones, unless its mean is None.
    """

    baseline: float | None = None
    candidate: float | None = None
    delta: float | None = None
    ci: tuple[float, float] | None = None
    p: float | None = None
    p_drop: float | None = None
    flag: Flag | None = None
    min_detectable: float | None = None
    floor: float | None = None
    max_drop: float | None = None
    open: str = ""
    corrected: Correction | UnsetType = UNSET
    corrected_drop: Correction | UnsetType = UNSET


class Gate(Struct, frozen=True, kw_only=True):
    """A release decision, with what it rests on.

    Attributes:
        result: `fail` when any metric is flagged; else `inconclusive` when any is open; else `pass`.
        mode: `strict`: a drop beyond the tolerance fails; `statistical`: only one that the paired cases
            show at 5 %.
        metrics: Each gated metric, such as `faithfulness`, `faithfulness.p10`, `faithfulness[faq]`,
            `latency_ms.total.p95`.
        reasons: Why it fails or is open, one sentence each.
        trades: Gains that have a price, to be decided by a person.
        notes: What must be known beside it, such as a stale baseline.
    """

    result: GateResult
    mode: GateMode
    metrics: dict[str, Gated] = {}
    reasons: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    format: str = GATE_FORMAT
    version: int = GATE_VERSION

    @property
    def exit_status(self) -> int:
        """Return 0 for a pass, 1 for a fail, 3 when it is inconclusive."""
        return {"pass": 0, "fail": 1, "inconclusive": 3}[self.result]
