"""Tokens: texts as a model reads them, and how much of a text it can read."""

from pathlib import Path
from typing import Any

from acidtest.errors import BadConfig
from acidtest.extras import need
from acidtest.text.surrogates import without_halves

MOST = 512
"""Tokens of a pair, whatever a model claims to read: they were trained on pairs far shorter."""


class Tokens:
    """The tokenizer of a model.

    Args:
        path: `tokenizer.json`.
        longest: How many tokens the model reads; None when nothing says.

    Attributes:
        room: Tokens that either side of a pair may have, so that both always fit.

    Raises:
        BadConfig: It cannot be read, or it does not keep the two sides of a pair apart.
    """

    def __init__(self, path: Path, longest: int | None) -> None:
        tokenizers = need("tokenizers", extra="nli")
        try:
            self._alone = tokenizers.Tokenizer.from_file(str(path))
            self._pairs = tokenizers.Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing narrower
            raise BadConfig(
                f"cannot be read: {str(error)[:300]}",
                where=str(path),
                fix="Fetch the files of the model again.",
            ) from error
        for each in (self._alone, self._pairs):
            each.no_padding()
        self._alone.no_truncation()
        between = self._pairs.num_special_tokens_to_add(is_pair=True)
        if not between:
            raise BadConfig(
                "puts nothing between the two texts of a pair: a model cannot tell them apart",
                where=str(path),
                fix="Export the tokenizer with its post-processor.",
            )
        most = min(MOST, longest or MOST)
        self.room = (most - between) // 2
        if self.room < 1:
            raise BadConfig(
                f"there is no room for a pair in {most} tokens",
                where=str(path),
                fix="Name a model that takes longer texts.",
            )
        # Sides are cut to fit before they are paired; a token more at a seam is cut off here.
        self._pairs.enable_truncation(max_length=most, strategy="only_first")

    def count(self, text: str) -> int:
        """Return how many tokens a text has, without those that frame a pair."""
        return len(self._encoded(text).ids)

    def cuts(self, text: str, size: int, step: int) -> list[tuple[int, int]]:
        """Return where to cut a text into overlapping pieces: `(start, end)` offsets.

        Args:
            text: Any text.
            size: Tokens of a piece.
            step: Tokens from the start of one piece to that of the next.
        """
        offsets = self._encoded(text).offsets
        starts = range(0, max(1, len(offsets) - size + step), step)
        return [
            (offsets[i][0], offsets[min(i + size, len(offsets)) - 1][1]) for i in starts if offsets
        ]

    def pair(self, premise: str, claim: str) -> tuple[list[int], list[int]]:
        """Return token numbers and the side that each is of (0 or 1)."""
        encoded = self._pairs.encode(without_halves(premise), without_halves(claim))
        return encoded.ids, encoded.type_ids

    def _encoded(self, text: str) -> Any:
        return self._alone.encode(without_halves(text), add_special_tokens=False)

    @property
    def padding(self) -> int | None:
        """The number of the padding token, where the tokenizer has one."""
        for name in ("[PAD]", "<pad>", "<|pad|>"):
            number: int | None = self._pairs.token_to_id(name)
            if number is not None:
                return number
        return None
