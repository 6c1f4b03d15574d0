"""Recording answers from an application that has no tracing: two lines, and never in its way.

    trace_id = at.record(question=..., answer=..., contexts=[...])
    at.feedback(trace_id, score=1)

Both return at once, the first time too: what sending needs is imported by a thread in the background, which
sends to `acidtest serve`, in OTLP; what it cannot send is dropped and counted, and the log says so once. Nothing is
ever raised into the application.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from acidtest.tracing.recording.kept import Later, first_of, kept, size_of
from acidtest.tracing.recording.loading import loaded
from acidtest.tracing.recording.sender import Sender
from acidtest.tracing.recording.service import service_name

if TYPE_CHECKING:
    from acidtest.data.answers import Latency, Usage

DEFAULT_URL = "http://127.0.0.1:7373"
"""Where `acidtest serve` listens unless it is told otherwise."""


class Recorder:
    """Sends answers to one server.

    Args:
        url: The server; by default `ACIDTEST_URL`, else `http://127.0.0.1:7373`.
        token: What the server asks for; by default `ACIDTEST_TOKEN`.
        service: The application's name; by default `OTEL_SERVICE_NAME`, else `service.name` in
            `OTEL_RESOURCE_ATTRIBUTES`, else `unknown_service:` and the name of the program.
        most: Answers that may wait to be sent; one that comes when so many wait is dropped.
        timeout_s: Seconds after which a silent server counts as down.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        service: str | None = None,
        most: int = 2_000,
        timeout_s: float = 10.0,
    ) -> None:
        self._sender = Sender(
            url or os.environ.get("ACIDTEST_URL") or DEFAULT_URL,
            token or os.environ.get("ACIDTEST_TOKEN"),
            service=service or service_name(),
            most=most,
            timeout_s=timeout_s,
        )

    @property
    def dropped(self) -> int:
        """How many answers and pieces of feedback could not be sent."""
        return self._sender.dropped

    @property
    def sent(self) -> int:
        """How many the server has."""
        return self._sender.sent

    def record(
        self,
        *,
        question: str,
        answer: str | None = None,
        contexts: Iterable[Any] | None = None,
        session: str | None = None,
        user: str | None = None,
        model: str | None = None,
        usage: "Usage | Mapping[str, Any] | None" = None,
        latency_ms: "float | Latency | Mapping[str, Any] | None" = None,
        feedback: Any = None,
        tags: Iterable[str] = (),
        metadata: Mapping[str, Any] | None = None,
        prompt_version: str | None = None,
        error: str | None = None,
    ) -> str:
        """Record one answer; the arguments are those of `acidtest.record`."""
        trace_id = os.urandom(16).hex()
        try:
            given = {
                "question": question,
                "answer": answer,
                "contexts": first_of(contexts),
                "session": session,
                "user": user,
                "model": model,
                "usage": usage,
                "latency_ms": latency_ms,
                "feedback": feedback,
                "tags": list(tags),
                "metadata": metadata,
                "prompt_version": prompt_version,
                "error": error,
                "now": time.time_ns(),
            }
            self._put(_answer, trace_id, given)
        except Exception as fault:  # noqa: BLE001 - whatever it is, the application goes on
            self._sender.refuse(f"an answer cannot be written down ({fault!r})"[:500])
        return trace_id

    def feedback(
        self,
        trace_id: str,
        *,
        score: float | None = None,
        label: str | None = None,
        comment: str | None = None,
        name: str = "feedback",
    ) -> None:
        """Record what a user said of an answer; the arguments are those of `acidtest.feedback`."""
        try:
            told = str(trace_id).replace("-", "").lower()
            bytes.fromhex(told)
            if len(told) != 32:
                self._sender.refuse(f"{told[:40]!r} is no trace id of 32 hex digits")
                return
            said = {"score": score, "label": label, "comment": comment, "name": name}
            self._put(_feedback, told, {**said, "now": time.time_ns()})
        except Exception as fault:  # noqa: BLE001 - as above
            self._sender.refuse(f"feedback cannot be written down ({fault!r})"[:500])

    def _put(
        self, write: Callable[[str, dict[str, Any]], bytes], trace_id: str, given: dict[str, Any]
    ) -> None:
        if loaded():
            self._sender.put(write(trace_id, given))
            return
        # Nothing is there yet that could write it down: as it is now, it is handed over.
        now = kept(given)
        self._sender.put(Later(size_of(now), lambda: write(trace_id, now)))

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until everything is sent or dropped; False when the time was not enough."""
        return self._sender.flush(timeout_s)

    def close(self, timeout_s: float = 5.0) -> None:
        """Send what is left and stop; the end of the program does it too, for three seconds."""
        self._sender.close(timeout_s)


def _answer(trace_id: str, given: dict[str, Any]) -> bytes:
    from acidtest.tracing.recording import spans

    return spans.written(spans.answer_spans(trace_id, **given))


def _feedback(trace_id: str, given: dict[str, Any]) -> bytes:
    from acidtest.tracing.recording import spans

    said = spans.judged(
        given["score"], label=given["label"], comment=given["comment"], name=given["name"]
    )
    return spans.written([spans.feedback_span(trace_id, said, given["now"])])


_lock = threading.Lock()
_recorders: dict[tuple[str | None, str | None, str | None], Recorder] = {}


def record(
    *,
    question: str,
    answer: str | None = None,
    contexts: Iterable[Any] | None = None,
    session: str | None = None,
    user: str | None = None,
    model: str | None = None,
    usage: "Usage | Mapping[str, Any] | None" = None,
    latency_ms: "float | Latency | Mapping[str, Any] | None" = None,
    feedback: Any = None,
    tags: Iterable[str] = (),
    metadata: Mapping[str, Any] | None = None,
    prompt_version: str | None = None,
    error: str | None = None,
    url: str | None = None,
) -> str:
    """Record one answer of a live system, and return its trace id at once.

    Args:
        question: What was asked.
        answer: What was answered.
        contexts: What was retrieved and given to the generator, in order: texts, `Chunk`s, mappings with
            `text`, `id`, `score`, `source`, or LangChain's documents. None says that it is not known,
            an empty list that nothing was found.
        session: The conversation that it belongs to.
        user: Who asked.
        model: The language model that answered.
        usage: `input_tokens`, `output_tokens`, `cost_usd`.
        latency_ms: Milliseconds in all, or `{"retrieve": ..., "generate": ..., "total": ...}`.
        feedback: What the user said of it, if that is known by now: see `acidtest.feedback`.
        tags: What to find it by.
        metadata: Anything else that JSON can hold.
        prompt_version: Which prompt was used.
        error: What went wrong, if the answer failed.
        url: The server; by default `ACIDTEST_URL`, else `http://127.0.0.1:7373`.

    Returns:
        The trace id, 32 hex digits.
    """
    return _default(url).record(
        question=question,
        answer=answer,
        contexts=contexts,
        session=session,
        user=user,
        model=model,
        usage=usage,
        latency_ms=latency_ms,
        feedback=feedback,
        tags=tags,
        metadata=metadata,
        prompt_version=prompt_version,
        error=error,
    )


def feedback(
    trace_id: str,
    *,
    score: float | None = None,
    label: str | None = None,
    comment: str | None = None,
    name: str = "feedback",
    url: str | None = None,
) -> None:
    """Record what a user said of an answer, whenever it comes.

    Args:
        trace_id: What `record` returned, or the trace id of any other tracing.
        score: 1 (or True) for thumbs up, 0 (or False) or -1 for thumbs down, or any other scale.
        label: What it was called, such as "thumbs_down".
        comment: The user's words.
        name: What was rated.
        url: The server, as for `record`.
    """
    _default(url).feedback(trace_id, score=score, label=label, comment=comment, name=name)


def _default(url: str | None) -> Recorder:
    key = (url, os.environ.get("ACIDTEST_URL"), os.environ.get("ACIDTEST_TOKEN"))
    found = _recorders.get(key)
    if found is None:
        with _lock:
            found = _recorders.get(key) or _recorders.setdefault(key, Recorder(url))
    return found
