"""The embedder `local`: static embeddings that come inside the package wordllama; no key, no download.

A text's vector is the mean of its tokens' vectors (256 numbers each, distilled from large language models'
input embeddings): it knows words and not their order. The package's own code is left alone: it sets up
logging for the whole process when it is imported, and pads every text of a batch to the longest.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from acidtest.errors import BadConfig
from acidtest.extras import folder, need
from acidtest.text.surrogates import without_halves

MODEL = "local"
_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_PIECE = 20_000  # characters that are looked up at once: memory is bounded, however long a text is


class LocalEmbedder:
    """An embedder (`ports.Embedder`) that looks words up.

    Raises:
        MissingExtra: The package with the vectors is not installed.
        BadConfig: It is, but without the files that are read here.
    """

    model = MODEL

    def __init__(self) -> None:
        place = folder("wordllama", extra="local")
        safetensors = need("safetensors", extra="local")
        tokenizers = need("tokenizers", extra="local")
        try:
            with safetensors.safe_open(place / _WEIGHTS, framework="numpy") as stored:
                self._table: Any = stored.get_tensor("embedding.weight").astype("float32")
            self._tokenizer = tokenizers.Tokenizer.from_file(str(place / _TOKENIZER))
        except Exception as error:  # these libraries raise nothing narrower
            raise BadConfig(
                f"the package wordllama has no vectors that can be read: {str(error)[:300]}",
                where="embedder local",
                fix="Install it with: pip install --force-reinstall 'acidtest[local]'",
            ) from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector per text, in order; that of a text without a token is zero."""
        return await asyncio.to_thread(lambda: [self._vector(text) for text in texts])

    def _vector(self, text: str) -> list[float]:
        import numpy as np

        total = np.zeros(self._table.shape[1], dtype=np.float64)
        count = 0
        for piece in _pieces(without_halves(text)):
            ids = self._tokenizer.encode(piece, add_special_tokens=False).ids
            total += self._table[ids].sum(axis=0, dtype=np.float64)
            count += len(ids)
        mean: list[float] = (total / max(count, 1)).tolist()
        return mean


def _pieces(text: str) -> Iterator[str]:
    """Cut a long text at spaces."""
    start = 0
    while len(text) - start > _PIECE:
        at = text.rfind(" ", start + 1, start + _PIECE)
        end = at if at > 0 else start + _PIECE
        yield text[start:end]
        start = end
    yield text[start:]
