r"""A known-relevant chunk as a foreign generator expects it: text, mapping or object, all at once.

In golden-context mode a generator gets chunks that its own retriever did not make. Whether it writes
`"\n".join(contexts)`, `c["text"]` or `c.page_content`, it must work: a passage is the text itself,
with the chunk's members as attributes and as keys.
"""

from typing import Any, Self

from acidtest.data.answers import Chunk

OTHER_CONTEXTS = "named other contexts than it was given"
"""What an answer's notes say of a generator that may not heed the contexts that it is handed."""

_TEXTS = frozenset({"text", "content", "page_content", "excerpt"})
_IDS = frozenset({"id", "chunk_id"})
_KEYS = ("id", "chunk_id", "doc_id", "text", "content", "page_content", "excerpt", "score")
_MORE = ("source", "metadata")


class Passage(str):
    """The text of a chunk that also answers to `.id`, `["id"]`, `.get("id")` and the like."""

    __slots__ = ("chunk",)
    chunk: Chunk

    def __new__(cls, chunk: Chunk) -> Self:
        """Make the text of a chunk; no text is empty text."""
        passage = super().__new__(cls, chunk.text or "")
        passage.chunk = chunk
        return passage

    def __reduce__(self) -> tuple[object, ...]:
        return Passage, (self.chunk,)

    def __getattr__(self, name: str) -> Any:
        if name in _KEYS or name in _MORE:
            return _member(self.chunk, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        if key in _KEYS or key in _MORE:
            return _member(self.chunk, key)
        raise KeyError(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return a member as a mapping would; None counts as not there."""
        value = _member(self.chunk, key) if key in _KEYS or key in _MORE else None
        return default if value is None else value

    def keys(self) -> tuple[str, ...]:
        """Return the names that `[...]` takes, so that `dict(passage)` works."""
        return (*_KEYS, *_MORE)


def _member(chunk: Chunk, name: str) -> Any:
    if name in _TEXTS:
        return chunk.text or ""
    return chunk.id if name in _IDS else getattr(chunk, name)
