"""Embedder names to embedders: `local`, `openai:MODEL`, an endpoint that speaks its form, own objects."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from acidtest.errors import BadConfig, UnknownName
from acidtest.metrics.bound import Bound
from acidtest.ports import Embedder
from acidtest.project.config import Config, EmbedderConfig
from acidtest.project.judge_models import ADDRESSES, KEYS, checked
from acidtest.project.judge_names import LOCAL
from acidtest.project.means import Means, means_of


@dataclass(frozen=True)
class Embedding:
    """An embedder, ready to be asked, and what belongs to it."""

    embedder: Embedder
    means: Means
    backend: Any = None

    async def check(self) -> list[str]:
        """Ask the endpoint for the model, at no cost; return warnings.

        Raises:
            JudgeError: The port is closed, the host unknown, or the key refused.
        """
        warnings: list[str] = await self.backend.check() if self.backend is not None else []
        return warnings

    async def aclose(self) -> None:
        """Release the connection."""
        await self.means.aclose()


def embedding_of(
    metrics: Sequence[Bound],
    config: Config,
    embedder: str | Embedder | None,
    *,
    means: Means | None = None,
) -> Embedding | None:
    """Make the embedder that metrics need; None where none of them does, or none is configured.

    Args:
        metrics: What is scored.
        config: The configuration.
        embedder: Another one than the configured.
        means: What it shares with the judge; by default its own.

    Raises:
        UnknownName: There is no embedder of this name.
        BadConfig: Its key is missing.
        MissingExtra: It is `local`, and the package that it needs is not installed.
    """
    if not any("embedder" in bound.metric.needs for bound in metrics):
        return None
    named = config.embedder.model if embedder is None else embedder
    if named is None:
        return None
    means = means or means_of(config.judge)
    if not isinstance(named, str):
        return Embedding(named, means)
    return embedder_named(config, named, means)


def embedder_named(config: Config, name: str, means: Means) -> Embedding:
    """Return the embedder of a name; see `embedding_of` for what is raised."""
    if name == LOCAL:
        from acidtest.judges.local_embed import LocalEmbedder

        return Embedding(LocalEmbedder(), means)
    provider, colon, model = name.partition(":")
    if not (provider == "openai" and colon):
        if config.embedder.base_url is None:
            raise UnknownName("embedder", name, [LOCAL, "openai:MODEL"], where="[embedder]")
        model = name
    if not model.strip():
        raise BadConfig(f"{name!r} names no model", where="[embedder]", fix="Write openai:MODEL.")
    return _openai(config.embedder, model, means)


def _openai(table: EmbedderConfig, model: str, means: Means) -> Embedding:
    from acidtest.judges.budget_embed import BudgetedEmbedder
    from acidtest.judges.openai_embed import OpenAIEmbedder
    from acidtest.judges.openai_http import BASE_URL
    from acidtest.judges.retry_embed import RetryingEmbedder

    key = next((os.environ[name] for name in KEYS["openai"] if os.environ.get(name)), None)
    address = table.base_url or os.environ.get(ADDRESSES["openai"])
    if address is None and key is None:
        raise BadConfig(
            "no key for openai", where="[embedder]", fix="Set OPENAI_API_KEY in the environment."
        )
    if address is not None:
        checked(address, "[embedder] base_url" if table.base_url else ADDRESSES["openai"])
    backend = OpenAIEmbedder(
        model,
        api_key=key,
        base_url=address or BASE_URL,
        api_version=table.api_version,
        session=means.session(table.timeout_s),
    )
    embedder = BudgetedEmbedder(
        RetryingEmbedder(backend, means.tries(backend.endpoint)),
        means.budget,
        price=_price(table, model),
        name=model,
    )
    return Embedding(embedder, means, backend)


def _price(table: EmbedderConfig, model: str) -> Callable[[int], float | None] | None:
    from acidtest.judges.backend import Completion
    from acidtest.judges.prices import Rates, by_rates, by_table

    rate = table.usd_per_million_tokens
    known = by_table(model, "openai") if rate is None else by_rates(Rates(input=rate, output=0.0))
    if known is None:
        return None
    return lambda tokens: known(Completion(text="", input_tokens=tokens))
