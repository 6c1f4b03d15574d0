"""Doing once more what a database gave up, since two who write waited for each other.

Who takes several rows does so in the order of their keys, which keeps nearly all apart. Where databases lock
rows that nobody names (those that a foreign key leads to, those that are deleted with others), two can still
wait for each other: PostgreSQL then ends one of them, undoes what it did, and wants it to be done again.
"""

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from acidtest.errors import StoreError
from acidtest.store.faults import collided

_P = ParamSpec("_P")
_R = TypeVar("_R")
_S = TypeVar("_S")

_TRIES = 6
_LONGEST_S = 0.2


def again(
    method: Callable[Concatenate[_S, _P], _R],
) -> Callable[Concatenate[_S, _P], _R]:
    """Return a method of a store that is done again where its transaction collided with another.

    The method must be one transaction: what it does outside of it is done twice.
    """

    @wraps(method)
    def tried(self: _S, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        for _ in range(_TRIES - 1):
            try:
                return method(self, *args, **kwargs)
            except StoreError as error:
                if error.__cause__ is None or not collided(error.__cause__):
                    raise
            # Not for the same time: the two would meet again.
            time.sleep(random.uniform(0, _LONGEST_S))
        return method(self, *args, **kwargs)

    return tried
