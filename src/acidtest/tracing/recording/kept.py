"""What was recorded before it can be written down: kept as it is now, whatever the application changes later."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

MOST_CONTEXTS = 1_000
_DEPTH = 30


class Later(NamedTuple):
    """Spans of one answer that are still to be written down, and about how many characters they will have."""

    size: int
    write: Callable[[], bytes]


def first_of(contexts: Iterable[Any] | None) -> list[Any] | None:
    """Return contexts as a list; LangChain's documents by their parts, which an application may change."""
    if contexts is None:
        return None
    return [_parts(each) for each, _ in zip(contexts, range(MOST_CONTEXTS), strict=False)]


def kept(value: Any, depth: int = 0) -> Any:
    """Return a value whose mappings and lists are its own; what else there is, is taken as it is."""
    if depth > _DEPTH:
        return value
    if isinstance(value, Mapping):
        return {name: kept(each, depth + 1) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [kept(each, depth + 1) for each in value]
    return value


def size_of(value: Any, depth: int = 0) -> int:
    """Return about how many characters a value has."""
    if isinstance(value, str):
        return len(value)
    if depth > _DEPTH:
        return 1
    if isinstance(value, Mapping):
        return sum(size_of(each, depth + 1) for pair in value.items() for each in pair)
    if isinstance(value, list | tuple):
        return sum(size_of(each, depth + 1) for each in value)
    return size_of(getattr(value, "text", None)) if depth and hasattr(value, "text") else 1


def _parts(given: Any) -> Any:
    if not hasattr(given, "page_content"):
        return given
    return {
        "text": given.page_content,
        "metadata": getattr(given, "metadata", None),
        "id": getattr(given, "id", None),
    }
