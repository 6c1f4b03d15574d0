"""Python code as a pipeline: functions and objects, sync, async and streaming.

`as_pipeline` finds the parts (`shapes.py`), `FunctionPipeline` calls them, each at most once a
question. Where the parts are called apart, their latencies are measured apart.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from acidtest.data.answers import Answer, Chunk, Latency
from acidtest.data.golden import Case
from acidtest.data.terms import Mode
from acidtest.errors import PipelineError, UsageError
from acidtest.pipelines.attempt import DEFAULTS, Hopeless, attempt, checked
from acidtest.pipelines.caller import Caller, Given
from acidtest.pipelines.calls import Call
from acidtest.pipelines.fingerprint import fingerprint
from acidtest.pipelines.frameworks.adapt import adapted
from acidtest.pipelines.normalise import ranked
from acidtest.pipelines.passage import OTHER_CONTEXTS, Passage
from acidtest.pipelines.shapes import Shape, name_of, shape_of
from acidtest.ports import Pipeline, PipelineOptions


def as_pipeline(
    thing: Any,
    *,
    name: str | None = None,
    options: PipelineOptions = DEFAULTS,
    origin: Path | None = None,
) -> Pipeline:
    """Make a pipeline of a function or object; see `shapes.py` for the rules.

    Args:
        thing: A function of the question, an object with `retrieve`, `answer`, `respond` or
            `generate`, an object of LangChain, LlamaIndex or Haystack, or a ready `Pipeline`, which
            comes back as it is.
        name: What the run is called after; by default the function's or class's name.
        options: Concurrency, time-out, retries, k.
        origin: The file it was loaded from, for the fingerprint.

    Raises:
        UsageError: It is no pipeline, or an option does not fit it.
    """
    if _is_pipeline(thing):
        ready: Pipeline = thing
        return ready
    return FunctionPipeline(thing, name=name, options=options, origin=origin)


class TakesNoK(UsageError):  # noqa: N818 - it says what is wrong
    """A number of chunks is wanted of something that has no parameter for it."""


class FunctionPipeline:
    """A Python function or object behind the `Pipeline` protocol.

    Args:
        thing: See `as_pipeline`.
        name: What the run is called after.
        options: Concurrency, time-out, retries, k.
        origin: The file it was loaded from.
    """

    def __init__(
        self,
        thing: Any,
        *,
        name: str | None = None,
        options: PipelineOptions = DEFAULTS,
        origin: Path | None = None,
    ) -> None:
        found = name_of(thing)
        self.name = name or ("pipeline" if found == "<lambda>" else found)
        self._where = f"pipeline {self.name!r}"
        self.options = checked(options, where=self._where)
        parts = adapted(thing, options.inputs, self._where)
        if parts is not None and parts.alone:
            self.options = replace(self.options, concurrency=1)
        self._shape = shape_of(thing if parts is None else parts, self._where)
        _check_k(self._shape, options, self._where)
        self._caller = Caller(self._where, options.k)
        self._fingerprint = fingerprint(
            thing, name=self.name, k=options.k, inputs=options.inputs, origin=origin
        )

    @property
    def fingerprint(self) -> str:
        """A hash of the name, the code as far as it is in one file, and k."""
        return self._fingerprint

    def refuses(self, mode: Mode) -> str | None:
        """Say why it cannot run in a mode; None when it can."""
        return self._shape.refuses(mode)

    async def ask(
        self, case: Case, *, mode: Mode = "live", contexts: Sequence[Chunk] | None = None
    ) -> Answer:
        """Answer one case; see `ports.Pipeline`.

        Raises:
            PipelineError: It threw, hung or returned something that is not an answer.
        """
        refusal = self.refuses(mode)
        if refusal is not None:
            raise Hopeless(refusal, where=self._where)

        held: list[Answer] = []

        async def once() -> Answer:
            held.clear()
            if mode == "retrieval-only":
                return await self._retrieve(case)
            if mode == "golden-context":
                return await self._generate(case, ranked(contexts or (), []))
            return await (self._by_parts(case, held) if self._shape.by_parts else self._whole(case))

        try:
            answer = await attempt(once, self.options, key=case.id, where=self._where)
        except PipelineError as error:
            error.partial = held[0] if held else None
            raise
        return replace(answer, case_id=case.id)

    async def aclose(self) -> None:
        """Do nothing: what the code holds is its owner's."""

    async def _retrieve(self, case: Case) -> Answer:
        got = await self._ranking(case)
        answer = replace(got.answer, text=None, latency_ms=_retrieval_time(got))
        return await self._finished(answer, case, got.call)

    async def _generate(self, case: Case, chunks: tuple[Chunk, ...]) -> Answer:
        call = _there(self._shape.generator)
        given = [Passage(chunk) for chunk in chunks]
        got = await self._caller.answer(call, case, contexts=given)
        measured = Latency(generate=got.ms, total=got.ms)
        answer = replace(
            got.answer,
            retrieved=chunks,
            candidates=None,
            latency_ms=_merged(got.answer.latency_ms, measured),
            notes=(*got.answer.notes, *_other_contexts(got, chunks)),
        )
        return _with_deaf_note(answer, case, call)

    async def _by_parts(self, case: Case, held: list[Answer]) -> Answer:
        call = _there(self._shape.generator)
        found = await self._ranking(case)
        chunks = found.answer.retrieved or ()
        # Held for the case that generation fails: then the retrieval is known all the same.
        held.append(replace(found.answer, text=None, latency_ms=_retrieval_time(found)))
        got = await self._caller.answer(call, case, contexts=found.native)
        times = _retrieval_time(found)
        measured = Latency(retrieve=times.retrieve, generate=got.ms, total=found.ms + got.ms)
        answer = replace(
            got.answer,
            retrieved=chunks,
            candidates=got.answer.candidates or found.answer.candidates,
            usage=got.answer.usage or found.answer.usage,
            latency_ms=_merged(got.answer.latency_ms, measured),
            notes=(*found.answer.notes, *got.answer.notes, *_other_contexts(got, chunks)),
        )
        return await self._finished(answer, case, found.call, call)

    async def _whole(self, case: Case) -> Answer:
        call = _there(self._shape.whole)
        got = await self._caller.answer(call, case)
        answer = replace(
            got.answer, latency_ms=_merged(got.answer.latency_ms, Latency(total=got.ms))
        )
        if answer.retrieved is None and self._shape.retriever is not None:
            found = await self._ranking(case)
            answer = replace(
                answer,
                retrieved=found.answer.retrieved,
                candidates=answer.candidates or found.answer.candidates,
                latency_ms=_merged(answer.latency_ms, _retrieval_time(found)),
                notes=(*found.answer.notes, *answer.notes),
            )
        return await self._finished(answer, case, call)

    async def _ranking(self, case: Case) -> Given:
        return await self._caller.ranking(_there(self._shape.retriever), case)

    async def _finished(self, answer: Answer, case: Case, *calls: Call) -> Answer:
        if answer.candidates is None and self._shape.candidates is not None:
            got = await self._caller.ranking(self._shape.candidates, case)
            answer = replace(
                answer,
                candidates=got.answer.retrieved,
                notes=(*answer.notes, *got.answer.notes),
            )
        return _with_deaf_note(answer, case, *calls)


