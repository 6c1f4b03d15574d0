"""Other tools' scores as outcomes, under names that are not taken for our metrics.

`faithfulness` of Ragas is not our `faithfulness`: the formula is another. So a peer's metric is called
after its tool (`ragas_faithfulness`), and compares with nothing but itself.
"""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from acidtest.data.outcomes import LARGEST, Failure, MetricSpec, Outcome, Score
from acidtest.data.terms import Direction, Stage

MISSING = "the file has no score for this case"
NAN = "NaN in the file: the tool obtained no score"

_STAGES: tuple[tuple[Stage, tuple[str, ...]], ...] = (
    ("operations", ("latency", "cost", "token", "time", "duration", "length")),
    ("retrieval", ("context", "retriev", "recall", "ndcg", "mrr", "precision_at", "hit_rate")),
    ("generation", ("faithful", "grounded", "hallucination", "relevan", "citation", "coheren")),
)
_UP_AGAIN = ("context_faithful", "f1_context")
_LOWER = (
    *("hallucination", "bias", "toxicity", "noise_sensitivity", "misuse", "pii_leakage"),
    *("latency", "cost", "execution_time", "levenshtein", "perplexity"),
)
_ODD = re.compile(r"[^0-9A-Za-z]+")


def named(tool: str, metric: str) -> str:
    """Return what a peer's metric is called here: `ragas_faithfulness`."""
    return f"{tool}_{_ODD.sub('_', metric).strip('_').lower()[:80] or 'score'}"


def spec(
    tool: str, metric: str, *, judged: bool = False, direction: Direction | None = None
) -> MetricSpec:
    """Return the description of a peer's metric, as far as its name tells.

    Args:
        tool: The tool, as names start.
        metric: The tool's name of it.
        judged: A model gave the scores.
        direction: Which way is better, where the file tells; else the name has to.
    """
    name = named(tool, metric)
    bare = name.removeprefix(f"{tool}_")
    stage: Stage = next(
        (stage for stage, marks in _STAGES if any(mark in bare for mark in marks)), "end_to_end"
    )
    if any(mark in bare for mark in _UP_AGAIN):
        stage = "generation"
    by_name: Direction = "lower" if any(mark in bare for mark in _LOWER) else "higher"
    return MetricSpec(
        name=name,
        stage=stage,
        direction=direction or by_name,
        cost="judge" if judged else "free",
        version=tool,
    )


def outcome(
    value: object, *, reason: str = "", missing: str = MISSING, detail: str | None = None
) -> Outcome:
    """Return the outcome that a cell or member stands for.

    Truth values are 1 and 0; a number in text is read. What is no finite number is a `Failure`.

    Args:
        value: What the file holds.
        reason: Why, where the tool says it.
        missing: Why there is none, where the value is null.
        detail: What the tool says went wrong.
    """
    if value is None or value == "":
        return Failure(missing, detail)
    number = number_of(value)
    if number is None:
        return Failure("the score in the file is no number", str(value)[:200])
    if math.isnan(number):
        return Failure(NAN, detail)
    if abs(number) > LARGEST:
        return Failure("the score in the file is no finite number", str(value)[:200])
    return Score(number, reason[:4000])


def number_of(value: object) -> float | None:
    """Return a number, a truth value or a number in text as a number, which may be NaN; else None."""
    if isinstance(value, bool | int | float):
        return float(value)
    if isinstance(value, str):
        word = value.strip().lower()
        if word in ("true", "false"):
            return float(word == "true")
        try:
            return float(word) if "_" not in word else None
        except ValueError:
            return None
    return None


def is_column_of_numbers(rows: Iterable[Mapping[str, Any]], name: str) -> bool:
    """Say whether every filled cell of a column is a number (or NaN), and one at least is filled.

    Truth values of JSON count as numbers only beside numbers: alone they are flags.
    """
    filled = [row[name] for row in rows if row.get(name) not in (None, "")]
    if not filled or all(isinstance(value, bool) for value in filled):
        return False
    return all(
        number_of(value) is not None and str(value).lower() not in ("true", "false")
        for value in filled
    )
