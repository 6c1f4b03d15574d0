"""The JSON of `acidtest judge calibrate`, as far as a card needs it."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from acidtest.data.judge_card import Agreed, Figure, Floor
from acidtest.data.runs import JudgeRef

Value = Annotated[float, Meta(ge=-2.0, le=2.0)]
"""An agreement, or the difference of two."""

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
    ceiling: Top = Top()
    baselines: tuple[Bottom, ...] = ()

    def agreed(self, source: str) -> Agreed:
        """Return it as a card holds it."""
        measures = {name: getattr(self, name).figure for name in MEASURES}
        kappa = self.kappa
        return Agreed(
            source=source,
            run=f"{self.run.name} ({self.run.id})",
            golden=self.run.golden,
            created=self.run.created,
            n=self.n,
            annotators=len(self.annotators),
            measures={name: figure for name, figure in measures.items() if figure is not None},
            why=kappa.skip or ("" if kappa.ci else kappa.why_no_ci or "it has no interval"),
            ceiling=self.ceiling.kappa.figure,
            alpha=self.alpha.get("people", _NONE).figure,
            judge_minus_people=self.ceiling.judge_minus_people.figure,
            floors=tuple(
                Floor(name=each.name, kappa=each.kappa.figure, beaten=each.beaten)
                for each in self.baselines
            ),
        )


def calibrated(raw: bytes) -> Calibrated:
    """Read the JSON.

    Raises:
        msgspec.ValidationError: It is not what the command writes.
    """
    return msgspec.json.decode(raw, type=Calibrated)
