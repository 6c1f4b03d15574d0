"""A document as its reader gives it: the text, and where its headings are."""

from msgspec import Struct


class Heading(Struct, frozen=True):
    """A heading: its place in the text, in characters, and its words.

    `start` and `end` are the same where the heading is no part of the text, such as a page's number.
    """

    start: int
    end: int
    words: str


class Page(Struct, frozen=True, kw_only=True):
    r"""The text of one document.

    Args:
        text: What the document says, with `\n` as line ends.
        title: Its title, where it has one.
        headings: In the order of the text.
    """

    text: str
    title: str | None = None
    headings: tuple[Heading, ...] = ()


def shortened(words: str, limit: int = 200) -> str:
    """Return a heading on one line, cut where it is no heading any more."""
    return " ".join(words.split())[:limit]
