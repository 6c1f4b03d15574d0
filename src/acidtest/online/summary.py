"""What a worker did, told at its end."""

from dataclasses import dataclass

from msgspec import Struct

from acidtest.store.spending import Day


class Summary(Struct, frozen=True, kw_only=True):
    """What a worker did.

    Attributes:
        traces: Traces that were due and looked at.
        scored: Traces whose scores were stored.
        skipped: Scores that did not apply.
        failed: Traces that failed and will be tried again.
        died: Traces that failed for the last time.
        dead: All in the queue that have failed too often.
        left_out: All in the queue that some day's budget left out.
        deleted: Traces that were older than they may be.
        sent: Traces whose results were sent back, and
        unsent: whose results could not be.
        alerts: Alerts that are open.
        waiting: Traces that still wait to be scored.
        away: The judge's endpoint is gone: traces wait for it, and no attempt at them counts.
        spent: What was spent today, by all workers.
    """

    traces: int = 0
    scored: int = 0
    skipped: int = 0
    failed: int = 0
    died: int = 0
    dead: int = 0
    left_out: int = 0
    deleted: int = 0
    sent: int = 0
    unsent: int = 0
    alerts: int = 0
    waiting: int = 0
    away: bool = False
    spent: Day

    @property
    def incomplete(self) -> bool:
        """Whether something that was due could not be scored."""
        return bool(self.failed or self.died or (self.away and self.waiting))


@dataclass
class Counts:
    """What one worker did so far; see `Summary`."""

    traces: int = 0
    scored: int = 0
    skipped: int = 0
    failed: int = 0
    died: int = 0
    deleted: int = 0
    alerts: int = 0
