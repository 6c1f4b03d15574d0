"""A model's endpoint in a process of its own that counts: calls, most in flight, faults.

It answers chat completions with an instance of the schema that the request carries, after a fixed time.
`GET /stats` tells the counts, `POST /control` sets them to nothing and the share of calls that fail. Which
calls fail depends on their text and on how often it came, so that every run meets the same faults and a
call that is repeated may succeed.
"""

import argparse
import asyncio
import contextlib
import hashlib
import json
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.judges.stub import Asked, Reply, Stub, chat, says

BROKEN = (
    b'{"choices": [{"message": {"content": "{\\"sentences\\": [,,"}, "finish_reason": "stop"}]}'
)
FAULTS = (
    Reply(status=429, headers={"Retry-After": "1"}),
    Reply(status=500),
    Reply(BROKEN),
)


class Counting:
    """What the endpoint was asked."""

    def __init__(self, stub: Stub) -> None:
        self.stub = stub
        self.share = 0.0
        self.reset()

    def reset(self) -> None:
        """Begin to count anew."""
        self.calls = self.failed = 0
        self.seen: Counter[bytes] = Counter()
        self.first = self.last = 0.0
        self.stub.peak = self.stub.connections = 0

    def answer(self, asked: Asked) -> Reply:
        """Answer a request, and count it if it is a judgement."""
        if asked.path.endswith("/models"):
            return says({"data": [{"id": "stub"}]})
        if asked.path == "/control":
            self.share = asked.json["faults"]
            self.reset()
            return says({})
        if asked.path == "/stats":
            return says(self.counts())
        self.calls += 1
        self.last = time.monotonic()
        self.first = self.first or self.last
        digest = hashlib.sha256(asked.raw).digest()
        self.seen[digest] += 1
        drawn = hashlib.sha256(b"%d" % self.seen[digest] + digest).digest()
        if int.from_bytes(drawn[:4]) / 2**32 < self.share:
            self.failed += 1
            return FAULTS[drawn[4] % len(FAULTS)]
        return chat(asked)

    def counts(self) -> dict[str, float]:
        """Return what was counted."""
        return {
            "calls": self.calls,
            "failed": self.failed,
            "peak": self.stub.peak,
            "connections": self.stub.connections,
            "span_s": self.last - self.first + self.stub.latency_s,
        }


async def serve(latency_s: float) -> None:
    stub = Stub(latency_s=latency_s)
    stub.script = [Counting(stub).answer]
    stub.keep = False
    await stub.start()
    print(json.dumps({"origin": stub.origin}), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency-ms", type=float, default=50.0)
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(options.latency_ms / 1000))
