"""A reply's schema that keeps what was made of it, so that it is made once and not at every call."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class Form(dict[str, Any]):
    """A JSON Schema. Nobody may change it: what is kept would no longer fit."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        super().__init__(schema)
        self.made: dict[str, Any] = {}


def kept(schema: Mapping[str, Any], what: str, make: Callable[[], T]) -> T:
    """Return what is made of a schema, made once where the schema can keep it."""
    if not isinstance(schema, Form):
        return make()
    if what not in schema.made:
        schema.made[what] = make()
    made: T = schema.made[what]
    return made
