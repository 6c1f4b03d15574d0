"""Vectors of texts: asking an embedder, checking what comes back, and how near two texts are.

Nearness is the cosine, `a . b / sqrt(a . a * b . b)`, kept within 0..1: texts whose vectors point apart
are no nearer than texts that have nothing in common. A text without letters has no direction, so it is
never embedded; a vector that is zero, not finite or of another length has none either, and is an error.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from acidtest.errors import OutsideError
from acidtest.ports import Embedder

if TYPE_CHECKING:
    import numpy as np

    Vector = np.ndarray[Any, np.dtype[np.float64]]

_WHERE = "embedder"


async def embedded(embedder: Embedder, texts: Sequence[str]) -> "list[Vector]":
    """Return one vector a text, in order; a text that comes twice is embedded once.

    Raises:
        OutsideError: The embedder failed, or what it gave are not that many vectors of one length,
            each finite and with a direction.
    """
    distinct = list(dict.fromkeys(texts))
    given = await embedder.embed(distinct)
    if len(given) != len(distinct):
        raise OutsideError(f"{len(given)} vectors came for {len(distinct)} texts", where=_WHERE)
    vectors = [_vector(each) for each in given]
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) > 1:
        raise OutsideError(
            f"the vectors have different lengths: {', '.join(map(str, lengths))}", where=_WHERE
        )
    found = dict(zip(distinct, vectors, strict=True))
    return [found[text] for text in texts]


def nearness(one: "Vector", other: "Vector") -> float:
    """Return the cosine of two checked vectors, within 0..1; that of equal vectors is exactly 1."""
    import numpy as np

    if np.array_equal(one, other):
        return 1.0
    cosine = float(np.dot(one, other) / np.sqrt(np.dot(one, one) * np.dot(other, other)))
    return min(1.0, max(0.0, cosine))


def _vector(given: Sequence[float]) -> "Vector":
    import numpy as np

    try:
        vector = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OutsideError(f"what came is no vector: {error}", where=_WHERE) from error
    if vector.ndim != 1 or not vector.size:
        raise OutsideError(f"what came is no vector: its shape is {vector.shape}", where=_WHERE)
    if not np.isfinite(vector).all():
        raise OutsideError("a vector holds a number that is not finite", where=_WHERE)
    longest = float(np.abs(vector).max())
    if not longest:
        raise OutsideError("a vector is zero: it has no direction to compare", where=_WHERE)
    return vector / longest  # so that no square over- or underflows
