"""Stale documents and wrong versions among the retrieved, where they show.

They show in three ways: the chunk's own metadata says so (`status`, `stale`, `superseded`); its
document is the right one in another version than the evidence was taken from; or its name differs
from the right document's only by a version or a date (`pricing-2023` beside `pricing-2025`).
"""

import re
from collections.abc import Iterable, Sequence

from acidtest.data.answers import Chunk
from acidtest.data.runs import CaseResult

_OLD = frozenset({"archived", "deprecated", "obsolete", "outdated", "stale", "superseded"})
_VERSION_KEYS = ("doc_version", "version", "revision")
_SUFFIX = re.compile(
    r"[\W_]+(?:v(?:er(?:sion)?)?[\W_]?\d+(?:[._]\d+)*|r\d+|(?:19|20)\d\d(?:[-_.]?\d\d){0,2}"
    r"|old|new|draft|archived?|deprecated|latest|current)(?=$|[\W_])",
    re.IGNORECASE,
)


def stale_among(case: CaseResult, ranks: Iterable[int] | None = None) -> tuple[str, ...]:
    """Name the retrieved chunks that are stale or of a wrong version, with the reason.

    Args:
        case: The case.
        ranks: Look at these ranks only (from 1); None means at all.
    """
    chunks: Sequence[Chunk] = case.retrieved or ()
    wanted = set(ranks) if ranks is not None else None
    named = (
        _stale(chunk, case)
        for rank, chunk in enumerate(chunks, 1)
        if wanted is None or rank in wanted
    )
    return tuple(dict.fromkeys(name for name in named if name))


def _stale(chunk: Chunk, case: CaseResult) -> str | None:
    name = chunk.doc_id or chunk.source or chunk.id
    if name is None:
        return None
    for key, value in chunk.metadata.items():
        flag = str(key).casefold()
        if flag in _OLD and value not in (False, None, "", 0):
            return f"{name} (marked {flag})"
        if flag in {"status", "state"} and str(value).casefold() in _OLD:
            return f"{name} (marked {value})"
    version = next((str(chunk.metadata[k]) for k in _VERSION_KEYS if k in chunk.metadata), None)
    for piece in case.evidence:
        same = piece.doc_id is not None and piece.doc_id == chunk.doc_id
        if same and version and piece.doc_version and version != piece.doc_version:
            return f"{name} (version {version}, the evidence is from {piece.doc_version})"
    return _sibling(name, chunk, case)


def _sibling(name: str, chunk: Chunk, case: CaseResult) -> str | None:
    right = [e.doc_id for e in case.evidence if e.doc_id]
    right += list(case.relevant_docs or ())
    right += [key for key, grade in (case.relevant or {}).items() if grade > 0]
    if {name, chunk.id, chunk.doc_id} & set(right):
        return None
    for other in right:
        if _bare(name) != _bare(other) and _stem(name) == _stem(other):
            return f"{name} (perhaps another version of {other})"
    return None


def _bare(name: str) -> str:
    """Return the document's part of a chunk's name: `refunds` of `refunds#2`."""
    return re.sub(r"[#:].*$", "", name).casefold()


def _stem(name: str) -> str:
    """Return a name without the versions and dates that hang on it."""
    return _SUFFIX.sub("", _bare(name))
