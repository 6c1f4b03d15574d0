"""A judge's mean as people's labels correct it."""

from msgspec import Struct, field


class Correction(Struct, frozen=True, kw_only=True):
    """What a metric's mean is by prediction-powered inference, beside the judge's own.

    Attributes:
        mean: The corrected mean (of a drop: the corrected difference); None where nothing was corrected.
        ci: Its 95 % interval.
        labels: How many cases have both a label and a score; of a drop, in the run that has fewer.
        weight: Lambda, in the JSON `lambda`: how much of the judge's values is used, from 0 (the labels
            stand alone) to 1.
        note: Why nothing was corrected, or why the labels stand alone; else empty.
        method: How it was made.
    """

    mean: float | None
    ci: tuple[float, float] | None
    labels: int
    weight: float | None = field(name="lambda")
    note: str = ""
    method: str = "ppi"
