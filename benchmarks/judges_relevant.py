"""Relevance of answers and of contexts to their questions: the local judge, where it has a say, and counted words."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from acidtest.data.answers import Chunk
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.local_embed import LocalEmbedder
from acidtest.metrics.contexts.context_relevance import context_relevance
from acidtest.metrics.contexts.context_usefulness import context_usefulness
from acidtest.metrics.generation.answer_relevance import answer_relevance
from judges_beside import HEAD, LESS, Rows, Told, add, fitted, nearness, share, value
from judges_fitted import without
from judges_tables import Table, lines, table


def relevant(data: Path) -> Iterator[Table]:
    """Yield a table for answers, and one for contexts in each domain."""
    yield relevance(data)
    for domain in ("cloud", "govt"):
        yield contexts(data, domain)


def relevance(data: Path) -> Table:
    """Return usefulness of answers to their questions, as people say it."""
    made = table(
        "Answer relevance (alce: rated 4 or 5 of 5; expertqa: called useful)",
        "Judge",
        *HEAD,
        "Spearman",
    )
    alce = list(lines(data / "alce_utility" / "ratings.jsonl.gz"))
    expert = list(lines(data / "expertqa_claims" / "answers.jsonl.gz"))
    words = {"Useful": 5.0, "Partially useful": 3.0, "Not useful at all": 1.0}
    sets = {
        "alce": [(r["question"], r["response"], float(r["utility"]), r["id"]) for r in alce],
        "expertqa": [
            (r["question"], r["answer"], words[r["usefulness"]], r["answer_id"].rsplit("-", 1)[0])
            for r in expert
        ],
    }
    embedder, judge = LocalEmbedder(), LocalJudge()
    for name, rows in sets.items():
        grades, group = [row[2] for row in rows], [row[3] for row in rows]
        on = Rows([grade >= 4 for grade in grades], group)
        ways: dict[str, Told] = {
            "local": [value(asyncio.run(answer_relevance(q, a, judge))) for q, a, *_ in rows],
            "nearness of the embeddings": nearness(embedder, [(q, a) for q, a, *_ in rows]),
            "words of the question in the answer": [share(q, a) for q, a, *_ in rows],
            "length of the answer": [float(np.log1p(len(a))) for _, a, *_ in rows],
        }
        for way, told in ways.items():
            add(made, f"{name}: {way}", on, told, at=None, grades=grades)
    found = [float(np.mean(row["auto_short_answer_hits"])) for row in alce]
    rated = [float(row["utility"]) for row in alce]
    on = Rows([grade >= 4 for grade in rated], [row["id"] for row in alce])
    add(made, "alce: short answers that it holds", on, found, at=None, grades=rated)
    return made


def contexts(data: Path, domain: str) -> Table:
    """Return relevance of passages to a question, as people voted."""
    folder = data / f"mtrag_{domain}"
    texts = {row["doc_id"]: row["text"] for row in lines(folder / "corpus.jsonl.gz")}
    told = [
        (row, texts[vote["doc_id"]], vote["yes"] > vote["no"])
        for row in lines(folder / "golden.jsonl.gz")
        if row["answerability"] in {"ANSWERABLE", "PARTIAL"}
        for vote in row["judged_contexts"]
        if vote["yes"] != vote["no"] and vote["doc_id"] in texts
    ]
    on = Rows([label for *_, label in told], [row["conversation_id"] for row, *_ in told])
    asked = [
        (row["rewrite"] or row["question"], row["reference_answer"], text) for row, text, _ in told
    ]
    judge = LocalJudge(without("context_usefulness", domain, data))
    made = table(
        f"Context relevance (mtrag {domain})", "Judge", *HEAD, "kappa of counting words there", LESS
    )
    by_question = [
        value(asyncio.run(context_relevance(question, (Chunk(text=text),), judge)))
        for question, _, text in asked
    ]
    add(made, "local, by the question alone", on, by_question)
    by_answer = [
        value(asyncio.run(context_usefulness(question, reference, (Chunk(text=text),), judge)))
        for question, reference, text in asked
    ]
    overlap = [share(reference, text) for _, reference, text in asked]
    add(made, "local, by the reference answer", on, by_answer, fitted(overlap, on))
    add(
        made,
        "words of the reference in the passage",
        on,
        [share(r, t) for _, r, t in asked],
        at=None,
    )
    add(
        made,
        "words of the question in the passage",
        on,
        [share(q, t) for q, _, t in asked],
        at=None,
    )
    near = nearness(LocalEmbedder(), [(question, text) for question, _, text in asked])
    add(made, "nearness of question and passage", on, near, at=None)
    return made
