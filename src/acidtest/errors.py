"""Every error that acidtest raises on purpose.

The tree::

    AcidtestError
      UsageError     UnknownName, BadConfig, MissingExtra, StoreError     exit 2
      DataError      BadGolden, BadData, TraceFormatError,
                     FormatTooNew, Incomparable                           exit 2
      OutsideError   PipelineError, JudgeError, BudgetSpent               becomes a Failure

Only the engine catches `OutsideError`: what a pipeline or a judge did wrong fails one case, never the
run. Anything that is not an `AcidtestError` is a bug and keeps its traceback.
"""

from collections.abc import Iterable
from typing import Any

_NAME = 100  # characters of a name that a message shows


class AcidtestError(Exception):
    """What went wrong, where, and how to mend it.

    Args:
        what: One sentence without a full stop, lower case where grammar allows.
        where: `file:line`, a field, an option or a setting; it comes first in the message.
        fix: What the reader can do about it, one sentence.
    """

    exit_status = 2

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None) -> None:
        self.what = what
        self.where = where
        self.fix = fix
        super().__init__(what, where, fix)

    def __reduce__(self) -> tuple[object, ...]:
        # Errors travel between processes; their keyword arguments do not fit Exception's own way.
        return _remake, (type(self), self.args), self.__dict__

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        if not self.fix:
            return head
        return f"{head} {self.fix}" if head.endswith((".", "?", "!")) else f"{head}. {self.fix}"


class UsageError(AcidtestError):
    """The call or the command line asks for something that cannot be."""


class UnknownName(UsageError):  # noqa: N818 - the tree names what is wrong, not that it is an error
    """No metric, pipeline, judge, field or key of that name; the nearest one is suggested.

    Args:
        kind: What sort of name it is, such as "metric".
        name: The name that was given.
        known: The names that exist; the message lists them all when they are few.
        fix: What to say instead where no name is known.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        *,
        where: str | None = None,
        fix: str | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        super().__init__(
            f"unknown {kind} {_short(name)!r}",
            where=where,
            fix=fix if fix and not self.known else suggestion(name, self.known),
        )


class BadConfig(UsageError):  # noqa: N818
    """`acidtest.toml` says something that is not possible."""


class MissingExtra(UsageError):  # noqa: N818
    """An optional dependency is not installed; the fix is the install command."""


class StoreError(UsageError):
    """The store cannot be opened, read or written (folder, permissions, full disk).

    `passing` marks what may be over soon by itself, so that the same is worth another try: a full
    disk, a lock, a server that cannot be reached.
    """

    passing = False


class DataError(AcidtestError):
    """A file or value that was handed in is not what it should be."""


class BadGolden(DataError):  # noqa: N818
    """A golden set that cannot be read, with file, line and field."""


class BadData(DataError):  # noqa: N818
    """Another data file (recorded outputs, TREC qrels or run, saved run) that cannot be read."""


class TraceFormatError(DataError):
    """A request or file of traces that is not of the format that it should be of."""


class FormatTooNew(DataError):  # noqa: N818
    """A file or store that a later acidtest has written."""


class Incomparable(DataError):  # noqa: N818
    """Two runs that share no case."""


class OutsideError(AcidtestError):
    """Something outside acidtest failed; the engine turns it into a `Failure` of one case.

    Args:
        detail: The raw evidence, such as a traceback or a reply; kept with the failure.

    `ends_run` marks those that no other case would escape: the run stops, and the same command goes
    on with it later.
    """

    exit_status = 3
    ends_run = False

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        fix: str | None = None,
        detail: str | None = None,
    ) -> None:
        super().__init__(what, where=where, fix=fix)
        self.detail = detail


class PipelineError(OutsideError):
    """The system under test threw, hung, or returned something that is not an answer.

    `partial` is the `Answer` as far as it came when only its generator failed: what was retrieved
    still counts.
    """

    partial: Any = None


class JudgeError(OutsideError):
    """The judge could not be reached or gave no usable verdict.

    `spent` is what asking took all the same (a `ports.Spent`); None when nothing is known of it.
    """

    spent: Any = None


class BudgetSpent(OutsideError):  # noqa: N818
    """The run's budget in money or tokens is used up.

    `spent` is what the question took before (a `ports.Spent`); None when it took nothing.
    """

    ends_run = True
    spent: Any = None


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return "Did you mean ...?", or the list of what exists when nothing is near."""
    import difflib

    names = sorted(set(known))
    folded = {n.lower(): n for n in names}
    near = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.6)
    if near:
        return f"Did you mean {_short(folded[near[0]])!r}?"
    if not names:
        return "There are none."
    shown = ", ".join(map(_short, names[:40]))
    return f"Known: {shown}{', ...' if len(names) > 40 else ''}."


def _short(name: str) -> str:
    """Return a name that may be from a file, cut where nobody would read on."""
    return name if len(name) <= _NAME else f"{name[:_NAME]}..."


def _remake(kind: type[AcidtestError], args: tuple[object, ...]) -> AcidtestError:
    return kind.__new__(kind, *args)
