"""A finding: what a rule has to say of a case, of several, or of the whole set."""

from typing import Literal

from msgspec import Struct

Severity = Literal["error", "warning", "note"]
"""An error makes figures wrong; a warning makes them say less than they seem to; a note is good to know."""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""From the worst on."""


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that a rule found.

    Attributes:
        rule: The rule's name.
        severity: How bad it is.
        message: What was found, with its figures.
        fix: How to mend it, one sentence.
        cases: The ids of the cases that it is about, in the set's order; empty when it is about the set.
        fixable: `--fix` mends it.
    """

    rule: str
    severity: Severity
    message: str
    fix: str
    cases: tuple[str, ...] = ()
    fixable: bool = False

    @property
    def case(self) -> str | None:
        """The first case that it is about; None when it is about the set."""
        return self.cases[0] if self.cases else None


def exit_status(findings: "tuple[Finding, ...]") -> int:
    """Return 1 when there is an error or a warning; notes are no reason to stop a build."""
    return int(any(finding.severity != "note" for finding in findings))
