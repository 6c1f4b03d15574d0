"""Embedding batch by batch, in virtual time."""

import asyncio
import random

import pytest

from acidtest.errors import JudgeError
from acidtest.judges.backend import Unreachable
from acidtest.judges.limit import Limiter
from acidtest.judges.retry import Tries
from acidtest.judges.retry_embed import RetryingEmbedder


def tries(limiter=None):
    return Tries("http://x", limiter=limiter, rng=random.Random(1))


class Batches:
    model = "m"

    def __init__(self, fail_at=()):
        self.calls = []
        self.fail_at = set(fail_at)

    def batches(self, texts):
        return [texts[i : i + 2] for i in range(0, len(texts), 2)]

    async def embed_batch(self, texts):
        self.calls.append(tuple(texts))
        await asyncio.sleep(5 - len(self.calls))  # later ones are back first
        if len(self.calls) - 1 in self.fail_at:
            self.fail_at.clear()
            raise Unreachable("cut")
        return [[float(text)] for text in texts]


def test_embeddings_are_tried_again_batch_by_batch_and_keep_their_order(virtual):
    async def main():
        batches = Batches(fail_at={2})
        embedder = RetryingEmbedder(batches, tries(limiter=Limiter(4)))
        return await embedder.embed(["1", "2", "3", "4", "5"]), batches.calls

    vectors, calls = virtual.run(main())
    assert vectors == [[1.0], [2.0], [3.0], [4.0], [5.0]]
    assert len(calls) == 4


def test_a_batch_that_fails_for_good_ends_the_others(virtual):
    class Bad(Batches):
        model = "m"

        async def embed_batch(self, texts):
            if texts[0] == "3":
                raise JudgeError("refused")
            await asyncio.sleep(1000)

    async def main():
        with pytest.raises(JudgeError, match="refused"):
            await RetryingEmbedder(Bad(), tries()).embed(["1", "2", "3"])
        await asyncio.sleep(0)
        return asyncio.get_running_loop().time(), len(asyncio.all_tasks())

    assert virtual.run(main()) == (0.0, 1)
