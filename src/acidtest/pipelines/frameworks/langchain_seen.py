"""What goes on inside a LangChain object while it answers: retrievals, calls of models, their times.

Most chains give back a text alone. LangChain tells callbacks of each retriever's documents and of each
model's usage, and so contexts are known from the very call that made the answer.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Step:
    """One call of a retriever or a model."""

    kind: str
    start: float
    end: float | None = None
    documents: tuple[Any, ...] | None = None


@dataclass
class Seen:
    """The steps of one answer, by their run's id, and whose part each is."""

    steps: dict[Any, Step] = field(default_factory=dict)
    parents: dict[Any, Any] = field(default_factory=dict)
    input_tokens: int = 0
    output_tokens: int = 0
    counted: bool = False
    model: str | None = None

    def retrievals(self, within: Any = None) -> list[tuple[Any, Step]]:
        """Return the finished retrievals that are nearest below a run, or that are no part of another."""
        return [
            (run, step)
            for run, step in list(self.steps.items())
            if step.kind == "retriever"
            and step.documents is not None
            and self._above(run) == within
        ]

    def documents(self) -> list[Any] | None:
        """Return what the outermost retrievals gave, in the order in which they were made."""
        found = self.retrievals()
        return [one for _, step in found for one in step.documents or ()] if found else None

    def candidates(self) -> list[Any] | None:
        """Return what the one retriever inside the one retriever gave: its first stage."""
        outer = self.retrievals()
        inner = self.retrievals(outer[0][0]) if len(outer) == 1 else []
        return list(inner[0][1].documents or ()) if len(inner) == 1 else None

    def usage(self) -> dict[str, Any] | None:
        """Return the tokens of all models together, and the last model's name."""
        if not self.counted and self.model is None:
            return None
        tokens = {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}
        return {**(tokens if self.counted else {}), "model": self.model}

    def latency_ms(self) -> dict[str, float] | None:
        """Return how long retrievals and models took; steps that overlap count once."""
        times = {
            name: _covered([s for s in list(self.steps.values()) if s.kind == kind])
            for name, kind in (("retrieve", "retriever"), ("generate", "model"))
        }
        return {name: ms for name, ms in times.items() if ms is not None} or None

    def _above(self, run: Any) -> Any:
        above = self.parents.get(run)
        for _ in range(1000):
            if above is None or above not in self.parents:
                return None
            if above in self.steps and self.steps[above].kind == "retriever":
                return above
            above = self.parents[above]
        return None


def _covered(steps: Sequence[Step]) -> float | None:
    spans = sorted((s.start, s.end) for s in steps if s.end is not None)
    total, until = 0.0, 0.0
    for start, end in spans:
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total * 1000 if spans else None


class _Told:
    """Writes down what LangChain tells."""

    run_inline = True

    def __init__(self, seen: Seen) -> None:
        self._seen = seen

    def on_chain_start(self, *_: Any, **named: Any) -> None:
        """Note whose part it is."""
        self._seen.parents[named["run_id"]] = named.get("parent_run_id")

    on_tool_start = on_chain_start

    def on_retriever_start(self, *_: Any, **named: Any) -> None:
        """Begin a retrieval."""
        self._begin("retriever", named)

    def on_retriever_end(self, documents: Any, **named: Any) -> None:
        """End a retrieval."""
        step = self._end(named)
        if step is not None and isinstance(documents, list | tuple):
            step.documents = tuple(documents)

    def on_llm_start(self, *_: Any, **named: Any) -> None:
        """Begin a model's call."""
        self._begin("model", named)

    on_chat_model_start = on_llm_start

    def on_llm_end(self, response: Any, **named: Any) -> None:
        """End a model's call."""
        self._end(named)
        _count(self._seen, response)

    def _begin(self, kind: str, named: dict[str, Any]) -> None:
        self._seen.parents[named["run_id"]] = named.get("parent_run_id")
        self._seen.steps[named["run_id"]] = Step(kind, time.perf_counter())

    def _end(self, named: dict[str, Any]) -> Step | None:
        step = self._seen.steps.get(named["run_id"])
        if step is not None:
            step.end = time.perf_counter()
        return step


def handler(seen: Seen) -> Any:
    """Return a callback handler that writes down what it is told."""
    from langchain_core.callbacks import BaseCallbackHandler

    # Made here, as the base class is known only where LangChain is.
    return type("AcidtestHandler", (_Told, BaseCallbackHandler), {})(seen)


def _count(seen: Seen, response: Any) -> None:
    output = getattr(response, "llm_output", None)
    told = output if isinstance(output, dict) else {}
    messages = [
        message
        for generations in getattr(response, "generations", ())
        for one in generations
        if (message := getattr(one, "message", None)) is not None
    ]
    usages = [getattr(message, "usage_metadata", None) for message in messages]
    # One model tells its tokens with each message, another once for all of them.
    for usage in usages if any(usages) else [told.get("token_usage")]:
        if isinstance(usage, dict):
            _add(seen, usage)
    abouts = [getattr(message, "response_metadata", None) for message in messages]
    names = [
        about.get(name)
        for about in (told, *abouts)
        if isinstance(about, dict)
        for name in ("model_name", "model")
    ]
    seen.model = next((name for name in reversed(names) if isinstance(name, str)), seen.model)


def _add(seen: Seen, usage: dict[str, Any]) -> None:
    given = usage.get("input_tokens", usage.get("prompt_tokens"))
    made = usage.get("output_tokens", usage.get("completion_tokens"))
    if isinstance(given, int) and isinstance(made, int):
        seen.input_tokens += given
        seen.output_tokens += made
        seen.counted = True
