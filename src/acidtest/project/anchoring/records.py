"""What an anchor file holds: one header, the cases with their recorded verdicts, a line for each look since.

Format history: 1, the first.
"""

from msgspec import Struct

from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import Outcome, Score
from acidtest.data.runs import JudgeRef

FORMAT = "acidtest/anchor"
VERSION = 1

TOLERANCE = 0.05
"""By how much a score may differ from the recorded one and still count as the same verdict."""


class Source(Struct, frozen=True, kw_only=True):
    """The run that the cases and answers are from."""

    id: str
    name: str
    golden: str


class Judged(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Who judged, and what it took: all of it, where what was cut off went on later.

    Attributes:
        name: The judge as commands name it.
        judge: Model, fingerprint, and the models as the provider reports them.
        asked: The fingerprint before anybody answered: what was asked for. While it stays and `judge`
            differs, the provider changed something.
        calls: Calls made.
        tokens: In and out.
        cost_usd: US dollars; None where the price is unknown.
    """

    name: str
    judge: JudgeRef
    asked: str
    calls: int = 0
    tokens: int = 0
    cost_usd: float | None = None


class Header(Struct, frozen=True, tag_field="kind", tag="anchor", kw_only=True):
    """The first line.

    Attributes:
        created: When the verdicts were recorded, UTC.
        source: Where the cases are from.
        by: Who judged, and what it took.
        metrics: Metric -> its version (method and prompt).
        repeat: How often each verdict was asked for: the first is the reference, the others measure
            the judge's own noise.
        tolerance: See `TOLERANCE`.
    """

    created: str
    source: Source
    by: Judged
    metrics: dict[str, str]
    repeat: int
    tolerance: float = TOLERANCE
    format: str = FORMAT
    version: int = VERSION


class Recorded(Struct, frozen=True, kw_only=True):
    """The reference verdict on one case, and the values of the repeats after it."""

    verdict: Score
    repeats: tuple[float, ...]


class Kept(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="case", kw_only=True):
    """A case, the answer that is judged, and what was said of it, by metric."""

    case: Case
    answer: Answer
    verdicts: dict[str, Recorded]


class Look(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="run", kw_only=True):
    """The same cases judged once more.

    Attributes:
        created: When, UTC.
        by: Who judged, and what it took.
        values: Metric -> case -> score.
        moved: Metric -> case -> the whole verdict, where it is another than the recorded one.
        missing: Metric -> case -> why there is no score.
        reworded: Metrics whose method or prompt is another than when the anchor was made; not judged.
    """

    created: str
    by: Judged
    values: dict[str, dict[str, float]] = {}
    moved: dict[str, dict[str, Score]] = {}
    missing: dict[str, dict[str, str]] = {}
    reworded: tuple[str, ...] = ()


class Anchor(Struct, frozen=True, kw_only=True):
    """The whole file."""

    header: Header
    cases: tuple[Kept, ...]
    looks: tuple[Look, ...] = ()

    def of(self, metric: str) -> dict[str, Recorded]:
        """Return the recorded verdicts of a metric by case id."""
        return {k.case.id: k.verdicts[metric] for k in self.cases if metric in k.verdicts}


def why_missing(outcome: Outcome) -> str:
    """Say why there is no score."""
    return outcome.reason if isinstance(outcome, Score) else outcome.why
