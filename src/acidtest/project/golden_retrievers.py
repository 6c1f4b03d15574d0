"""Retrievers by name, asked for the chunks that people label: pipelines, runs, recorded outputs."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case, GoldenSet
from acidtest.data.terms import Mode
from acidtest.errors import PipelineError, UsageError
from acidtest.pipelines.function import TakesNoK
from acidtest.pipelines.load import load_pipeline
from acidtest.pipelines.recorded import RecordedPipeline, load_recorded
from acidtest.ports import Pipeline, PipelineOptions
from acidtest.project.config import Config
from acidtest.project.sources import pipelines_of
from acidtest.project.stores import find_run


class Found(Struct, frozen=True, kw_only=True):
    """What retrievers found.

    Attributes:
        rankings: For each case, retriever -> chunks, best first.
        notes: What went wrong.
    """

    rankings: tuple[dict[str, tuple[Chunk, ...]], ...]
    notes: tuple[str, ...]


def retrievers_of(
    config: Config, names: Sequence[str], golden: GoldenSet, *, top: int, store: str | None
) -> list[Pipeline]:
    """Return retrievers by name.

    Args:
        config: The configuration.
        names: Each a file of recorded outputs or a saved run, a pipeline (configured, `module:object` or an
            address), or a run of the store.
        golden: The set.
        top: How many chunks are wanted; a pipeline is told where it takes `k`.
        store: Where runs are kept.

    Raises:
        UsageError: Nothing of that name, or two of one name.
    """
    found = [_asked_for(config, name, golden, top, store) for name in names]
    often = Counter(each.name for each in found)
    twice = [name for name, count in often.items() if count > 1]
    if twice:
        raise UsageError(
            f"two retrievers are called {twice[0]!r}", where="--retriever", fix="Name each once."
        )
    return found


def _asked_for(
    config: Config, name: str, golden: GoldenSet, top: int, store: str | None
) -> Pipeline:
    """Return a retriever that is asked for `top` chunks, or for its own number where it takes none."""
    try:
        return _retriever(config, name, golden, top, store)
    except TakesNoK:
        return _retriever(config, name, golden, None, store)


def _retriever(
    config: Config, name: str, golden: GoldenSet, top: int | None, store: str | None
) -> Pipeline:
    if name in config.pipelines:
        table = replace(config.pipelines[name], k=top)
        wanted = replace(config, pipelines={**config.pipelines, name: table})
        return pipelines_of(wanted, [name], None, golden)[0][0]
    if Path(name).is_file():
        return load_recorded(name)
    if name.startswith(("http://", "https://")):
        from acidtest.pipelines.http import HttpPipeline

        return HttpPipeline(name, name=name, options=PipelineOptions(k=top))
    if ":" in name:
        options = PipelineOptions(k=top)
        return load_pipeline(name, base=Path.cwd(), name=name.rpartition(":")[2], options=options)
    try:
        run = find_run(config, name, store)
    except UsageError as error:
        raise UsageError(
            f"there is no file, no pipeline and no run {name!r}",
            where="--retriever",
            fix=str(error),
        ) from error
    return RecordedPipeline(
        [
            Answer(case_id=each.id, text=each.answer, retrieved=each.retrieved)
            for each in run.cases
            if each.failure is None
        ],
        name=run.info.name,
    )


async def found_by(retrievers: Sequence[Pipeline], cases: Sequence[Case]) -> Found:
    """Ask all retrievers for all cases; one that fails for a case leaves that case to the others."""
    notes: list[str] = []
    rankings: list[dict[str, tuple[Chunk, ...]]] = [{} for _ in cases]
    for retriever in retrievers:  # in their order, which breaks ties
        try:
            answers = await _asked(retriever, cases)
        finally:
            await retriever.aclose()
        failed = [str(answer) for answer in answers if isinstance(answer, PipelineError)]
        if failed:
            told = f"{len(failed)} of {len(cases)} cases failed: {failed[0]}"
            notes.append(f"{retriever.name}: {told}")
        for ranking, answer in zip(rankings, answers, strict=True):
            if isinstance(answer, Answer):
                ranking[retriever.name] = answer.retrieved or ()
    return Found(rankings=tuple(rankings), notes=tuple(notes))


async def _asked(retriever: Pipeline, cases: Sequence[Case]) -> list[Answer | PipelineError]:
    mode: Mode = "live" if retriever.refuses("retrieval-only") else "retrieval-only"
    slots = asyncio.Semaphore(retriever.options.concurrency)

    async def one(case: Case) -> Answer | PipelineError:
        async with slots:
            try:
                return await retriever.ask(case, mode=mode)
            except PipelineError as error:
                return error

    return list(await asyncio.gather(*map(one, cases)))
