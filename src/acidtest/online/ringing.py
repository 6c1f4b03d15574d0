"""The program that a message is handed to apprise in: `acidtest.online.apart` starts it, and ends it.

It reads one JSON object: the folder that apprise is in, an address, messages of a title and a text, and for how
many seconds it may go on. It answers a line when it is ready, and one for each message. It imports nothing of
acidtest, so it is there in a moment.
"""

import json
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

READY, UNKNOWN, ARRIVED, LOST, FAILED = "ready", "unknown", "arrived", "lost", "failed "

_MEMORY = 1 << 30
"""Bytes that it may have: some services read all that is answered to them."""


def _ring(given: dict[str, Any], told: TextIO) -> None:
    sys.path.append(given["folder"])
    import apprise

    service = apprise.Apprise()
    if not service.add(given["address"]):
        print(UNKNOWN, file=told, flush=True)
        return
    print(READY, file=told, flush=True)
    for title, text in given["messages"]:
        try:
            # Said to be plain text, it is escaped for services that read markup.
            done = service.notify(body=text, title=title, body_format="text")
            said = ARRIVED if done else LOST
        except Exception as failure:  # noqa: BLE001 - plugins raise what they like
            said = FAILED + type(failure).__name__
        print(said, file=told, flush=True)


def _bounded(seconds: float) -> None:
    """End by itself where nobody is left who would; take no more memory than is good."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import signal

        signal.alarm(int(seconds) + 1)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _main() -> None:
    given = json.load(sys.stdin)
    told = os.fdopen(os.dup(1), "w")
    # What a plugin prints is no answer of ours.
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    _bounded(given["seconds"])
    _ring(given, told)


if __name__ == "__main__":
    _main()
