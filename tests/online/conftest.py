"""Live traces for tests: spans of a small RAG system, and rooms of a store to put them into."""

from collections.abc import Callable, Iterator

import pytest

from acidtest.data.spans import Span
from acidtest.online.rooms import Rooms, open_rooms
from acidtest.tracing.otlp.open import gathered

CONTEXT = "The warranty lasts two years from the day of purchase."


def rag_spans(
    trace_id: str,
    *,
    question: str = "How long does the warranty last?",
    answer: str = "The warranty lasts two years.",
    contexts: tuple[str, ...] = (CONTEXT,),
    doc: str = "warranty.md",
    start_s: float = 1_000.0,
    took_s: float = 1.0,
    status: str = "ok",
    **attributes: object,
) -> list[Span]:
    """Return the spans of one answer in OpenInference's names."""
    start, end = int(start_s * 1e9), int((start_s + took_s) * 1e9)
    found: dict[str, object] = {"openinference.span.kind": "RETRIEVER", "input.value": question}
    for n, text in enumerate(contexts):
        found[f"retrieval.documents.{n}.document.content"] = text
        found[f"retrieval.documents.{n}.document.id"] = f"{doc}#{n}"
    root = {"openinference.span.kind": "CHAIN", "input.value": question, "output.value": answer}
    return [
        Span(
            trace_id=trace_id,
            span_id=f"{n:016x}",
            parent_id=None if n == 1 else f"{1:016x}",
            name=name,
            start_ns=start,
            end_ns=end,
            status=status if n == 1 else "ok",  # type: ignore[arg-type]
            attributes={**some, **(attributes if n == 1 else {})},
            resource={"service.name": "shop"},
        )
        for n, name, some in ((1, "rag", root), (2, "retrieve", found))
    ]


Send = Callable[..., None]


@pytest.fixture(scope="session")
def spans_of() -> Callable[..., list[Span]]:
    """Give the maker of spans."""
    return rag_spans


@pytest.fixture
def rooms(tmp_path) -> Iterator[Rooms]:
    """The rooms of a new store."""
    with open_rooms(str(tmp_path / "online.db")) as opened:
        yield opened


@pytest.fixture
def send(rooms) -> Send:
    """Give a function that stores the spans of an answer; they are due at once."""

    def stored(*trace_ids: str, now: int = 0, **more: object) -> None:
        for trace_id in trace_ids:
            spans = rag_spans(trace_id, **more)  # type: ignore[arg-type]
            rooms.spans.add([gathered(spans)], now_ms=now, quiet_ms=0, ended_ms=0)

    return stored
