"""Runs over time: one line a commit."""

from msgspec import Struct

from acidtest.data.runs import Commit


class Moment(Struct, frozen=True, kw_only=True):
    """One line of a history: the newest run of one commit.

    Attributes:
        run: The run's id.
        created: When it was made.
        commit: The commit; None where the code was in none.
        judge: The judge's model, if there was one.
        golden: The golden set's version.
        cases: How many cases it has.
        values: The mean, percentile or cost of each column; absent where the run has none.
        moved: +1 or -1 for each column that is clearly better or worse than in the line before; absent
            where it is not, or where the two have no case in common.
        runs: How many runs of this commit there are; the newest is shown.
    """

    run: str
    created: str
    commit: Commit | None
    judge: str | None
    golden: str
    cases: int
    values: dict[str, float] = {}
    moved: dict[str, int] = {}
    runs: int = 1


class History(Struct, frozen=True, kw_only=True, tag_field="format", tag="acidtest/history"):
    """The runs of one name over time, oldest first.

    `columns` are metrics and operations (`latency_ms.total.p95`, `cost_usd`); `directions` say which
    way each is better. `version` is the form's, as JSON. `notes` are what breaks the line: another golden set, another judge.
    """

    version: int = 1
    name: str
    columns: tuple[str, ...]
    directions: dict[str, str]
    moments: tuple[Moment, ...]
    notes: tuple[str, ...] = ()
    left_out: int = 0
