"""Calling what may be sync or async alone: sync where it goes, as that runs in a thread of its own.

A framework's object has both forms, and either may be missing inside: a node without a sync function, a
retriever that only awaits. What says so at its first question is awaited from then on.
"""

import inspect
import re
from collections.abc import Awaitable, Callable
from typing import Any

_ASYNC = re.compile(r"async|ainvoke|await|coroutine|synchronous|\bsync\b", re.IGNORECASE)


class Either:
    """A call in two forms.

    Args:
        plain: The sync form.
        awaited: The async form.
    """

    def __init__(self, plain: Callable[..., Any], awaited: Callable[..., Awaitable[Any]]) -> None:
        self._plain = plain
        self._awaited = awaited
        self._only_async = False

    def __call__(self, read: Callable[[Any], Any], *args: Any, **named: Any) -> Any:
        """Call it, and read what it gives; what comes back may have to be awaited."""
        if not self._only_async:
            try:
                value = self._plain(*args, **named)
            except (NotImplementedError, TypeError) as error:
                if not _wants_async(error):
                    raise
                self._only_async = True
            else:
                return read(value)
        return self._later(read, *args, **named)

    async def _later(self, read: Callable[[Any], Any], *args: Any, **named: Any) -> Any:
        found = read(await self._awaited(*args, **named))
        return await found if inspect.isawaitable(found) else found


def _wants_async(error: BaseException) -> bool:
    said = str(error)
    return bool(_ASYNC.search(said)) or (isinstance(error, NotImplementedError) and not said)
