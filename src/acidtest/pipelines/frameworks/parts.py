"""A framework's object in our terms: what retrieves, what answers, what answers from given contexts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of a pipeline, as `shapes.py` looks for them; None where the object has no such part.

    Attributes:
        retrieve: Gives contexts for a question and generates nothing.
        respond: Answers a question with everything that the object does.
        generate: Answers a question from given contexts.
        alone: One question at a time: two at once would mix.
    """

    retrieve: Callable[..., Any] | None = None
    respond: Callable[..., Any] | None = None
    generate: Callable[..., Any] | None = None
    alone: bool = False
