"""Judges that are language models over HTTP: key, address, price, limits.

Keys and addresses come from the environment, under the names that people have them already:
OPENAI_API_KEY and OPENAI_BASE_URL, ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL, GEMINI_API_KEY or
GOOGLE_API_KEY and GEMINI_BASE_URL.
"""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from acidtest.errors import BadConfig
from acidtest.extras import present
from acidtest.ports import Judge
from acidtest.project.config import JudgeConfig
from acidtest.project.means import Means

if TYPE_CHECKING:
    from acidtest.judges.backend import Completion

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

Price = Callable[["Completion"], float | None]


def model_judge(
    config: JudgeConfig,
    provider: str,
    model: str,
    means: Means,
    *,
    configured_address: bool,
    asked: bool = True,
) -> tuple[Judge, Any]:
    """Return the judge that a model is, and its backend.

    Args:
        config: The configured judge.
        provider: Whose wire format it speaks.
        model: As the provider names it.
        means: What it shares with others.
        configured_address: Whether the model is at the configured address, or at its provider's.
        asked: Whether it is going to be asked: else it needs no key.

    Raises:
        BadConfig: Its key, or the price that a budget needs, is missing.
    """
    from acidtest.judges.llm import LLMJudge

    key = next((os.environ[k] for k in KEYS[provider] if os.environ.get(k)), None)
    address = _address(config, provider, configured_address=configured_address)
    if asked and address is None and key is None:
        raise BadConfig(
            f"no key for {provider}",
            where="judge",
            fix=f"Set {' or '.join(KEYS[provider])} in the environment; keys in files are not read.",
        )
    version = config.api_version if configured_address else None
    given: dict[str, Any] = {"api_key": key, "session": means.session(config.timeout_s)}
    if address is not None:
        given["base_url"] = address
    backend = _backend(provider, model, version, given)
    price = _price(config, provider, model)
    if means.budget.usd is not None and price is None:
        raise BadConfig(
            f"a budget needs the price of {model!r}, which is not known",
            where="judge",
            fix="Give [judge.price] input and output in US dollars per million tokens"
            + (
                "; the published tables lack this model."
                if present("genai_prices")
                else ", or install the tables: pip install 'acidtest[prices]'"
            ),
        )
    judge = LLMJudge(
        means.retrying(backend, price),
        max_tokens=config.max_tokens,
        temperature=config.temperature,
        price=price,
        label=config.label,
        shared_from=backend.shared_from,
    )
    return judge, backend


def checked(address: str, where: str) -> str:
    """Return an address that is one.

    Raises:
        BadConfig: It is none; the message says where it was given.
    """
    from acidtest.judges.endpoint import check_address

    check_address(address, where)
    return address


def _price(config: JudgeConfig, provider: str, model: str) -> Price | None:
    from acidtest.judges.prices import by_rates, by_table

    rates = config.prices.get(model) or config.prices.get(f"{provider}:{model}") or config.price
    price = by_rates(rates) if rates is not None else by_table(model, provider)
    return None if price is None else _if_told(price)


def _if_told(price: Price) -> Price:
    """Return a price that is unknown where the endpoint does not say how many tokens it took."""
    from acidtest.judges.backend import Completion

    free = price(Completion(text="", input_tokens=1000, output_tokens=1000)) == 0

    def told(completion: Completion) -> float | None:
        silent = not completion.input_tokens and not completion.output_tokens
        return None if silent and not free else price(completion)

    return told


def _address(config: JudgeConfig, provider: str, *, configured_address: bool) -> str | None:
    """Return the address that is configured, or in the environment; None for the provider's own."""
    configured = config.base_url if configured_address else None
    address = configured or os.environ.get(ADDRESSES[provider])
    if not address:
        return None
    return checked(address, "[judge] base_url" if configured else ADDRESSES[provider])


def _backend(provider: str, model: str, api_version: str | None, given: Mapping[str, Any]) -> Any:
    if provider == "anthropic":
        from acidtest.judges.anthropic_http import AnthropicBackend

        return AnthropicBackend(model, **given)
    if provider == "google":
        from acidtest.judges.google_http import GoogleBackend

        return GoogleBackend(model, **given)
    from acidtest.judges.openai_http import OpenAIBackend

    return OpenAIBackend(model, api_version=api_version, **given)
