"""Where to look and what usually mends it, for every line of the scorecard: words as data.

Keyed by the metric's plain name. `look` is the next thing to open; `mends` are in the order in which
they are worth trying. Sources: the stages of a RAG system and what each metric can see of them.
"""

from msgspec import Struct


class Advice(Struct, frozen=True):
    """What to do about a low line."""

    look: str
    mends: tuple[str, ...]


_RECALL = Advice(
    "Take the cases that were not retrieved. Is the passage in the corpus, was it parsed whole, and "
    "at which rank does it stand when you ask for 50?",
    (
        "absent or garbled: mend parsing and ingestion",
        "cut in two: chunk by headings or sentences, with overlap",
        "there but far down: a higher k, then a reranker",
        "other words than the question's: hybrid search (BM25 and vectors), query rewriting",
    ),
)
_PRECISION = Advice(
    "Look at the ranks of the relevant chunks: what stands above them, and what follows below?",
    (
        "relevant ones low: rerank",
        "relevant ones on top, the rest noise: fetch fewer chunks or cut by score",
        "another product, version or language on top: filter by metadata",
    ),
)
_RANKING = Advice(
    "Look at what stands above the first relevant chunk.",
    ("rerank the first 50", "hybrid search with tuned weights", "filter by metadata"),
)
_FAITHFULNESS = Advice(
    "Read the unsupported claims beside the passages of the worst cases.",
    (
        "a stricter grounding prompt: only what the passages say, else decline",
        "make it cite a passage for every statement",
        "lower the temperature",
        "a stronger model",
    ),
)
_NOISE = Advice(
    "Retrieval noise first: the generator was given much that is beside the question. Read the "
    "unsupported claims and see which irrelevant chunk each was taken from.",
    (
        "rerank and send fewer chunks",
        "filter by metadata",
        "only then tighten the prompt or change the model",
    ),
)
_CORRECTNESS = Advice(
    "Read answer beside reference where retrieval was good: is it wrong, incomplete, or only worded "
    "otherwise?",
    (
        "incomplete: ask for every part of the question in the prompt",
        "missed in the middle: put the best chunks first, send fewer",
        "misread: a stronger model",
        "right but worded otherwise: mend the reference or the metric",
    ),
)
_RELEVANCE = Advice(
    "Read answer beside question, without the contexts.",
    (
        "make the prompt restate and answer the question",
        "rewrite follow-up questions so that they stand alone",
        "less irrelevant context",
    ),
)
_ABSTENTION = Advice(
    "Read apart what it answered and had to decline, and what it declined and could have answered.",
    (
        "fabricates: tell it to decline when no passage answers, with an example",
        "declines needlessly with good contexts: loosen the prompt or the score threshold",
        "declines for want of contexts: that is recall, mend retrieval",
    ),
)
_CITATION = Advice(
    "Open the citations of the worst cases: does the id exist, does the passage say it?",
    ("number the passages in the prompt", "ask for a citation after each sentence"),
)

ADVICE: dict[str, Advice] = {
    "recall": _RECALL,
    "hit": _RECALL,
    "token_recall": _RECALL,
    "semantic_recall": _RECALL,
    "context_recall": _RECALL,
    "precision": _PRECISION,
    "f1": _PRECISION,
    "context_precision": _PRECISION,
    "context_precision_judged": _PRECISION,
    "context_usefulness": _PRECISION,
    "context_relevance": _PRECISION,
    "mrr": _RANKING,
    "map": _RANKING,
    "ndcg": _RANKING,
    "r_precision": _RANKING,
    "bpref": _RANKING,
    "faithfulness": _FAITHFULNESS,
    "faithfulness_binary": _FAITHFULNESS,
    "faithfulness_score": _FAITHFULNESS,
    "grounding_leak": _FAITHFULNESS,
    "answer_relevance": _RELEVANCE,
    "answer_relevancy": _RELEVANCE,
    "correctness": _CORRECTNESS,
    "factual_correctness": _CORRECTNESS,
    "exact_match": _CORRECTNESS,
    "token_f1": _CORRECTNESS,
    "semantic_similarity": _CORRECTNESS,
    "abstention_accuracy": _ABSTENTION,
    "abstention_precision": _ABSTENTION,
    "abstention_recall": _ABSTENTION,
    "citation_precision": _CITATION,
    "citation_recall": _CITATION,
    "citation_validity": _CITATION,
}
"""What is said of a low line, by the metric's plain name."""

RETRIEVAL_NOISE = _NOISE
"""What is said of low faithfulness when precision or usefulness is low too."""

UNHAPPY = Advice(
    "Answers follow their contexts and are wrong all the same: the contexts are.",
    ("stale documents: re-index", "wrong version on top: prefer the newest", "missing filters"),
)
"""What is said when faithfulness is high and correctness is not."""

OTHER = Advice("Open the worst cases and read their reasons.", ())
"""What is said of a metric that is not in the table."""
