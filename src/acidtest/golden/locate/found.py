"""What a search for a text finds: occurrences, each of one or more parts."""

from typing import Literal

from msgspec import Struct

from acidtest.golden.locate.fold import fold, fold_but_case
from acidtest.golden.locate.stretches import Stretch

How = Literal["exact", "normalised", "case", "fuzzy"]
"""How alike: to the letter; but for white space and typography; but for case too; by alignment."""

LIKENESS: dict[How, float] = {"exact": 1.0, "normalised": 0.99, "case": 0.98}
"""The similarity of an occurrence that needed no alignment."""


class Needle:
    """A text that is looked for, in the forms in which it is compared.

    Args:
        text: The text as it came.
    """

    __slots__ = ("cased", "folded", "plain", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = text.strip()
        self.folded = fold(text)
        self.cased = fold_but_case(text)


class Part(Struct, frozen=True, eq=False, kw_only=True):
    """A range of a stretch that holds a range of the text that was looked for.

    Args:
        stretch: Where.
        start: The first character in the stretch.
        end: The character after the last one.
        first: The first character of the text that stands here.
        last: The character after the last one.
        similarity: 1 where the two agree, from 0 on.
    """

    stretch: Stretch
    start: int
    end: int
    first: int
    last: int
    similarity: float


class Occurrence(Struct, frozen=True, eq=False, kw_only=True):
    """One place of the text, in parts where it was torn apart.

    `similarity` is over the whole text: what stands nowhere counts 0.
    """

    parts: tuple[Part, ...]
    how: How
    similarity: float

    @property
    def doc_id(self) -> str | None:
        """The document of its first part."""
        return self.parts[0].stretch.doc_id

    @property
    def text(self) -> str:
        """What stands there."""
        return " ".join(part.stretch.text[part.start : part.end] for part in self.parts)
