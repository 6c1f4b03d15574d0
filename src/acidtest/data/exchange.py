"""What other tools' files hold, in our terms, and what a conversion could not carry over."""

from msgspec import Struct

from acidtest.data.answers import Answer
from acidtest.data.corpus import Corpus
from acidtest.data.golden import GoldenSet
from acidtest.data.runs import Run


class Loss(Struct, frozen=True, kw_only=True):
    """Something that a file says and that the other form has no place for.

    `field` is the field in the words of the file that was read, `count` how many rows had it, `why` what
    became of it, `first` the place of the first one (`file:line`, or a case's id).
    """

    field: str
    why: str
    count: int = 1
    first: str | None = None


class Exchanged(Struct, frozen=True, kw_only=True):
    """What was read from a file; a part is None where the file has nothing of its kind.

    Args:
        golden: Cases (the file may also have recorded answers: they are `golden.recorded`).
        answers: Recorded outputs that stand without cases.
        run: Scores that the other tool gave, as a run that compares and gates like our own.
        corpus: Chunks.
        losses: What of the file was left behind.
    """

    golden: GoldenSet | None = None
    answers: tuple[Answer, ...] = ()
    run: Run | None = None
    corpus: Corpus | None = None
    losses: tuple[Loss, ...] = ()
