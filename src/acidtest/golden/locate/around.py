"""What stood around a text in the chunks that it was taken from."""

from collections.abc import Iterable

from acidtest.data.corpus import CorpusChunk
from acidtest.golden.locate.choose import CONTEXT
from acidtest.golden.locate.exact import exact_in
from acidtest.golden.locate.found import Needle
from acidtest.golden.locate.stretches import Placed, Stretch


class Surroundings:
    """Knows the old text around any chunk.

    Args:
        stretches: The old chunks as running text.
    """

    def __init__(self, stretches: Iterable[Stretch]) -> None:
        self._at: dict[str, tuple[Stretch, Placed]] = {
            placed.chunk.id: (stretch, placed) for stretch in stretches for placed in stretch.placed
        }

    def around(self, chunk: CorpusChunk, text: str) -> tuple[str, str] | None:
        """Return what stood before and after a text of a chunk; None when it was not in it once."""
        stretch, placed = self._at[chunk.id]
        # Evidence may go on in the next chunk: it need only begin or end in this one.
        low, high = max(0, placed.start - len(text)), min(len(stretch.text), placed.end + len(text))
        found = list(exact_in(Needle(text), stretch, low, high))
        if len(found) != 1:
            return None
        part = found[0].parts[0]
        return (
            stretch.text[max(0, part.start - CONTEXT) : part.start],
            stretch.text[part.end : part.end + CONTEXT],
        )
