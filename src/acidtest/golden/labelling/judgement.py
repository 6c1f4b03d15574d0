"""What a person said of a chunk: one line of the labels file, never changed, only followed by another."""

from typing import Literal

from msgspec import Struct

from acidtest.golden.labels import MAX_GRADE

Mark = Literal["grade", "skip", "unsure"]
Which = tuple[str, str]
"""Case and chunk."""


class Prelabel(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a judge says of a chunk before a person does.

    Attributes:
        by: The judge.
        grade: 0 to 3; None where the judge leaves it open.
        score: How much speaks for the chunk, in 0..1, where the judge tells it; for an order of reading.
        why: In one sentence.
    """

    by: str
    grade: int | None = None
    score: float | None = None
    why: str = ""


class Judgement(Struct, frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True):
    """What one person said of one chunk for one case; of several by the same person the last counts.

    Attributes:
        case: The case.
        chunk: The chunk.
        annotator: Who.
        at: When, ISO 8601.
        mark: Whether it was graded, skipped, or the person was unsure.
        grade: 0 to 3; None unless it was graded.
        question: What was asked: so the file can be read without the set.
        text: What the chunk said.
        doc_id: Its document.
        doc_version: The document's version.
        found_by: Which retrievers found it, and at which rank; the person did not see that.
        place: At which place it was shown, from 1.
        prelabel: What a judge said before.
        prelabel_shown: Whether the person saw that.
    """

    case: str
    chunk: str
    annotator: str
    at: str
    mark: Mark = "grade"
    grade: int | None = None
    question: str
    text: str
    doc_id: str | None = None
    doc_version: str | None = None
    found_by: dict[str, int] = {}
    place: int | None = None
    prelabel: Prelabel | None = None
    prelabel_shown: bool = False

    @property
    def which(self) -> Which:
        """Case and chunk."""
        return self.case, self.chunk


def fault(said: Judgement) -> str | None:
    """Say why a judgement that was read cannot be one; None when it can."""
    if (said.mark == "grade") != (said.grade is not None):
        return "a grade goes with the mark 'grade', and with no other"
    if said.grade is not None and not 0 <= said.grade <= MAX_GRADE:
        return f"a grade is a whole number from 0 to {MAX_GRADE}"
    if not (said.case and said.chunk and said.annotator):
        return "case, chunk and annotator must not be empty"
    return None
