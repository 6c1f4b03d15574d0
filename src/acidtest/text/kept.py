"""Keeping what a function last said of some texts, where the same text is asked about again and again."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")

_OfText = Callable[Concatenate[str, _P], _R]


def kept(*, most: int, longest: int) -> Callable[[_OfText[_P, _R]], _OfText[_P, _R]]:
    """Return a decorator for a function of a text that keeps its last results.

    Results are shared: what is returned must not be changed. A longer text is worked on each time, so that
    a few hostile ones cannot fill the memory.

    Args:
        most: How many results are kept.
        longest: Characters of a text whose result is kept.
    """

    def keeping(function: _OfText[_P, _R]) -> _OfText[_P, _R]:
        remembered = lru_cache(maxsize=most)(function)

        @wraps(function)
        def asked(text: str, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
            if len(text) > longest:
                return function(text, *args, **kwargs)
            return remembered(text, *args, **kwargs)  # type: ignore[arg-type]  # hashable, as texts are

        return asked

    return keeping
