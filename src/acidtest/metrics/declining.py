"""Declining: did the system decline to answer, and what says so?

Three signals, and any one of them counts: the pipeline's own word (`abstained`), a marker that the
system was told to write (`NOT_IN_CORPUS`), and how the answer speaks. A pipeline that says it did not
abstain while its answer reads "I don't know" has declined all the same: the reader got no answer.
"""

from dataclasses import dataclass

from acidtest.data.answers import Answer
from acidtest.text.refusal import declined


@dataclass(frozen=True, slots=True)
class Declining:
    """What one answer says about declining.

    Attributes:
        declined: Whether it declined.
        partial: Whether it refuses a part and tells the rest; such an answer has not declined.
        signal: `pipeline`, `marker`, `phrase` or `empty`; None when nothing says so.
        phrase: The words that refuse, if any.
        conflict: The pipeline's own word and the wording disagree.
    """

    declined: bool
    partial: bool = False
    signal: str | None = None
    phrase: str = ""
    conflict: bool = False

    @property
    def why(self) -> str:
        """One clause on what was seen."""
        if self.signal == "pipeline":
            said = "the pipeline says that it abstained"
        elif self.signal == "empty":
            said = "the answer is empty, which tells the reader nothing"
        elif self.declined:
            said = f"it declines: {self.phrase!r}"
        elif self.partial:
            said = f"it refuses a part ({self.phrase!r}) and tells something all the same"
        else:
            said = "it answers"
        if not self.conflict:
            return said
        return f"{said}, though " + (
            "its text answers"
            if self.signal == "pipeline"
            else "the pipeline says it did not abstain"
        )


def declining(answer: Answer) -> Declining | None:
    """Return whether an answer declines; None when there is no answer to look at."""
    if answer.text is None and answer.abstained is None:
        return None
    wording = declined(answer.text) if answer.text is not None else None
    if answer.abstained:
        return Declining(
            declined=True,
            signal="pipeline",
            phrase=wording.phrase if wording else "",
            conflict=wording is not None and not wording.declined,
        )
    if wording is None:
        return Declining(declined=False)
    return Declining(
        declined=wording.declined,
        partial=wording.partial,
        signal=wording.signal,
        phrase=wording.phrase,
        conflict=wording.declined and wording.signal != "empty" and answer.abstained is False,
    )
