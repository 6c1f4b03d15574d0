"""Families of language models, by the names of models."""

import re

_FAMILIES: tuple[tuple[str, str], ...] = (
    ("openai", r"gpt|chatgpt|o[1-9](?:-|$)|davinci"),
    ("anthropic", r"claude"),
    ("google", r"gemini|gemma|palm"),
    ("meta", r"(?:meta-)?llama|codellama"),
    ("mistral", r"mistral|mixtral|ministral|codestral|magistral"),
    ("qwen", r"qwen|qwq"),
    ("deepseek", r"deepseek"),
    ("cohere", r"command|aya"),
    ("microsoft", r"phi"),
    ("xai", r"grok"),
)


def family_of(model: str) -> str | None:
    """Return who made a model, as far as its name tells; None where it does not.

    A provider and an owner before the name (`openai:`, `meta-llama/`) say nothing: gateways serve models
    of others.
    """
    name = re.split(r"[:/]", model.strip().casefold())
    # Ollama writes the size behind a colon: llama3:8b.
    for part in reversed(name):
        for family, pattern in _FAMILIES:
            if re.match(pattern, part):
                return family
    return None
