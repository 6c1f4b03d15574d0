"""Which of a trace's lists the model was given, and the list before reranking."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from acidtest.data.answers import Chunk
from acidtest.tracing.conventions.documents import ranked
from acidtest.tracing.understand.calls import Call, prompt
from acidtest.tracing.understand.steps import Ranking, alike, merged, missing_from, same

_PROBE = 200
"""Letters from a chunk's beginning that the prompt must hold: the end may have been cut to fit."""

_SOUGHT = 400
"""Chunks that are sought in the prompt; no list that fed one was longer."""

_LISTS = 100
"""Lists before the answer that are looked at, the last ones: an agent retrieves some ten times."""

_ASCII_OTHERS = bytes(code for code in range(128) if not chr(code).isalnum())
_NO_LETTER = re.compile(r"[\W_]+")


class Fed(NamedTuple):
    """The list that fed generation, the steps that it came from, and the list before reranking."""

    retrieved: tuple[Chunk, ...] | None
    candidates: tuple[Chunk, ...] | None
    steps: tuple[Ranking, ...]
    notes: tuple[str, ...]


def fed(found: Sequence[Ranking], call: Call | None) -> Fed:
    """Choose the list that the model was given.

    The last list before the final call of a model that holds every chunk found in its prompt; where
    no list alone does, the chunks that the prompt holds, in its order; where the prompt holds none
    or is not told, the last list in the same part of the trace.
    """
    told = [each for each in found if each.chunks is not None]
    if not told:
        return Fed(None, None, (), ())
    before = told
    if call is not None:
        before = [each for each in told if each.node.start <= call.node.start] or told
    ordered = sorted(before, key=lambda each: (each.node.end, each.node.place))[-_LISTS:]
    filled = [each for each in ordered if each.chunks]
    if not filled:
        return Fed((), None, (ordered[-1],), ())
    if call is not None:
        chosen = _by_prompt(filled, call)
        if chosen is not None:
            return chosen
    return _by_place(filled, call)


def _by_prompt(ordered: Sequence[Ranking], call: Call) -> Fed | None:
    haystack = _letters(prompt(call))
    if not haystack:
        return None
    sought = merged(each.chunks or () for each in ordered)[:_SOUGHT]
    places = {chunk.rank: place for chunk in sought if (place := _place(chunk, haystack)) >= 0}
    held = [chunk for chunk in sought if chunk.rank in places]
    if not held:
        return None
    held.sort(key=lambda chunk: (places[chunk.rank], chunk.rank or 0))
    for each in reversed(ordered):
        chunks = each.chunks or ()
        if not missing_from(chunks, held):
            return _one(each, held, ordered)
    sources = [each for each in ordered if len(missing_from(each.chunks or (), held)) < len(held)]
    sources.sort(key=lambda each: (each.node.start, each.node.place))
    note = (
        f"{len(sources)} lists fed one call of the model, none of them all of it: "
        f"the {len(held)} chunks that its prompt holds, in the prompt's order."
    )
    everything = merged(each.chunks or () for each in sources)
    more = everything if len(everything) > len(held) else None
    return Fed(ranked(held), more, tuple(sources), (note,))


def _one(each: Ranking, held: Sequence[Chunk], ordered: Sequence[Ranking]) -> Fed:
    chunks = each.chunks or ()
    candidates = _candidates(each, ordered)
    if len(held) == len(chunks) or any(chunk.text is None for chunk in chunks):
        return Fed(chunks, candidates, (each,), ())
    cut = chunks[: len(held)]
    if not missing_from(held, cut):
        note = f"The prompt holds the first {len(cut)} of {len(chunks)} chunks: those were given."
        return Fed(ranked(cut), candidates or chunks, (each,), (note,))
    note = f"The prompt holds {len(held)} of {len(chunks)} chunks: those were given, in its order."
    own = [_of_list(one, chunks) for one in held]
    return Fed(ranked(own), candidates or chunks, (each,), (note,))


def _of_list(one: Chunk, chunks: Sequence[Chunk]) -> Chunk:
    """Return the list's own entry for a chunk, with the score that it has there."""
    return next((each for each in chunks if alike(each, one)), one)


def _by_place(ordered: Sequence[Ranking], call: Call | None) -> Fed:
    chosen = ordered[-1]
    if call is not None:
        for above in call.node.above():
            near = [each for each in ordered if above in each.node.above()]
            if near:
                chosen = near[-1]
                break
    why = "no call of a model is there" if call is None else "the prompt holds none of their texts"
    notes = (f"Of {len(ordered)} lists the last was taken: {why}.",) if len(ordered) > 1 else ()
    return Fed(chosen.chunks, _candidates(chosen, ordered), (chosen,), notes)


def _candidates(each: Ranking, ordered: Sequence[Ranking]) -> tuple[Chunk, ...] | None:
    """Return the list before reranking: what the reranker was handed, else what was found before it."""
    reranker = each if each.kind == "reranker" else _reranker_of(each, ordered)
    if reranker is None:
        inner = [o for o in ordered if each.node in o.node.above()]
        found = merged(o.chunks or () for o in inner)
        return found if len(found) > len(each.chunks or ()) else None
    if reranker.given is not None:
        return reranker.given
    before = [
        o
        for o in ordered
        if o.kind == "retriever" and o is not each and o.node.start <= reranker.node.start
    ]
    return merged(o.chunks or () for o in before) or None


def _reranker_of(each: Ranking, ordered: Sequence[Ranking]) -> Ranking | None:
    """Return the reranker whose list a retriever around it handed on."""
    for other in reversed(ordered):
        if other.kind == "reranker" and same(other.chunks or (), each.chunks or ()):
            return other
    return None


def _place(chunk: Chunk, haystack: str) -> int:
    needle = _letters((chunk.text or "")[: 2 * _PROBE])[:_PROBE]
    return haystack.find(needle) if needle else -1


def _letters(text: str) -> str:
    """Return the letters and digits alone: prompts indent, quote and escape what they hold."""
    # Most of what goes is ASCII, and goes much faster as bytes.
    bare = text.encode(errors="surrogatepass").translate(None, _ASCII_OTHERS)
    left = bare.decode(errors="surrogatepass")
    return (left if left.isascii() else _NO_LETTER.sub("", left)).casefold()
