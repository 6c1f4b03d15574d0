"""Whether a case got the same contexts in two runs: the same chunks, in the same order."""

from collections import Counter
from typing import Literal

from acidtest.data.answers import Chunk
from acidtest.data.runs import CaseResult

ContextChange = Literal["same", "reordered", "other", "unknown"]
"""`reordered`: the same chunks in another order. `unknown`: a run does not say what was retrieved."""


def context_change(old: CaseResult, new: CaseResult) -> ContextChange:
    """Say what became of a case's contexts.

    Chunks are told apart by their ids, and by their texts where a chunk lacks an id. A chunk whose text
    changed under its id is another chunk.
    """
    if old.retrieved is None or new.retrieved is None or old.failure or new.failure:
        return "unknown"
    before, after = [_key(c) for c in old.retrieved], [_key(c) for c in new.retrieved]
    if None in before or None in after:
        return "unknown"
    texts = [(c.text, d.text) for c, d in zip(old.retrieved, new.retrieved, strict=False)]
    if before == after:
        # A run that left its texts out does not say that they changed.
        return "same" if all(a == b or a is None or b is None for a, b in texts) else "other"
    return "reordered" if Counter(before) == Counter(after) else "other"


def _key(chunk: Chunk) -> tuple[str, str] | None:
    if chunk.id is not None:
        return "id", chunk.id
    return None if chunk.text is None else ("text", chunk.text)
