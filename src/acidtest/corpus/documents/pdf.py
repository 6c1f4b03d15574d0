"""PDF to text, through PDFium (extra `documents`): each page is a section.

A page that is a picture of text has none: nothing is recognised from pictures.
"""

from pathlib import Path
from typing import Any

from acidtest.codec.rows.lines import opened, too_big
from acidtest.corpus.documents.page import Heading, Page, shortened
from acidtest.errors import BadData
from acidtest.extras import need

MAX_PAGES = 20_000
MAX_TEXT = 100_000_000
"""Characters; PDF compresses, and a small file can hold more text than memory."""

_PASSWORD = 4  # FPDF_ERR_PASSWORD
_BREAKS = str.maketrans({"\r": None, "\x0c": "\n", "\ufffe": "", "\0": ""})


def read_pdf(path: Path, *, limit: int) -> Page:
    """Read a PDF's text, page by page.

    Raises:
        BadData: It is damaged, needs a password, or is over a limit.
        MissingExtra: pypdfium2 is not installed.
    """
    pdfium = need("pypdfium2", extra="documents")
    with opened(path, BadData) as stream:
        raw = stream.read(limit + 1)
    if len(raw) > limit:
        raise too_big(str(path), limit, BadData)
    try:
        with pdfium.PdfDocument(raw) as document:
            return _page(document, str(path))
    except pdfium.PdfiumError as fault:
        if getattr(fault, "err_code", None) == _PASSWORD:
            raise BadData(
                "needs a password", where=str(path), fix="Save a copy without one."
            ) from fault
        raise BadData(
            "not a PDF that can be read", where=str(path), fix="Export it again."
        ) from fault


def _page(document: Any, where: str) -> Page:
    if len(document) > MAX_PAGES:
        raise BadData(
            f"has {len(document):,} pages, over {MAX_PAGES:,}",
            where=where,
            fix="Split it, or leave it out with exclude in [corpus].",
        )
    parts: list[str] = []
    headings: list[Heading] = []
    length = 0
    for number in range(len(document)):
        text = _text(document, number)
        if not text:
            continue
        gap = "\n\n" if parts else ""
        start = length + len(gap)
        headings.append(Heading(start, start, f"page {number + 1}"))
        parts.append(gap + text)
        length += len(gap) + len(text)
        if length > MAX_TEXT:
            raise BadData(
                f"holds over {MAX_TEXT:,} characters of text",
                where=where,
                fix="Split it, or leave it out with exclude in [corpus].",
            )
    title = shortened(document.get_metadata_value("Title")) or None
    return Page(text="".join(parts), title=title, headings=tuple(headings))


def _text(document: Any, number: int) -> str:
    page = document[number]
    try:
        written = page.get_textpage()
        try:
            return str(written.get_text_bounded()).translate(_BREAKS).strip()
        finally:
            written.close()
    finally:
        page.close()
