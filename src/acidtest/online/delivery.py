"""What of the alerts did not arrive where it was to be told: nobody else says so."""

from collections import defaultdict
from collections.abc import Mapping

from acidtest.online.look import read_state
from acidtest.online.notify import Sent
from acidtest.store.alerts import Alerts


def undelivered(kept: Alerts) -> Mapping[tuple[str, str], list[Sent]]:
    """Return by key and state of an alert where the latest message of it did not arrive.

    Raises:
        StoreError: The store fails.
    """
    latest = {(each.key, each.state, each.to): each for each in read_state(kept).sent}
    found: dict[tuple[str, str], list[Sent]] = defaultdict(list)
    for (key, state, _), each in latest.items():
        if each.error:
            found[key, state].append(each)
    return found
