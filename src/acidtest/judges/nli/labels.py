"""Labels: which of a model's outputs means entailment, by the names that its `config.json` gives.

The order differs from model to model (contradiction comes first in some, last in others), so it is read
and never assumed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from acidtest.errors import BadConfig

_MEANINGS: Mapping[str, str] = {
    "entailment": "entailment",
    "entail": "entailment",
    "entails": "entailment",
    "entailed": "entailment",
    "neutral": "neutral",
    "contradiction": "contradiction",
    "contradict": "contradiction",
    "contradicts": "contradiction",
    "contradictory": "contradiction",
    "notentailment": "not_entailment",
    "nonentailment": "not_entailment",
    "notentailed": "not_entailment",
}
_SETS = ({"entailment", "neutral", "contradiction"}, {"entailment", "not_entailment"})


@dataclass(frozen=True)
class Labels:
    """Where each meaning stands among a model's outputs.

    Attributes:
        count: How many outputs there are: two or three.
        entailment: The place of entailment, counted from 0.
        contradiction: The place of contradiction; None where a model knows only "not entailed".
    """

    count: int
    entailment: int
    contradiction: int | None


def labels(config: Mapping[str, Any], where: str) -> Labels:
    """Read the labels of a model.

    Args:
        config: Its `config.json`.
        where: The name of that file, for errors.

    Raises:
        BadConfig: It does not say what each output means, or it is no model for inference.
    """
    named = config.get("id2label")
    if not isinstance(named, Mapping) or not named:
        raise BadConfig(
            "id2label is missing: nothing says which output means entailment",
            where=where,
            fix='Write it as the model\'s card gives it, such as {"0": "contradiction", '
            '"1": "entailment", "2": "neutral"}.',
        )
    by_place = {str(place): _meaning(name) for place, name in named.items()}
    meanings = [by_place.get(str(place)) for place in range(len(by_place))]
    if set(meanings) not in _SETS or len(set(meanings)) != len(meanings):
        shown = ", ".join(f"{place}: {str(name)[:40]!r}" for place, name in list(named.items())[:6])
        raise BadConfig(
            f"id2label names {{{shown}}}; entailment, neutral and contradiction, or entailment and "
            "not_entailment, are needed",
            where=where,
            fix="Use a model for natural language inference; if this is one, write in id2label what "
            "its card says each output means.",
        )
    return Labels(
        count=len(meanings),
        entailment=meanings.index("entailment"),
        contradiction=meanings.index("contradiction") if "contradiction" in meanings else None,
    )


def _meaning(name: object) -> str | None:
    return _MEANINGS.get("".join(c for c in str(name).casefold() if c.isalpha()))
