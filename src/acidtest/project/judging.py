"""Judge names to judges: `local`, `openai:MODEL`, `anthropic:MODEL`, `google:MODEL`, own objects.

Keys and addresses come from the environment, under the names that people have them already:
OPENAI_API_KEY and OPENAI_BASE_URL, ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL, GEMINI_API_KEY or
GOOGLE_API_KEY and GEMINI_BASE_URL.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from acidtest.errors import BadConfig, UnknownName
from acidtest.judges.local.judge import LocalJudge
from acidtest.ports import Judge
from acidtest.project.config import JudgeConfig

LOCAL = "local"

KEYS: Mapping[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}
ADDRESSES: Mapping[str, str] = {
    "openai": "OPENAI_BASE_URL",
    "anthropic": "ANTHROPIC_BASE_URL",
    "google": "GEMINI_BASE_URL",
}


@dataclass(frozen=True)
class Judging:
    """A judge, ready to be asked, and what belongs to it.

    `kept` says whether its verdicts are worth keeping: asking the local judge again is as quick as
    looking its verdict up.
    """

    judge: Judge
    kept: bool = True
    backend: Any = None
    session: Any = None

    async def check(self) -> list[str]:
        """Ask the endpoint for the model, at no cost; return warnings.

        Raises:
            JudgeError: The port is closed, the host unknown, or the key refused.
        """
        warnings: list[str] = await self.backend.check() if self.backend is not None else []
        return warnings

    async def aclose(self) -> None:
        """Release the connection."""
        if self.session is not None:
            await self.session.aclose()


def judge_named(
    config: JudgeConfig,
    model: str | None = None,
    *,
    concurrency: int = 8,
    budget_usd: float | None = None,
) -> Judging:
    """Return the judge of a name.

    Args:
        config: The configured judge.
        model: Another one; by default the configured one.
        concurrency: How many calls may be in flight.
        budget_usd: What may be spent; by default as configured.

    Raises:
        UnknownName: There is no judge of this name.
        BadConfig: Its key or the price that a budget needs is missing.
    """
    name = model or config.model
    if name == LOCAL:
        return Judging(LocalJudge(), kept=False)
    provider, colon, called = name.partition(":")
    if provider not in KEYS or not colon:
        if config.base_url is None:
            known = [LOCAL, *(f"{p}:MODEL" for p in KEYS)]
            raise UnknownName("judge", name, known, where="judge")
        provider, called = "openai", name
    if not called:
        raise BadConfig(f"{name!r} names no model", where="judge", fix=f"Write {provider}:MODEL.")
    if name != config.model and provider == name.partition(":")[0]:
        # Another provider's model is not behind the configured address: no key goes there.
        config = replace(config, base_url=None, api_version=None)
    return _model(config, provider, called, concurrency, budget_usd or config.budget_usd)


def own(judge: Any) -> Judging:
    """Return the judge that an object or a callable is."""
    from acidtest.judges.own import own_judge

    if isinstance(judge, LocalJudge):
        return Judging(judge, kept=False)
    return Judging(own_judge(judge))


def _model(
    config: JudgeConfig, provider: str, model: str, concurrency: int, budget_usd: float | None
) -> Judging:
    from acidtest.judges.budget import Budgeted
    from acidtest.judges.limit import Limiter
    from acidtest.judges.llm import LLMJudge
    from acidtest.judges.prices import by_rates, by_table
    from acidtest.judges.retry import Retrying, Tries
    from acidtest.judges.session import Session

    session = Session(timeout_s=config.timeout_s)
    backend = _backend(config, provider, model, session)
    price = by_rates(config.price) if config.price is not None else by_table(model, provider)
    if budget_usd is not None and price is None:
        raise BadConfig(
            f"a budget needs the price of {model!r}, which is not known",
            where="judge",
            fix="Give [judge.price] input and output in US dollars per million tokens, "
            "or install the tables: pip install 'acidtest[prices]'",
        )
    tries = Tries(backend.endpoint, limiter=Limiter(concurrency))
    judge: Judge = LLMJudge(
        Retrying(backend, tries),
        max_tokens=config.max_tokens,
        temperature=config.temperature,
        price=price,
    )
    if budget_usd is not None:
        judge = Budgeted(judge, budget_usd)
    return Judging(judge, backend=backend, session=session)


def _backend(config: JudgeConfig, provider: str, model: str, session: Any) -> Any:
    given: dict[str, Any] = {
        "api_key": next((os.environ[k] for k in KEYS[provider] if os.environ.get(k)), None),
        "session": session,
    }
    address = config.base_url or os.environ.get(ADDRESSES[provider])
    if address:
        given["base_url"] = address
    elif given["api_key"] is None:
        raise BadConfig(
            f"no key for {provider}",
            where="judge",
            fix=f"Set {' or '.join(KEYS[provider])} in the environment; keys in files are not read.",
        )
    if provider == "anthropic":
        from acidtest.judges.anthropic_http import AnthropicBackend

        return AnthropicBackend(model, **given)
    if provider == "google":
        from acidtest.judges.google_http import GoogleBackend

        return GoogleBackend(model, **given)
    from acidtest.judges.openai_http import OpenAIBackend

    return OpenAIBackend(model, api_version=config.api_version, **given)
