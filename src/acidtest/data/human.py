"""What people say of single verdicts: the labels that a judge is held against and corrected by."""

from msgspec import Struct


class HumanLabel(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One person's value for one metric of one case.

    Attributes:
        case: The case's id.
        metric: Which metric it is a value of, by its name in the run.
        label: The value that the metric should have had, on its scale; yes is 1 and no is 0.
        annotator: Who said it; None for one unnamed person.
        weight: 1 over the chance by which the case was chosen for labelling, so that estimates stay true
            when cases were chosen on purpose.
    """

    case: str
    metric: str
    label: float
    annotator: str | None = None
    weight: float = 1.0
