"""Telling who watches when changes of a quantity begin to be told: once, and again when that is another day."""

from collections.abc import Mapping, Sequence

from acidtest.data.watching import Reference
from acidtest.online.look import read_state
from acidtest.report.reference_words import reference_lines
from acidtest.store.alerts import Alerts


class References:
    """What was said; call it with a store's URL for the lines that are new."""

    def __init__(self) -> None:
        self._said: Mapping[str, tuple[str, int, int | None]] = {}

    def __call__(self, url: str) -> list[str]:
        """Return the lines that are new since the last call.

        Raises:
            StoreError: The store fails.
        """
        with Alerts(url) as kept:
            return self.news(read_state(kept).references)

    def news(self, some: Sequence[Reference]) -> list[str]:
        """Return lines of what is in another state than when it was last said; that it grew is no news."""
        # What is short looks for its beginning anew at each look.
        now = {r.metric: (r.state, r.since_ms if r.until_ms else 0, r.until_ms) for r in some}
        new = [r for r in some if self._said.get(r.metric) != now[r.metric]]
        self._said = now
        return reference_lines(new)
