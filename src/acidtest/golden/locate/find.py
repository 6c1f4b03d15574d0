"""Finding a text in a corpus: to the letter, then but for typography, then by alignment.

The text's own document comes first. Another one is looked at when the text is not there, and when
what is there may as well be another sentence that looks like it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from acidtest.golden.locate.exact import exact_in
from acidtest.golden.locate.fold import tokens
from acidtest.golden.locate.found import Needle, Occurrence
from acidtest.golden.locate.fuzzy import fuzzy_in
from acidtest.golden.locate.index import Index
from acidtest.golden.locate.stretches import Stretch

MOST = 1_000
"""Occurrences of one text that are looked at."""

SLIP = 0.95
"""Edited this little, a text in its own document is the text, whatever stands elsewhere."""

_PLACES = 1_000  # places with a text's word pairs that are searched to the letter
_SHARE = 0.4  # of the best place's pairs; a text may lie across two places


class Found(Struct, frozen=True, eq=False, kw_only=True):
    """All that was found of a text.

    Args:
        occurrences: The likeliest first; equals in the order of the corpus.
        more: There may be more than the `MOST` that were looked at.
        torn: The text's own document has something like it, and another one has it better.
    """

    occurrences: tuple[Occurrence, ...] = ()
    more: bool = False
    torn: bool = False


class Finder:
    """Finds texts in a corpus.

    Args:
        stretches: The corpus as running text.
        texts: All that will be asked for.
    """

    def __init__(self, stretches: Sequence[Stretch], texts: Iterable[str]) -> None:
        self.stretches = stretches
        self.by_doc = {each.doc_id: each for each in stretches if each.doc_id is not None}
        self._index = Index(stretches, texts)

    def find(self, text: str, doc_id: str | None = None) -> Found:
        """Return where a text stands; its own document first.

        Args:
            text: One of the texts that were announced.
            doc_id: The document that it was taken from, if it is known.
        """
        needle = Needle(text)
        own = self.by_doc.get(doc_id) if doc_id is not None else None
        near: list[Occurrence] = []
        if own is not None:
            for words in (True, False):  # a chunk may have been cut inside a word
                here = exact_in(needle, own, 0, len(own.text), words=words)
                if (found := _all(list(islice(here, MOST + 1)))).occurrences:
                    return found
            near = fuzzy_in(needle, self._index, own)
            if near and near[0].similarity >= SLIP:
                return Found(occurrences=tuple(near))
        there = _all(list(islice(self._exact(needle), MOST + 1)))
        if not there.occurrences:
            far = fuzzy_in(needle, self._index, None)
            return Found(occurrences=_best(near, far))
        if near:
            return Found(occurrences=(*there.occurrences, *near), more=there.more, torn=True)
        return there

    def _exact(self, needle: Needle) -> Iterator[Occurrence]:
        seen = set[tuple[int, int]]()
        for stretch, start, end in self._regions(needle):
            for found in exact_in(needle, stretch, start, end):
                part = found.parts[0]
                key = (part.stretch.number, part.start)
                if key not in seen:
                    seen.add(key)
                    yield found

    def _regions(self, needle: Needle) -> Iterator[tuple[Stretch, int, int]]:
        """Yield the ranges that may hold the text, those that meet joined, in the corpus's order."""
        places = self._index.candidates(needle.text, most=_PLACES, least=_SHARE)
        if not places:
            if not tokens(needle.text):  # a text of signs alone has no words to be found by
                yield from ((each, 0, len(each.text)) for each in self.stretches)
            return
        room = len(needle.text) + len(needle.text) // 4 + 100
        blocks = sorted(
            (place.block for place in places), key=lambda block: (block.stretch.number, block.start)
        )
        current: tuple[Stretch, int, int] | None = None
        for block in blocks:
            start, end = max(0, block.start - room), min(len(block.stretch.text), block.end + room)
            if current is not None and current[0] is block.stretch and start <= current[2]:
                current = (block.stretch, current[1], end)
                continue
            if current is not None:
                yield current
            current = (block.stretch, start, end)
        if current is not None:
            yield current


def _all(found: list[Occurrence]) -> Found:
    """Put the nearest to the letter first."""
    kept = sorted(found[:MOST], key=lambda each: -each.similarity)
    return Found(occurrences=tuple(kept), more=len(found) > MOST)


def _best(near: list[Occurrence], far: list[Occurrence]) -> tuple[Occurrence, ...]:
    """Return both, the likeliest first, one that is found twice only once."""
    found = [*near, *(each for each in far if not any(_same(each, other) for other in near))]
    return tuple(sorted(found, key=lambda each: -each.similarity))


def _same(one: Occurrence, other: Occurrence) -> bool:
    a, b = one.parts[0], other.parts[0]
    return a.stretch is b.stretch and a.start < b.end and b.start < a.end
