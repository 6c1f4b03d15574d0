"""What the layers between a metric and the model cost: `python benchmarks/judge_layers.py [--cases 200] [--in-flight 16]`.

A stub of a model runs as a process of its own and takes a fixed time a call. Four prompts a case go
through everything that stands between a metric and the model: rendering, schema, limiter, retries,
HTTP, parsing, checks. Printed for each layer: wall time over the ideal (calls x latency / in flight),
processor time of this process a call, and its peak memory.
"""

import argparse
import asyncio
import random
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from acidtest.judges.backend import Request
from acidtest.judges.limit import Limiter
from acidtest.judges.llm import LLMJudge
from acidtest.judges.openai_http import OpenAIBackend
from acidtest.judges.retry import Retrying, Tries
from acidtest.judges.schema import schema
from acidtest.judges.session import Session
from acidtest.metrics.contexts.context_recall import CONTEXT_RECALL
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.metrics.generation.faithfulness import FAITHFULNESS

STUB = Path(__file__).resolve().parents[1] / "tests/judges/stub.py"
WORDS = ["the", "plan", "refund", "month", "price", "order", "team", "page", "claim", "store"]
Call = Callable[[int], Awaitable[object]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--latency-ms", type=float, default=50.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    command = [sys.executable, str(STUB), "--latency-ms", str(options.latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stub:
        try:
            address = stub.stdout.readline().split()[1]
            asyncio.run(measure(f"{address}/v1", options))
        finally:
            stub.kill()


async def measure(address: str, options: argparse.Namespace) -> None:
    """Time each layer, interleaved, and print the medians."""
    calls = 4 * options.cases
    ideal = calls * options.latency_ms / 1000 / options.in_flight
    shared = Session()
    backend = OpenAIBackend("stub", base_url=address, session=shared)
    tries = Tries(backend.endpoint, limiter=Limiter(options.in_flight))
    judge = LLMJudge(Retrying(backend, tries))
    asked = list(questions(options.cases))
    requests = [plain_request(prompt, fields) for prompt, fields in asked]
    gate = asyncio.Semaphore(options.in_flight)

    async def bare(n: int) -> None:
        async with gate:
            await backend.complete(requests[n])

    async def limited(n: int) -> None:
        await judge._backend.complete(requests[n])  # noqa: SLF001 - a layer is measured

    async def whole(n: int) -> None:
        prompt, fields = asked[n]
        await judge.ask(prompt, **fields)

    layers: dict[str, Call] = {
        "backend and a semaphore": bare,
        "with limiter and retries": limited,
        "the whole judge": whole,
    }
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in layers}
    await asyncio.gather(*(bare(n) for n in range(min(calls, 64))))  # connections, caches
    for _ in range(options.rounds):
        for name, call in layers.items():
            wall, cpu = time.perf_counter(), time.process_time()
            await through(call, calls, 2 * options.in_flight)
            taken[name].append((time.perf_counter() - wall, time.process_time() - cpu))
    await shared.aclose()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{calls} calls, {options.in_flight} in flight, {options.latency_ms:g} ms: {ideal:.2f} s")
    for name, pairs in taken.items():
        wall = sorted(pair[0] for pair in pairs)[len(pairs) // 2]
        cpu = sorted(pair[1] for pair in pairs)[len(pairs) // 2]
        print(f"{name:26} wall/ideal {wall / ideal:5.2f}   {1000 * cpu / calls:.2f} ms a call")
    print(f"peak memory {memory:.0f} MB")


async def through(call: Call, calls: int, window: int) -> None:
    """Make all calls, a window of them at a time: no prompt is rendered long before its turn."""
    turns = iter(range(calls))

    async def work() -> None:
        for n in turns:
            await call(n)

    await asyncio.gather(*(work() for _ in range(window)))


def questions(cases: int) -> Iterable[tuple]:
    """Make four questions a case: five passages of 120 words, an answer of three sentences."""
    draw = random.Random(11)
    for n in range(cases):
        text = [" ".join(draw.choices(WORDS, k=120)) + "." for _ in range(5)]
        sentences = [f"Sentence {n} {' '.join(draw.choices(WORDS, k=12))}." for _ in range(3)]
        case = {"passages": text, "question": f"What is {n}?"}
        answer = " ".join(sentences)
        yield FAITHFULNESS, {**case, "sentences": sentences}
        yield CONTEXT_RECALL, {**case, "sentences": sentences}
        yield CONTEXT_USEFULNESS, {**case, "answer": answer}
        yield CORRECTNESS, {"question": case["question"], "reference": answer, "answer": answer}


def plain_request(prompt, fields) -> Request:
    """Make a request as long as the judge's, without rendering."""
    text = "\n".join(str(value) for value in fields.values()) + prompt.template
    form = schema(prompt, fields)
    return Request(text=text, schema=form, schema_name=prompt.name, max_tokens=4096)


if __name__ == "__main__":
    main()
