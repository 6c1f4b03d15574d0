"""What people type on the page of a trace: a golden case, and feedback; checked, and kept when it is wrong."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from acidtest.data.traces import Feedback
from acidtest.errors import UsageError
from acidtest.golden.grow.promote import Ruling
from acidtest.project.config import Config
from acidtest.project.golden_promote import who_and_when

LONGEST = 20_000
_TAGS = 30
_SHORT = 200
_GRADES = ("1", "2", "3")


class GoldenForm(Struct, frozen=True, kw_only=True):
    """What was typed of a golden case; `grades` are by chunk id."""

    reference: str = ""
    from_answer: bool = False
    unanswerable: bool = False
    grades: dict[str, int] = {}
    tags: str = ""
    by: str = ""
    replace: bool = False


def golden_form(given: Mapping[str, str]) -> GoldenForm:
    """Read the form of a golden case."""
    grades = {
        given[f"chunk-{name.removeprefix('grade-')}"]: int(value)
        for name, value in given.items()
        if name.startswith("grade-")
        and value in _GRADES
        and f"chunk-{name.removeprefix('grade-')}" in given
    }
    return GoldenForm(
        reference=given.get("reference", "").replace("\r\n", "\n").strip()[:LONGEST],
        from_answer=given.get("from_answer") == "yes",
        unanswerable=given.get("unanswerable") == "yes",
        grades=grades,
        tags=given.get("tags", "").strip()[:2_000],
        by=given.get("by", "").strip()[:_SHORT],
        replace=given.get("replace") == "yes",
    )


def ruling_of(form: GoldenForm) -> Ruling:
    """Return what a form says.

    Raises:
        UsageError: It contradicts itself.
    """
    if form.unanswerable and (form.reference or form.from_answer):
        raise UsageError(
            "A question that nothing in the corpus answers has no right answer. Clear one of the two."
        )
    if form.unanswerable and form.grades:
        raise UsageError(
            "A question that nothing in the corpus answers has no relevant passages. Clear one of the two."
        )
    if form.reference and form.from_answer:
        raise UsageError("Write the right answer, or say that this one was right; not both.")
    by, when = who_and_when(form.by or None)
    return Ruling(
        reference=form.reference or None,
        from_answer=form.from_answer,
        unanswerable=form.unanswerable,
        relevant=form.grades,
        tags=tuple(tag.strip()[:_SHORT] for tag in form.tags.split(",") if tag.strip())[:_TAGS],
        by=by,
        when=when,
    )


def golden_file(config: Config) -> str | None:
    """Return the golden set that cases go into; None where none is configured."""
    return None if config.golden is None else str(Path(config.folder) / config.golden)


def feedback_of(given: Mapping[str, str]) -> Feedback:
    """Return the feedback that a form says.

    Raises:
        UsageError: It says neither good nor bad.
    """
    good = {"good": True, "bad": False}.get(given.get("rating", ""))
    if good is None:
        raise UsageError("Say whether the answer is good or bad.")
    comment = given.get("comment", "").replace("\r\n", "\n").strip()[:LONGEST]
    return Feedback(score=1.0 if good else -1.0, good=good, comment=comment or None, by="person")
