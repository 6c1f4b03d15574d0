"""Two RAG pipelines over the handbook: one generator, two ways to retrieve.

`baseline` searches the bare text for the question's words and keeps five chunks. `reranked` searches
titles, headings and text by stems, adds what was asked before in a conversation, takes twenty candidates,
and reorders them before it keeps five.
Name them in `acidtest.toml` as `acidtest.demo.rag:baseline` and `acidtest.demo.rag:reranked`.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from acidtest.demo.answerer import reply
from acidtest.demo.corpus import Passage, passages
from acidtest.demo.rerank import rarity, rerank
from acidtest.demo.search import plain_index, rich_index

KEPT = 5
CANDIDATES = 20

Hits = list[tuple[Passage, float]]
History = Sequence[Mapping[str, str]]
Retriever = Callable[[str, History], tuple[Hits, Hits | None]]


@functools.cache
def _weights() -> Mapping[str, float]:
    return rarity(passages())


def search_plainly(question: str, _history: History = ()) -> tuple[Hits, Hits | None]:
    """Return the five best chunks by their words; there is no second stage."""
    return plain_index().search(question, KEPT), None


def search_and_rerank(question: str, history: History = ()) -> tuple[Hits, Hits | None]:
    """Return the five best of twenty candidates after reranking, and the candidates."""
    query = " ".join([*(turn["content"] for turn in history[-2:]), question])
    candidates = rich_index().search(query, CANDIDATES)
    return rerank(query, candidates, _weights())[:KEPT], candidates


class HandbookRag:
    """A pipeline: a retriever with the extractive answerer behind it.

    Args:
        retriever: From a question and the turns before it to the kept chunks and, where there are two
            stages, the candidates.
    """

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    def retrieve(self, question: str, history: History = ()) -> dict[str, Any]:
        """Return the ranked chunks, and the candidates where there are two stages."""
        return _found(*self._retriever(question, history))

    def generate(self, question: str, contexts: Sequence[Any]) -> dict[str, Any]:
        """Answer from contexts that somebody else chose: dictionaries or objects with id and text."""
        return _answered(question, [_passage(context) for context in contexts])

    def answer(self, question: str, history: History = ()) -> dict[str, Any]:
        """Retrieve and answer in one call."""
        kept, candidates = self._retriever(question, history)
        answer = _answered(question, [passage for passage, _ in kept])
        return answer | _found(kept, candidates)


def _found(kept: Hits, candidates: Hits | None) -> dict[str, Any]:
    found = {"retrieved": _chunks(kept)}
    return found if candidates is None else found | {"candidates": _chunks(candidates)}


def _answered(question: str, contexts: Sequence[Passage]) -> dict[str, Any]:
    text, cited, declined = reply(question, contexts, _weights())
    return {"answer": text, "citations": cited, "abstained": declined}


def _chunks(hits: Hits) -> list[dict[str, Any]]:
    return [{"id": p.id, "doc_id": p.doc_id, "text": p.text, "score": score} for p, score in hits]


def _passage(context: Any) -> Passage:
    get = context.get if isinstance(context, dict) else functools.partial(_member, context)
    known = {p.id: p for p in passages()}
    chunk, text = get("id"), get("text")
    if chunk in known:
        return known[chunk]
    return Passage(chunk or "given", get("doc_id") or "given", "", "", text or "")


def _member(context: Any, name: str) -> Any:
    return getattr(context, name, None)


baseline = HandbookRag(search_plainly)
reranked = HandbookRag(search_and_rerank)
