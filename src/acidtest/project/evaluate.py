"""`evaluate` and `aevaluate`: anything that answers, against a golden set, to a `Run`."""

import functools
import os
import secrets
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, ParamSpec

from acidtest.comparison.diagnose import with_diagnoses
from acidtest.data.golden import Case, GoldenSet
from acidtest.data.runs import Run
from acidtest.data.terms import Mode
from acidtest.golden.load import load_golden
from acidtest.ports import Embedder, Judge, PipelineOptions
from acidtest.project.blocking import run_blocking
from acidtest.project.commit import current_commit
from acidtest.project.config import Config, load_config
from acidtest.project.embedding import Embedding, embedding_of
from acidtest.project.judging import Judging, cached
from acidtest.project.means import means_of
from acidtest.project.planning import Named, bounds, judging_of, make_plan, pipeline_of
from acidtest.project.stores import open_store
from acidtest.run.plan import Plan, Unanswerable
from acidtest.run.progress import Watcher
from acidtest.run.start import start
from acidtest.store.journal import StoredJournal
from acidtest.store.runs import Store

P = ParamSpec("P")
Golden = GoldenSet | str | os.PathLike[str] | Iterable[Case | Mapping[str, Any]]


async def aevaluate(
    pipeline: Any,
    golden: Golden,
    metrics: Sequence[Named] | None = None,
    *,
    judge: str | Judge | None = None,
    embedder: str | Embedder | None = None,
    mode: Mode = "live",
    name: str | None = None,
    options: PipelineOptions | None = None,
    repeat: int = 1,
    concurrency: int = 8,
    budget_usd: float | None = None,
    budget_tokens: int | None = None,
    unanswerable: Unanswerable | None = None,
    store: str | Store | None = None,
    fresh: bool = False,
    watch: Watcher | None = None,
    told: Callable[[str], None] | None = None,
    config: Config | str | os.PathLike[str] | None = None,
) -> Run:
    """Evaluate a pipeline on a golden set.

    Args:
        pipeline: Anything that answers a question; see the handbook's page on pipelines. A ready
            `ports.Pipeline` is taken as it is, and None stands for the answers that the golden set
            itself carries.
        golden: A golden set, the path of one, or cases.
        metrics: Names such as `recall@5`, tiers such as `fast`, or metrics; by default the fast
            tier, as configured.
        judge: A name such as `local`, `openai:MODEL`, `local > openai:MODEL` (a cascade) or
            `openai:A + google:B + my_judge.py:judge` (a panel); or any object or callable that the
            handbook's page on language models as judges tells of. By default the configured one,
            which is `local` unless said otherwise.
        embedder: For metrics that compare by embeddings: `openai:MODEL`, or an object with the
            embedder's one method; by default the configured one.
        mode: `live`, `golden-context` or `retrieval-only`.
        name: What the run is called; by default the pipeline's name.
        options: Concurrency, time-out and retries of the pipeline.
        repeat: How often each judged metric is asked.
        concurrency: How many judge calls may be in flight.
        budget_usd: Stop when the run has cost so many US dollars, executions before it was interrupted
            included; 0 spends nothing. By default as configured for judges by name, without bound for
            objects.
        budget_tokens: Likewise in tokens, in and out.
        unanswerable: What label metrics do with cases that must abstain; by default as configured.
        store: A store or its URL; by default ACIDTEST_STORE, the configured one, or
            `.acidtest/store.db`.
        fresh: Start a new run even when an unfinished one could go on.
        watch: Called with a `run.progress.Progress` at the start, after every case, and up to ten
            times a second between cases while a judge is at work.
        told: Called with a sentence when an unfinished run goes on, or when an endpoint does not list
            a model.
        config: The configuration file; by default the one of the working folder or the nearest above it.

    Returns:
        The finished run, with a diagnosis of each case.

    Raises:
        AcidtestError: Bad input, an endpoint that is not there or refuses the key, or a budget that is
            used up; the message says what, where, and how to mend it.
    """
    if not isinstance(config, Config):
        config = load_config(Path(config) if config is not None else None)
    golden_set = golden if isinstance(golden, GoldenSet) else load_golden(golden)
    bound = bounds(metrics, config)
    means = means_of(
        config.judge,
        concurrency=concurrency,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        configured=judge is None or isinstance(judge, str),
    )
    judging = judging_of(bound, config, judge, means=means)
    embedding = embedding_of(bound, config, embedder, means=means)
    plan = make_plan(
        pipeline_of(pipeline, golden_set, name=name, options=options),
        golden_set,
        bound,
        config,
        judge=judging.judge if judging else None,
        embedder=embedding.embedder if embedding else None,
        mode=mode,
        name=name,
        repeat=repeat,
        concurrency=concurrency,
        unanswerable=unanswerable,
        budget=means.budget,
    )
    async with AsyncExitStack() as stack:
        stack.push_async_callback(means.aclose)
        for warning in await warnings_of(judging, embedding):
            if told is not None:
                told(warning)
        if isinstance(store, Store):
            opened = store
        else:
            opened = stack.enter_context(open_store(config, store))
        return await carry_out(plan, opened, config, judging, fresh=fresh, watch=watch, told=told)


async def warnings_of(judging: Judging | None, embedding: Embedding | None) -> list[str]:
    """Ask the endpoints of judge and embedder for their models, at no cost, before anything is spent.

    Raises:
        JudgeError: A port is closed, a host unknown, or a key refused.
    """
    found = [warning for held in (judging, embedding) if held for warning in await held.check()]
    return list(dict.fromkeys(found))


def _blocking(function: Callable[P, Coroutine[Any, Any, Run]]) -> Callable[P, Run]:
    @functools.wraps(function, assigned=("__module__", "__annotations__"))
    def evaluate(*args: P.args, **kwargs: P.kwargs) -> Run:
        """Evaluate a pipeline on a golden set, from synchronous code.

        Takes what `aevaluate` takes. It works in a script, in a notebook and inside a running event
        loop: there it runs in a thread with a loop of its own, so a pipeline whose objects belong to
        the running loop wants `await aevaluate(...)` instead.
        """
        return run_blocking(function(*args, **kwargs))

    return evaluate


evaluate = _blocking(aevaluate)


async def carry_out(
    plan: Plan,
    store: Store,
    config: Config,
    judging: Judging | None = None,
    *,
    fresh: bool = False,
    use_cache: bool = True,
    salt: str | None = None,
    watch: Watcher | None = None,
    told: Callable[[str], None] | None = None,
) -> Run:
    """Run a plan and diagnose its cases.

    Verdicts that are worth it are kept in the store, those of each judge of a panel or cascade by
    themselves, and read from there unless `use_cache` is False; then `salt` tells these questions from
    others, and who gives the same again gets what was said to it before. By default it is a new one.
    """
    commit = current_commit(config.folder)
    async with AsyncExitStack() as stack:
        if judging is not None:
            plan = replace(plan, judge_waits=judging.waits)
        if judging is not None and judging.kept:
            journal = await stack.enter_async_context(StoredJournal(store))
            told_apart = "" if use_cache else salt or secrets.token_hex(16)
            plan = replace(
                plan, judge_of=lambda judge, n: cached(judge, journal, repeat=n, salt=told_apart)
            )
        run = await start(plan, store, fresh=fresh, commit=commit, watch=watch, told=told)
    return with_diagnoses(run)
