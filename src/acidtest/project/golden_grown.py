"""The order of a synthesis, and what came of it."""

from msgspec import Struct

from acidtest.data.runs import JudgeRef
from acidtest.data.use import JudgeUse
from acidtest.golden.grow.dropped import Dropped
from acidtest.golden.grow.kinds import Kind
from acidtest.golden.grow.plan import Wish
from acidtest.golden.grow.synthesise import TRIES, Shortfall


class Order(Struct, frozen=True, kw_only=True):
    """What is ordered.

    Attributes:
        n: How many questions.
        out: Where they go, a JSONL file.
        append: Whether the file may hold a set already.
        existing: Other sets, whose questions are not asked again and whose chunks come last.
        kinds: Kind -> weight; None for `SHARES`, where what a kind lacks is made up for by others.
        wish: Personas, styles, language, seed.
        tries: Drafts for each question at most.
        concurrency: Questions that are worked on at once.
        use_cache: Whether replies that are kept already are used.
    """

    n: int
    out: str
    append: bool = False
    existing: tuple[str, ...] = ()
    kinds: dict[Kind, float] | None = None
    wish: Wish = Wish()
    tries: int = TRIES
    concurrency: int = 8
    use_cache: bool = True


class Asked(Struct, frozen=True):
    """How many questions of a kind were asked for, and are there."""

    asked: int
    kept: int


class Grown(Struct, frozen=True, kw_only=True):
    """What came of an order.

    Attributes:
        out: Where the cases are.
        asked: How many were asked for.
        kept: How many are there; of those `before` were there before.
        before: Cases of an earlier execution of the same order.
        tried: Drafts that were made now.
        kinds: By kind.
        cases: Ids of the new cases.
        dropped: Reason -> drafts that were dropped for it.
        drops: Every dropped draft.
        shortfall: What is missing, and why.
        stopped: Why it stopped before its end; None when it did not.
        notes: What else to know.
        judge: Who wrote; None for templates.
        use: What asking took.
        plan: What the cases name as the plan that they come from.
    """

    format: str = "acidtest/golden-synthesize"
    version: int = 1
    out: str
    asked: int
    kept: int
    before: int
    tried: int
    kinds: dict[str, Asked]
    cases: tuple[str, ...]
    dropped: dict[str, int]
    drops: tuple[Dropped, ...]
    shortfall: tuple[Shortfall, ...]
    stopped: str | None
    notes: tuple[str, ...]
    judge: JudgeRef | None
    use: JudgeUse
    plan: str

    @property
    def exit_status(self) -> int:
        """3 when there are fewer than were asked for, else 0."""
        return 0 if self.kept >= self.asked else 3
