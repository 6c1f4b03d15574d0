"""Embedding texts batch by batch, each tried again by itself: one failure does not repeat the rest."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from acidtest.judges.retry import Tries


class BatchEmbedder(Protocol):
    """What embeds one batch at a time."""

    model: str

    @property
    def input_tokens(self) -> int:
        """What all calls took so far."""

    def batches(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """Cut texts into batches that the endpoint takes."""

    async def embed_batch(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed one batch."""


class RetryingEmbedder:
    """An embedder (`ports.Embedder`) over one that takes batches: each batch is tried again.

    Args:
        embedder: The one that is asked.
        tries: What is shared with others at the same endpoint.
    """

    def __init__(self, embedder: BatchEmbedder, tries: Tries) -> None:
        self._embedder = embedder
        self.model = embedder.model
        self.tries = tries

    @property
    def input_tokens(self) -> int:
        """What all calls took so far."""
        return self._embedder.input_tokens

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector per text, in order; see `Tries.run` for what is raised."""
        batches = self._embedder.batches(texts)
        tasks = [asyncio.create_task(self._batch(batch)) for batch in batches]
        try:
            return [vector for vectors in await asyncio.gather(*tasks) for vector in vectors]
        finally:
            for task in tasks:  # one failed, or the whole was cancelled
                task.cancel()

    async def _batch(self, texts: Sequence[str]) -> list[list[float]]:
        return await self.tries.run(lambda: self._embedder.embed_batch(texts))
