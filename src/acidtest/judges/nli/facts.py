"""The answer to `factual_correctness`: the sentences of answer and reference, each held against the other."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from acidtest.judges.nli.model import Model
from acidtest.judges.nli.rules import Thresholds
from acidtest.judges.nli.statements import Ruled, rulings, stated
from acidtest.judges.nli.windows import windows


def answer(
    fields: Mapping[str, Any], model: Model, cut: Thresholds, stopped: Callable[[], bool]
) -> dict[str, Any]:
    """Rule on numbered points of the reference and sentences of the answer.

    Args:
        fields: `points` and `sentences`.
        model: Who says what entails what.
        cut: Where the rules cut.
        stopped: Whether to leave the rest.

    Raises:
        JudgeError: The model failed or was stopped.
    """
    points, sentences = fields["points"], fields["sentences"]

    def ruled(texts: Sequence[str], other: Sequence[str], name: str) -> list[dict[str, Any]]:
        claimed = stated(texts)
        following = iter(
            rulings(
                [each for each in claimed if each is not None],
                windows([" ".join(other)], model.tokens),
                model,
                cut,
                name=lambda _: name,
                stopped=stopped,
            )
        )
        return [
            {"sentence": number, "claims": [] if each is None else [_fact(next(following))]}
            for number, each in enumerate(claimed, start=1)
        ]

    return {
        "points": ruled(points, sentences, "the answer"),
        "sentences": ruled(sentences, points, "the reference"),
    }


def _fact(ruled: Ruled) -> dict[str, Any]:
    return {"claim": ruled.statement, "verdict": ruled.ruling, "why": ruled.why}
