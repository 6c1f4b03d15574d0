"""A person's word on cases that wait: accepted in place, or moved out of the set."""

from msgspec import Struct

from acidtest.codec.rows.row import shown
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.golden.grow.lines import read_file, write_file
from acidtest.golden.grow.lock import alone
from acidtest.golden.grow.review import (
    ACCEPTED,
    REJECTED,
    chosen,
    is_open,
    open_cases,
    rejected_path,
    reviewed,
    unfit,
    with_reference,
)
from acidtest.project.golden_promote import who_and_when


class Wanted(Struct, frozen=True, kw_only=True):
    """What a person says.

    Attributes:
        accept: Ids of cases to accept.
        everything: Accept all that wait and are not rejected.
        reject: Ids of cases to take out.
        reference: The answer to the one case that is accepted.
        by: Who says so; by default the user.
    """

    accept: tuple[str, ...] = ()
    everything: bool = False
    reject: tuple[str, ...] = ()
    reference: str | None = None
    by: str | None = None


class Ruled(Struct, frozen=True, kw_only=True):
    """What was done, by case id.

    Attributes:
        golden: The set.
        accepted: Now marked accepted.
        rejected: No longer in the set.
        unfit: Left open, and why.
        open: How many cases still wait.
        rejected_to: Where rejected cases are kept.
    """

    format: str = "acidtest/golden-accept"
    version: int = 1
    golden: str
    accepted: tuple[str, ...]
    rejected: tuple[str, ...]
    unfit: dict[str, str]
    open: int
    rejected_to: str


def rule(golden: str, wanted: Wanted) -> Ruled:
    """Accept and reject cases of a set.

    Raises:
        UsageError: Nothing is named, a case is both accepted and rejected, or nothing would be left.
        UnknownName: There is no such case.
        BadGolden: The set cannot be read.
    """
    _check(wanted)
    with alone(golden):
        return _ruled(golden, wanted)


def _ruled(golden: str, wanted: Wanted) -> Ruled:
    file = read_file(golden)
    by, when = who_and_when(wanted.by)
    out = chosen(file.cases, wanted.reject, where=golden)
    named = chosen(file.cases, wanted.accept, where=golden)
    gone = {case.id for case in out}
    both = [case.id for case in named if case.id in gone]
    if both:
        raise UsageError(
            f"case {shown(both[0])} is both accepted and rejected",
            where=golden,
            fix="Name it once.",
        )
    if len(gone) == len(file.cases):
        raise UsageError("no case would be left", where=golden, fix="Delete the file instead.")
    if wanted.everything:
        named = tuple(case for case in open_cases(file.cases) if case.id not in gone)
    if wanted.reference is not None:
        named = tuple(with_reference(case, wanted.reference) for case in named)
    faults = {case.id: why for case in named if (why := unfit(case)) is not None}
    good = tuple(
        reviewed(case, ACCEPTED, by=by, when=when) for case in named if case.id not in faults
    )
    kept_at = rejected_path(golden)
    if out:
        # First there, then gone from here: whatever happens in between, nothing is lost.
        _keep(kept_at, tuple(reviewed(case, REJECTED, by=by, when=when) for case in out))
    if good or out:
        write_file(file, changed=good, removed=gone)
    done = {case.id for case in good} | gone
    return Ruled(
        golden=golden,
        accepted=tuple(case.id for case in good),
        rejected=tuple(case.id for case in out),
        unfit=faults,
        open=sum(is_open(case) and case.id not in done for case in file.cases),
        rejected_to=kept_at,
    )


def _check(wanted: Wanted) -> None:
    if not (wanted.accept or wanted.everything or wanted.reject):
        raise UsageError("no case is named", fix="Name cases, or give --all or --reject CASE.")
    if wanted.everything and wanted.accept:
        raise UsageError("give cases or --all, not both", fix="Leave one of them out.")
    if wanted.reference is not None and len(set(wanted.accept)) != 1:
        raise UsageError("--reference is the answer to one case", fix="Name that case.")


def _keep(path: str, cases: tuple[Case, ...]) -> None:
    file = read_file(path, new=True)
    there = {case.id for case in file.cases}
    write_file(
        file,
        changed=[case for case in cases if case.id in there],
        added=[case for case in cases if case.id not in there],
    )
