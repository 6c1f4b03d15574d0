"""Which reader reads a document: its name's ending tells."""

from collections.abc import Callable
from pathlib import Path, PurePath

from acidtest.corpus.documents.html import read_html
from acidtest.corpus.documents.markdown import read_markdown
from acidtest.corpus.documents.page import Page
from acidtest.corpus.documents.pdf import read_pdf
from acidtest.corpus.documents.plain import read_plain

MAX_BYTES = 50 * 1024**2
"""A document over this is no document."""

_READERS: dict[str, Callable[..., Page]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".mdx": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".pdf": read_pdf,
    ".txt": read_plain,
    ".text": read_plain,
    ".rst": read_plain,
}
SUFFIXES = tuple(_READERS)


def is_document(name: str) -> bool:
    """Say whether a file of this name is read as a document."""
    return PurePath(name.lower()).suffix in _READERS


def read_document(path: Path) -> Page:
    """Read a document.

    Raises:
        BadData: It cannot be read; the message names it.
        MissingExtra: A package that reads this form is not installed.
    """
    return _READERS[path.suffix.lower()](path, limit=MAX_BYTES)
