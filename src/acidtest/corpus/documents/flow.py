"""Text that is put together of runs of words and the gaps between them, with its headings."""

from acidtest.corpus.documents.page import Heading, shortened

_GAPS = ("", " ", " | ", "\n", "\n\n")
"""From the narrowest to the widest: between two runs of words the widest one asked for holds."""


class Flow:
    """The text so far."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._gap = ""
        self._kept = 0
        self._opened: int | None = None  # the first part of the heading that is being written
        self._begun = 0
        self.headings: list[Heading] = []
        self.title: str | None = None

    def words(self, text: str) -> None:
        """Add a run of words; white space in it is one space each, unless it is kept."""
        if self._kept:
            self._put(text.replace("\r\n", "\n"))
            return
        shown = " ".join(text.split())
        if text[:1].isspace():
            self.gap(" ")
        if shown:
            self._put(shown)
            if text[-1:].isspace():
                self.gap(" ")

    def gap(self, mark: str) -> None:
        """Ask for a gap before the next words."""
        self._gap = max(self._gap, mark, key=_GAPS.index)

    def kept(self, *, ends: bool) -> None:
        """Keep white space as it is from here on, or no longer."""
        self._kept += -1 if ends else 1

    def heading(self, tag: str, *, ends: bool) -> None:
        """Begin a heading, or end it; the first of level 1 is the title."""
        if not ends:
            self._opened = len(self._parts)
            return
        if self._opened is None:
            return
        words = shortened("".join(self._parts[self._opened :]))
        if words:
            self.headings.append(Heading(self._begun, self._length, words))
            if tag == "h1" and self.title is None:
                self.title = words
        self._opened = None

    def text(self) -> str:
        """Return the text."""
        return "".join(self._parts)

    def _put(self, text: str) -> None:
        if not text:
            return
        gap = self._gap if self._length else ""
        if self._opened == len(self._parts):
            self._begun = self._length + len(gap)
        self._gap = ""
        self._parts.append(gap + text)
        self._length += len(gap) + len(text)
