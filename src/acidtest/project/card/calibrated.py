"""The JSON of `acidtest judge calibrate`, as far as a card needs it."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from acidtest.data.judge_card import Agreed, Figure, Floor
from acidtest.data.runs import JudgeRef

Value = Annotated[float, Meta(ge=-2.0, le=2.0)]
"""An agreement, or the difference of two."""

Count = Annotated[int, Meta(ge=0)]

MEASURES = ("accuracy", "balanced_accuracy", "kappa", "auc")


class Told(Struct, frozen=True, kw_only=True):
    """A measure, or why there is none."""

    value: Value | None = None
    ci: tuple[Value, Value] | None = None
    n: int = 0
    skip: str = ""
    why_no_ci: str | None = None

    @property
    def figure(self) -> Figure | None:
        """The figure, None where there is none."""
        return None if self.value is None else Figure(value=self.value, ci=self.ci, n=self.n)


_NONE = Told()


class Top(Struct, frozen=True, kw_only=True):
    """The ceiling, or why there is none."""

    kappa: Told = _NONE
    judge_minus_people: Told = _NONE


class Bottom(Struct, frozen=True, kw_only=True):
    """One baseline."""

    name: str
    kappa: Told = _NONE
    beaten: Literal["yes", "no", "open"]


class RunRef(Struct, frozen=True, kw_only=True):
    """The run that was calibrated; files of before that was told lack when and on what."""

    id: str
    name: str
    created: str = ""
    golden: str = ""


class Calibrated(Struct, frozen=True, kw_only=True):
    """A calibration."""

    run: RunRef
    judge: JudgeRef | None
    metric: str
    n: int
    annotators: tuple[str, ...] = ()
    metric_version: str | None = None
    cost: str | None = None
    accuracy: Told = _NONE
    balanced_accuracy: Told = _NONE
    kappa: Told = _NONE
    auc: Told = _NONE
    alpha: dict[str, Told] = {}
    confusion: dict[str, dict[str, Count]] = {}
    ceiling: Top = Top()
    baselines: tuple[Bottom, ...] = ()

    def agreed(self, source: str) -> Agreed:
        """Return it as a card holds it."""
        measures = {name: getattr(self, name).figure for name in MEASURES}
        kappa, why = self.kappa, self.kappa.skip
        low = self._low_of_all_agreed()
        if low is not None:
            measures["kappa"] = Figure(value=1.0, ci=(low, 1.0), n=kappa.n)
            why = "every verdict agrees: its interval is what that of accuracy leaves room for"
        elif not (why or kappa.ci):
            why = kappa.why_no_ci or "it has no interval"
        return Agreed(
            source=source,
            run=f"{self.run.name} ({self.run.id})",
            golden=self.run.golden,
            created=self.run.created,
            n=self.n,
            annotators=len(self.annotators),
            measures={name: figure for name, figure in measures.items() if figure is not None},
            why=why,
            ceiling=self.ceiling.kappa.figure,
            alpha=self.alpha.get("people", _NONE).figure,
            judge_minus_people=self.ceiling.judge_minus_people.figure,
            floors=tuple(
                Floor(name=each.name, kappa=each.kappa.figure, beaten=each.beaten)
                for each in self.baselines
            ),
        )

    def _low_of_all_agreed(self) -> float | None:
        """Return the lower end of kappa where all verdicts agree, so that no resample differs.

        It is kappa at the lower end of accuracy's interval, (a - e) / (1 - e), with the chance of agreeing e
        that the labels' shares of yes and no give. None where it is not so.
        """
        if self.kappa.value != 1.0 or self.kappa.ci is not None or self.accuracy.ci is None:
            return None
        yes, no = (sum(self.confusion.get(name, {}).values()) for name in ("yes", "no"))
        if not (yes and no):
            return None
        chance = (yes**2 + no**2) / (yes + no) ** 2
        return (self.accuracy.ci[0] - chance) / (1 - chance)


def calibrated(raw: bytes) -> Calibrated:
    """Read the JSON.

    Raises:
        msgspec.ValidationError: It is not what the command writes.
    """
    return msgspec.json.decode(raw, type=Calibrated)
