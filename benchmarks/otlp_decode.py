"""What one span costs to receive and to open, in protobuf and in JSON: microseconds of processor time.

Spans are of about 5 kB, with five retrieved documents each, in requests of 64. The least of several rounds
counts: other work on the machine only ever adds.

    python benchmarks/otlp_decode.py
"""

import json
import os
import random
import time
from collections.abc import Callable
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from acidtest.data.spans import Arrivals
from acidtest.tracing.otlp.encode import pairs
from acidtest.tracing.otlp.open import opened
from acidtest.tracing.otlp.receive import read_json, read_protobuf

SPANS, ROUNDS, TIMES = 64, 15, 20
WORDS = [
    "the",
    "customer",
    "may",
    "return",
    "an",
    "order",
    "within",
    "thirty",
    "days",
    "of",
    "its",
    "delivery",
    "to",
    "any",
    "shop",
]


def attributes(rng: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {"openinference.span.kind": "RETRIEVER", "input.value": "How long?"}
    for i in range(5):
        at = f"retrieval.documents.{i}.document"
        found[f"{at}.id"] = f"doc-{rng.randrange(10**6)}"
        found[f"{at}.content"] = " ".join(rng.choices(WORDS, k=140))
        found[f"{at}.score"] = rng.random()
        found[f"{at}.metadata"] = json.dumps({"page": rng.randrange(400)})
    return found


def bodies() -> tuple[bytes, bytes]:
    rng = random.Random(7)
    message = ExportTraceServiceRequest()
    group = message.resource_spans.add()
    group.resource.attributes.add(key="service.name").value.string_value = "shop"
    part = group.scope_spans.add()
    part.scope.name = "rag"
    spans = []
    for _ in range(SPANS):
        trace_id, span_id = os.urandom(16), os.urandom(8)
        start, end = 1_764_489_600_000_000_000, 1_764_489_601_000_000_000
        one = part.spans.add(trace_id=trace_id, span_id=span_id, name="retrieve")
        one.start_time_unix_nano, one.end_time_unix_nano = start, end
        told = attributes(rng)
        for key, value in told.items():
            held = one.attributes.add(key=key).value
            if isinstance(value, str):
                held.string_value = value
            else:
                held.double_value = value
        spans.append(
            {
                "traceId": trace_id.hex(),
                "spanId": span_id.hex(),
                "name": "retrieve",
                "startTimeUnixNano": str(start),
                "endTimeUnixNano": str(end),
                "attributes": pairs(told),
            }
        )
    resource = {"attributes": pairs({"service.name": "shop"})}
    scope = [{"scope": {"name": "rag"}, "spans": spans}]
    request = {"resourceSpans": [{"resource": resource, "scopeSpans": scope}]}
    return message.SerializeToString(), json.dumps(request).encode()


def least(work: Callable[[], object]) -> float:
    rounds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(TIMES):
            work()
        rounds.append((time.process_time() - began) / TIMES / SPANS * 1e6)
    return min(rounds)


def open_all(arrivals: Arrivals) -> None:
    for each in arrivals.spans:
        opened(each.form, each.body, arrivals.origins[each.origin])


def main() -> None:
    print(f"{'form':<10}{'bytes a span':>14}{'receive':>10}{'open':>10}")
    protobuf, as_json = bodies()
    for name, read, body in (
        ("protobuf", read_protobuf, protobuf),
        ("json", read_json, as_json),
    ):
        arrivals = read(body)
        assert len(arrivals.spans) == SPANS  # noqa: S101 - a benchmark of nothing is none
        receive = least(lambda read=read, body=body: read(body))
        opening = least(lambda arrivals=arrivals: open_all(arrivals))
        print(f"{name:<10}{len(body) // SPANS:>14}{receive:>10.1f}{opening:>10.1f}")


if __name__ == "__main__":
    main()
