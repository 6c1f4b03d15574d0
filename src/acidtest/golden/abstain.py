"""Which cases the pipeline must abstain from, and what such a case can say.

Three things are told apart: *not labelled* (`relevant` is missing), *labelled* (it names chunks), and
*must abstain* (nothing in the corpus answers it). A case must abstain when it says `answerable:
false`, or when its reference is a marker such as NOT_IN_CORPUS and it does not say `answerable: true`
(the right answer to "What does status 404 mean?" may well be "Not found"). Its `relevant` is then the
empty mapping, and no other case can have that.
"""

import re

from acidtest.codec.rows.row import Row, shown
from acidtest.data.golden import Evidence

MARKERS = frozenset(
    {
        "not in corpus",
        "not in the corpus",
        "not in documents",
        "not in the documents",
        "not found",
        "no answer",
        "no answer found",
        "not answerable",
        "unanswerable",
        "cannot be answered",
        "idk",
        "dont know",
        "do not know",
        "i dont know",
        "i do not know",
    }
)
_GAP = re.compile(r"[\s_\-]+")
_MARK = re.compile(r"[^\w\s]")

Grades = dict[str, int]


def is_marker(reference: str) -> bool:
    """Say whether a reference only says that there is no answer, in any usual spelling."""
    if len(reference) > 60:
        return False
    return _MARK.sub("", _GAP.sub(" ", reference)).strip().casefold() in MARKERS


def settle(
    row: Row,
    *,
    said: bool | None,
    reference: str | None,
    relevant: Grades | None,
    relevant_docs: Grades | None,
    evidence: tuple[Evidence, ...],
) -> tuple[bool, Grades | None, Grades | None]:
    """Return `answerable`, `relevant` and `relevant_docs` as the case must have them.

    Args:
        row: For the place of an error.
        said: What `answerable` says, if anything.
        reference: The expected answer.
        relevant: Chunk labels; grade 0 is judged and not relevant.
        relevant_docs: Document labels.
        evidence: The text of the relevant chunks.

    Raises:
        DataError: The labels say the opposite of `answerable` or of the reference.
    """
    marker = reference is not None and is_marker(reference)
    answerable = said if said is not None else not marker
    labels = (("relevant", relevant), ("relevant_docs", relevant_docs))
    if answerable:
        for name, grades in labels:
            if grades is not None and not grades:
                raise _empty(row, name, said=said, reference=reference)
        return True, relevant, relevant_docs
    why = "answerable is false" if said is not None else f"the reference is {shown(reference)}"
    fix = "Set answerable: true if the corpus answers the question; else remove the"
    for name, grades in labels:
        if any((grades or {}).values()):
            raise row.fault(
                f"{why}, yet relevant chunks are named", field=name, fix=f"{fix} labels."
            )
    if evidence:
        raise row.fault(
            f"{why}, yet there is the text of relevant chunks",
            field="evidence",
            fix=f"{fix} evidence, or keep distractors under metadata.",
        )
    return False, {}, None


def _empty(row: Row, name: str, *, said: bool | None, reference: str | None) -> Exception:
    if said:
        return row.fault(
            "is empty, yet answerable is true",
            field=name,
            fix="Leave it out if the case is not labelled, or set answerable: false.",
        )
    beside = "beside an ordinary reference" if reference is not None else "without a reference"
    return row.fault(
        f"is empty {beside}: not labelled, or nothing in the corpus answers it?",
        field=name,
        fix="Leave it out if the case is not labelled; add answerable: false if the pipeline "
        "must abstain.",
    )
