"""The version of a document: a content hash of what it says.

Hashed is the whole text in Unicode's NFC form with all white space left out, so that line ends, wrapping
and indentation make no new version, and a document that was cut between words has the version of the
whole.
"""

import hashlib
import unicodedata
from collections.abc import Iterable

from acidtest.data.corpus import CorpusChunk


def document_version(text: str) -> str:
    """Return `sha256:` and 64 hex digits over a document's text."""
    plain = text if text.isascii() else unicodedata.normalize("NFC", text)
    bare = "".join(plain.split())
    # Halves of surrogate pairs, which UTF-8 cannot hold, count as question marks.
    return f"sha256:{hashlib.sha256(bare.encode(errors='replace')).hexdigest()}"


def version_of_chunks(chunks: Iterable[CorpusChunk]) -> str:
    """Return the version of what a document's chunks hold together.

    Where every chunk says its place, what chunks share is counted once: chunks that cover a whole
    document have its version however it was cut. Without places the texts are joined in their order, and
    chunks that overlap give another version than the whole document has.
    """
    return document_version(joined(chunks))


def joined(chunks: Iterable[CorpusChunk]) -> str:
    """Return the text that a document's chunks hold together, as far as it is known."""
    pieces = list(chunks)
    if not all(_placed(chunk) for chunk in pieces):
        return "\n".join(chunk.text for chunk in pieces)
    held: list[str] = []
    covered = 0
    for chunk in sorted(pieces, key=lambda chunk: (chunk.start or 0, chunk.end or 0)):
        start = chunk.start or 0
        held.append(chunk.text[max(0, covered - start) :])
        covered = max(covered, start + len(chunk.text))
    return "\n".join(piece for piece in held if piece)


def _placed(chunk: CorpusChunk) -> bool:
    # A place that does not fit the text was taken in another unit, such as bytes or tokens.
    return (
        chunk.start is not None
        and chunk.end is not None
        and chunk.end - chunk.start == len(chunk.text)
    )
