"""What other tools' files hold, in our terms, and what a conversion could not carry over."""

from msgspec import Struct

from acidtest.data.answers import Answer
from acidtest.data.corpus import Corpus
from acidtest.data.golden import GoldenSet
from acidtest.data.runs import Run


class Loss(Struct, frozen=True, kw_only=True):
    """Something that a file says and that the other form has no place for.

    `field` is the field in the words of what was read, `count` how many rows had it, `why` what became
    of it, `first` the place of the first one (`file:line`, or a case's id).
    """

    field: str
    why: str
    count: int = 1
    first: str | None = None


class Exchanged(Struct, frozen=True, kw_only=True):
    """What was read from a file; a part is None or empty where the file has nothing of its kind.

    Args:
        golden: Cases. Outputs that come with their questions have cases too.
        outputs: What each system answered, under its name, by the ids of its cases.
        runs: Scores that the other tool gave, one run a system, that compare and gate like our own.
        corpus: Chunks.
        losses: What of the file was left behind.
        notes: What was done to it, in words.
    """

    golden: GoldenSet | None = None
    outputs: dict[str, tuple[Answer, ...]] = {}
    runs: tuple[Run, ...] = ()
    corpus: Corpus | None = None
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers of the only system; none where there are several, or none."""
        return next(iter(self.outputs.values())) if len(self.outputs) == 1 else ()
