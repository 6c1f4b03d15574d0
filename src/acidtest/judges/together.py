"""Prompts that begin alike, asked together: one goes ahead, so that the others find its beginning cached.

Providers keep the beginning of a prompt for some minutes and charge little for it when it comes again
(a tenth at OpenAI and Anthropic). Prompts that start in the same instant find nothing: what they share is
kept only when the first is through. So the first of a case waits `COMPANY_S` for company; when others that
begin alike have come by then, it goes ahead and they follow when its reply is there.

That costs them one call's time, not the run: other cases go on meanwhile. It is worth it where the
beginning is long, and only then done. With P tokens of passages and k prompts that read them, input costs

    all at once                             k P
    one ahead, cached by itself             P + 0.1 (k - 1) P        k = 2: 1.1 P for 2 P
    one ahead, marked (Anthropic)           1.25 P + 0.1 (k - 1) P   k = 2: 1.35 P for 2 P, k = 1: 1.25 P

so a prompt without company is never marked. OpenAI and Anthropic put an enforced schema before the whole
prompt, where it differs from metric to metric and nothing after it is found again: prompts that go together
have their schema in words at the end instead. What comes back is checked all the same, and a reply that
is not valid is asked again with the schema enforced.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

COMPANY_S = 0.02
"""How long the first waits for others: all metrics of a case start within some milliseconds."""


class _Group:
    """Prompts that begin alike, while any of them is being asked."""

    def __init__(self) -> None:
        self.members = 1
        self.through = asyncio.Event()


class Together:
    """What the prompts of one judge share.

    Args:
        least: Characters from which a beginning is worth it; None for never.
    """

    def __init__(self, least: int | None) -> None:
        self._least = least
        self._groups: dict[str, _Group] = {}

    @asynccontextmanager
    async def turn(self, beginning: str) -> AsyncIterator[bool]:
        """Wait for the turn to be asked; yield whether others that begin alike are asked with it."""
        if self._least is None or len(beginning) < self._least:
            yield False
            return
        group = self._groups.get(beginning)
        if group is not None:
            group.members += 1
            try:
                await group.through.wait()
                yield True
            finally:
                self._left(beginning, group)
            return
        group = self._groups[beginning] = _Group()
        try:
            await asyncio.sleep(COMPANY_S)
            alone = group.members == 1
            if alone:  # it is sent in another form: who comes later finds nothing of it
                del self._groups[beginning]
            yield not alone
        finally:
            group.through.set()
            self._left(beginning, group)

    def _left(self, beginning: str, group: _Group) -> None:
        group.members -= 1
        if not group.members and self._groups.get(beginning) is group:
            del self._groups[beginning]
