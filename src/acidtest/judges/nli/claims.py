"""The answer to `faithfulness` and `context_recall`: every sentence is a claim, held against the passages."""

from collections.abc import Callable, Mapping
from typing import Any

from acidtest.judges.nli.model import Model
from acidtest.judges.nli.rules import Thresholds
from acidtest.judges.nli.statements import Ruled, rulings, stated
from acidtest.judges.nli.windows import windows

_QUOTE = 300
"""Characters of a quote: enough to find the place."""


def answer(
    fields: Mapping[str, Any], model: Model, cut: Thresholds, stopped: Callable[[], bool]
) -> dict[str, Any]:
    """Rule on numbered sentences.

    Args:
        fields: `sentences` and `passages`.
        model: Who says what entails what.
        cut: Where the rules cut.
        stopped: Whether to leave the rest.

    Raises:
        JudgeError: The model failed or was stopped.
    """
    claimed = stated(fields["sentences"])
    ruled = rulings(
        [each for each in claimed if each is not None],
        windows(fields["passages"], model.tokens),
        model,
        cut,
        name=lambda window: f"passage {window.passage}",
        stopped=stopped,
    )
    following = iter(ruled)
    return {
        "sentences": [
            {"sentence": number, "claims": [] if each is None else [_claim(next(following))]}
            for number, each in enumerate(claimed, start=1)
        ]
    }


def _claim(ruled: Ruled) -> dict[str, Any]:
    claim = {"claim": ruled.statement, "verdict": ruled.ruling, "why": ruled.why}
    if ruled.window is None:
        return claim
    if ruled.ruling == "unsupported":  # the nearest passage is no evidence, only worth a look
        return claim | {"passage": ruled.window.passage}
    return claim | {"passage": ruled.window.passage, "quote": ruled.window.text[:_QUOTE]}
