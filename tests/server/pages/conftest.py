"""A store with traces made by hand, and an application over it."""

import time
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import opened, served  # noqa: F401 - fixtures of the folder above

from acidtest.codec.lossy import encoded
from acidtest.data.answers import Chunk, Latency, Usage
from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.data.traces import Feedback, Generation, Step, Trace
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_saving import Understood
from acidtest.store.trace_tables import trace_scores
from acidtest.store.traces import TraceStore

NOW = time.time_ns() // 1_000_000
MINUTE = 60_000
NASTY = (
    '<script>alert(1)</script> "\' onmouseover=alert(2) x=" <img src=x onerror=alert(3)> '
    "{{ 7 * 7 }} \u202eevil\u202c \x00\x1b[31m javascript:alert(4) </textarea></pre> &lt;b&gt; \ud800"
)


def chunk(n: int, name: str, text: str) -> Chunk:
    return Chunk(id=name, doc_id=name.partition("#")[0], text=text, rank=n, score=1 / n)


WARRANTY = chunk(1, "warranty#2", "Batteries are covered for twelve months from purchase.")
RETURNS = chunk(2, "returns#0", "You may return any item within 30 days.")
FAQ = chunk(3, "faq#9", "Frequently asked.")


def make(trace_id: str = "a1", minutes: int = 5, **more: Any) -> Trace:
    values: dict[str, Any] = {
        "id": trace_id,
        "name": "answer",
        "started_ns": (NOW - minutes * MINUTE) * 1_000_000,
        "question": "How long is the battery covered?",
        "answer": "Twelve months. Drops are covered too.",
        "retrieved": (WARRANTY, RETURNS),
        "candidates": (RETURNS, WARRANTY, FAQ),
        "steps": (
            Step(span_id="s1", kind="retriever", name="hybrid", chunks=(RETURNS, WARRANTY, FAQ)),
            Step(
                span_id="s2",
                kind="reranker",
                name="cross",
                chunks=(WARRANTY, RETURNS),
                given=(RETURNS, WARRANTY, FAQ),
                fed=True,
            ),
        ),
        "generations": (
            Generation(span_id="s3", model="small-2", input_tokens=800, output_tokens=60),
        ),
        "model": "small-2",
        "prompt_version": "v7",
        "usage": Usage(input_tokens=800, output_tokens=60, cost_usd=0.001, model="small-2"),
        "latency_ms": Latency(total=1234.0),
        "citations": ("warranty#2",),
        "session": "talk-1",
        "user": "ada",
        "service": "helpdesk",
        "tags": ("beta",),
        "spans": 4,
    }
    return Trace(**(values | more))


CLAIMS = (
    {"claim": "Twelve months.", "sentence": 1, "verdict": "supported", "passage": 1,
     "quote": "covered for twelve months", "why": "said so"},
    {"claim": "Drops are covered too.", "sentence": 2, "verdict": "unsupported"},
)  # fmt: skip
SCORES = {
    "faithfulness": Score(0.5, "1 of 2 claims supported", CLAIMS),
    "answer_relevance": Skip("the judge cannot judge a free rubric"),
    "context_usefulness": Failure("the judge did not answer", "ReadTimeout: 120 s"),
}


class Kept:
    """Puts rows into a store by hand."""

    def __init__(self, url: str) -> None:
        self.url = url

    def traces(self, *some: Trace) -> None:
        with TraceStore(self.url) as store:
            made = [Understood(trace=t, digest=f"d-{t.id}", declined=False) for t in some]
            store.save(made, now_ms=NOW)

    def scores(
        self, trace_id: str, outcomes: dict[str, Any], *, judge: str = "sha256:cafe"
    ) -> None:
        with TraceStore(self.url) as store, store._begin() as connection:
            rows = [
                {
                    "trace_id": trace_id,
                    "metric": metric,
                    "digest": f"d-{trace_id}",
                    "judge": judge,
                    "created": NOW,
                    "value": outcome.value if isinstance(outcome, Score) else None,
                    "body": encoded(outcome),
                }
                for metric, outcome in outcomes.items()
            ]
            connection.execute(trace_scores.insert(), rows)

    def job(self, trace_id: str, why: str = "sample") -> None:
        with TraceJobs(self.url) as jobs:
            jobs.enqueue([trace_id], why, now_ms=NOW)

    def dead(self, trace_id: str, error: str) -> None:
        self.job(trace_id)
        with TraceJobs(self.url) as jobs:
            for job in jobs.lease("w", 10, 60, now_ms=NOW):
                if job.trace_id == trace_id:
                    jobs.failed(job, error, now_ms=NOW, retry_ms=0, attempts=1)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(str(tmp_path / "served.db"))


@pytest.fixture
def typical(kept: Kept) -> Kept:
    """One trace with all there can be, and some plain ones."""
    bad = Feedback(score=-1.0, good=False, comment="Drops are not covered!")
    kept.traces(
        make("a1", feedback=(bad,)),
        make("a2", 4, question="Within how many days may I return it?"),
        make("b1", 3, session=None, model="large-1", service="shop", tags=(), answer=None,
             error="RateLimitError: 429", missing={"answer": "the generation failed"},
             retrieved=None, candidates=None, steps=(), feedback=()),
    )  # fmt: skip
    kept.scores("a1", SCORES)
    kept.scores("a2", {"faithfulness": Score(1.0)})
    return kept


def form_token(page: Any) -> str:
    return str(page.text.partition('name="form_token" value="')[2].partition('"')[0])
