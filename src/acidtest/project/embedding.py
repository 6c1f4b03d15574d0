"""Embedder names to embedders: `local`, `openai:MODEL`, an endpoint that speaks its form, own objects."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from acidtest.errors import BadConfig, UnknownName
from acidtest.metrics.declare import Bound
from acidtest.ports import Embedder
from acidtest.project.config import Config
from acidtest.project.judging import ADDRESSES, KEYS

LOCAL = "local"


@dataclass(frozen=True)
class Embedding:
    """An embedder, ready to be asked, and the session that belongs to it."""

    embedder: Embedder
    session: Any = None

    async def aclose(self) -> None:
        """Release the connection."""
        if self.session is not None:
            await self.session.aclose()


def embedding_of(
    metrics: Sequence[Bound],
    config: Config,
    embedder: str | Embedder | None,
    *,
    concurrency: int,
) -> Embedding | None:
    """Make the embedder that metrics need; None where none of them does, or none is configured.

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
    if not isinstance(named, str):
        return Embedding(named)
    if named == LOCAL:
        from acidtest.judges.local_embed import LocalEmbedder

        return Embedding(LocalEmbedder())
    provider, colon, model = named.partition(":")
    if not (provider == "openai" and colon):
        if config.embedder.base_url is None:
            raise UnknownName("embedder", named, [LOCAL, "openai:MODEL"], where="[embedder]")
        model = named
    return _openai(config, model, concurrency)


def _openai(config: Config, model: str, concurrency: int) -> Embedding:
    from acidtest.judges.limit import Limiter
    from acidtest.judges.openai_embed import OpenAIEmbedder
    from acidtest.judges.openai_http import BASE_URL
    from acidtest.judges.retry import Tries
    from acidtest.judges.retry_embed import RetryingEmbedder
    from acidtest.judges.session import Session

    table = config.embedder
    key = next((os.environ[name] for name in KEYS["openai"] if os.environ.get(name)), None)
    address = table.base_url or os.environ.get(ADDRESSES["openai"])
    if address is None and key is None:
        raise BadConfig(
            "no key for openai", where="[embedder]", fix="Set OPENAI_API_KEY in the environment."
        )
    session = Session(timeout_s=table.timeout_s)
    model_at = OpenAIEmbedder(
        model,
        api_key=key,
        base_url=address or BASE_URL,
        api_version=table.api_version,
        session=session,
    )
    tries = Tries(model_at.endpoint, limiter=Limiter(concurrency))
    return Embedding(RetryingEmbedder(model_at, tries), session)
