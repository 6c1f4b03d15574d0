"""`synthesize` and `asynthesize`: questions to a corpus, from Python."""

import functools
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, ParamSpec

from acidtest.golden.grow.kinds import parse_kinds
from acidtest.golden.grow.plan import Wish
from acidtest.golden.grow.synthesise import TRIES
from acidtest.golden.grow.voices import PERSONAS, STYLES
from acidtest.ports import Judge
from acidtest.project.blocking import run_blocking
from acidtest.project.config import Config, load_config
from acidtest.project.corpora import load_corpus
from acidtest.project.golden_grow import grow
from acidtest.project.golden_grow_plan import prepare, writing_judge
from acidtest.project.golden_grown import Grown, Order
from acidtest.project.judging import Judging, own
from acidtest.project.means import Means, means_of
from acidtest.project.stores import open_store
from acidtest.run.progress import Watcher

P = ParamSpec("P")


async def asynthesize(
    corpus: Any,
    n: int,
    out: str | os.PathLike[str],
    *,
    append: bool = False,
    judge: str | Judge | None = None,
    checker: str | Judge | None = None,
    existing: Sequence[str] = (),
    kinds: Sequence[str] | Mapping[str, float] = (),
    personas: Sequence[str] = PERSONAS,
    styles: Sequence[str] = STYLES,
    language: str = "",
    seed: int = 0,
    tries: int = TRIES,
    concurrency: int = 8,
    budget_usd: float | None = None,
    use_cache: bool = True,
    store: str | None = None,
    watch: Watcher | None = None,
    config: Config | str | os.PathLike[str] | None = None,
) -> Grown:
    """Write questions to a corpus, for a person to review.

    Args:
        corpus: A corpus, or what `load_corpus` reads one from.
        n: How many questions.
        out: Where they go, a JSONL file.
        append: Whether the file may hold a set already, to which they are added.
        judge: Who writes: a model's name, or an object or callable as for `evaluate`; by default the
            configured one. The local judge stands for templates, which need no model.
        checker: Who checks; by default who writes.
        existing: Sets whose questions are not asked again.
        kinds: Which kinds, with weights where they are mapped to some; by default all.
        personas: Who asks.
        styles: How they ask.
        language: In which language; by default that of the chunk.
        seed: Another one asks about other chunks.
        tries: Drafts for each question at most.
        concurrency: Calls in flight.
        budget_usd: Stop when it has cost so many US dollars.
        use_cache: Whether replies that are kept already are used.
        store: Where replies are kept.
        watch: Told after every draft.
        config: The configuration; by default the one of the working folder or the nearest above it.

    Returns:
        What was written and what was dropped, with reasons. `stopped` says why it ended early.

    Raises:
        AcidtestError: Bad input, or an endpoint that is not there or refuses the key.
    """
    if not isinstance(config, Config):
        config = load_config(Path(config) if config is not None else None)
    means = means_of(config.judge, concurrency=concurrency, budget_usd=budget_usd)
    if isinstance(kinds, Mapping):
        kinds = [f"{kind}={weight}" for kind, weight in kinds.items()]
    order = Order(
        n=n,
        out=os.fspath(out),
        append=append,
        existing=tuple(existing),
        kinds=parse_kinds(kinds),
        wish=Wish(seed=seed, personas=tuple(personas), styles=tuple(styles), language=language),
        tries=tries,
        concurrency=concurrency,
        use_cache=use_cache,
    )
    async with AsyncExitStack() as stack:
        stack.push_async_callback(means.aclose)
        writing = _who(judge, config, means)
        checking = _who(checker, config, means) if checker is not None else None
        asked = [each for each in (writing, checking) if each is not None]
        prints = " ".join(each.judge.fingerprint for each in asked)
        prepared = prepare(load_corpus(corpus), order, writer=prints if writing else "")
        for each in asked:
            await each.check()
        kept = None
        if writing is not None and any(each.kept for each in asked):
            kept = stack.enter_context(open_store(config, store))
        return await grow(prepared, writing, kept, checking=checking, watch=watch)


def _blocking(function: Callable[P, Coroutine[Any, Any, Grown]]) -> Callable[P, Grown]:
    @functools.wraps(function, assigned=("__module__", "__annotations__"))
    def synthesize(*args: P.args, **kwargs: P.kwargs) -> Grown:
        """Write questions to a corpus, from synchronous code; it takes what `asynthesize` takes."""
        return run_blocking(function(*args, **kwargs))

    return synthesize


synthesize = _blocking(asynthesize)


def _who(judge: str | Judge | None, config: Config, means: Means) -> Judging | None:
    if judge is not None and not isinstance(judge, str):
        return own(judge, means)
    base = Path(config.folder) if judge is None else Path.cwd()
    return writing_judge(config.judge, judge, means=means, base=base)
