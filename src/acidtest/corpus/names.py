"""The field names under which chunks are kept in other systems, each read as the field that it means.

Names are compared folded, see `codec.names.fold`. A field of `FIELDS` may be filled under one of its
names only; a name of `ELSE` counts where none of those is filled, the first one that is.
"""

from functools import lru_cache

from acidtest.codec.chunks import ID, TEXT
from acidtest.codec.names import fold

FIELDS: dict[str, tuple[str, ...]] = {
    "id": (*ID, "id_", "uuid", "docno"),
    "text": (*TEXT, "contents", "chunk_content"),
    "doc_id": ("doc_id", "document_id", "docid", "ref_doc_id"),
    "doc_version": ("doc_version", "document_version", "version"),
    "start": ("start", "start_index", "start_char_idx", "start_offset"),
    "end": ("end", "end_index", "end_char_idx", "end_offset"),
    "span": ("span",),
    "title": ("title", "doc_title", "document_title"),
    "section": ("section", "heading", "section_title"),
    "metadata": ("metadata", "meta"),
}
ELSE: dict[str, tuple[str, ...]] = {
    "doc_id": ("source", "file_path", "path", "file", "file_name", "filename", "url"),
}
BULK = frozenset(("embedding", "embeddings", "vector", "vectors", "sparse_values", "values"))
"""What indexes keep beside a chunk and nobody reads here: it would only fill the memory."""

INNER = frozenset(("id", "doc_id", "doc_version", "start", "end", "title", "section"))
"""Fields that are also looked for in a chunk's metadata, where frameworks keep them."""

_FIRST = {name: (field, 0) for field, names in FIELDS.items() for name in names}
_ORDER = _FIRST | {
    name: (field, place)
    for field, names in ELSE.items()
    for place, name in enumerate(names, start=1)
}


@lru_cache(maxsize=10_000)  # a file says the same few names in every row
def meaning(name: str) -> tuple[str, int] | None:
    """Return the field that a name means, and how late it counts; None for other names."""
    return _ORDER.get(fold(name))


@lru_cache(maxsize=10_000)
def is_bulk(name: str) -> bool:
    """Say whether a name is that of vectors."""
    return fold(name) in BULK