def _is_pipeline(thing: Any) -> bool:
    members = ("ask", "aclose", "refuses", "name", "options", "fingerprint")
    return not isinstance(thing, type) and all(hasattr(thing, name) for name in members)


def _there(call: Call | None) -> Call:
    if call is None:  # `refuses` has ruled it out
        raise AssertionError
    return call


def _check_k(shape: Shape, options: PipelineOptions, where: str) -> None:
    called = [call for call in (shape.retriever, shape.whole) if call is not None]
    if options.k is not None and not any("k" in call.takes for call in called):
        raise TakesNoK(
            f"k is {options.k}, but {' and '.join(c.label for c in called) or 'it'} takes no k",
            where=where,
            fix="Give the function a parameter k, or leave k out of the options.",
        )


def _retrieval_time(got: Given) -> Latency:
    own = got.answer.latency_ms or Latency()
    spent = next((x for x in (own.retrieve, own.total) if x is not None), got.ms)
    return Latency(retrieve=spent, total=spent)


def _merged(own: Latency | None, measured: Latency) -> Latency:
    """Take what the pipeline reports before what was measured."""
    if own is None:
        return measured
    return Latency(
        retrieve=measured.retrieve if own.retrieve is None else own.retrieve,
        generate=measured.generate if own.generate is None else own.generate,
        total=measured.total if own.total is None else own.total,
    )


def _other_contexts(got: Given, chunks: tuple[Chunk, ...]) -> tuple[str, ...]:
    said = got.answer.retrieved
    if said is None or [c.id or c.text for c in said] == [c.id or c.text for c in chunks]:
        return ()
    return (f"{got.call.label} {OTHER_CONTEXTS}; the given ones count",)


def _with_deaf_note(answer: Answer, case: Case, *calls: Call) -> Answer:
    if not case.history or any({"history", "case"} & set(call.takes) for call in calls):
        return answer
    names = " and ".join(call.label for call in calls)
    note = f"asked without the earlier turns: no parameter `history` in {names}"
    return replace(answer, notes=(*answer.notes, note))
