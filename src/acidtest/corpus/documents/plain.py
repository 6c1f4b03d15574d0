"""Plain text: it has no headings that can be told from other lines."""

from pathlib import Path

from acidtest.codec.rows.lines import whole_text
from acidtest.corpus.documents.page import Page
from acidtest.errors import BadData


def read_plain(path: Path, *, limit: int) -> Page:
    """Read a text file in UTF-8.

    Raises:
        BadData: It cannot be read, is over the limit, or is no text.
    """
    return Page(text=text_of(path, limit=limit))


def text_of(path: Path, *, limit: int) -> str:
    r"""Return the text of a file with `\n` as line ends.

    Raises:
        BadData: As `read_plain`.
    """
    text = whole_text(path, BadData, limit=limit)
    if "\0" in text:
        raise BadData(
            "holds null characters: it is no text",
            where=str(path),
            fix="Write it as UTF-8 text, or leave it out with exclude in [corpus].",
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")
