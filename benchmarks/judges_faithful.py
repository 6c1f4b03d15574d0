"""The local judge on faithfulness: of answers, of summaries with one changed fact, of single claims.

Its thresholds are fitted without the data that they are shown on.
"""

from collections.abc import Iterator
from pathlib import Path

from acidtest.judges.local.judge import LocalJudge
from judges_beside import (
    HEAD,
    LESS,
    Rows,
    add,
    clear,
    fitted,
    not_unsupported,
    of_decided,
    share,
    supported,
)
from judges_fitted import without
from judges_published import conversation, rating
from judges_tables import Table, lines, table

ALL = 1 - 1e-9
WORDS = "kappa of counting words there"


def faithful(data: Path) -> Iterator[Table]:
    """Yield a table for each data set."""
    yield answers(data)
    yield summaries(data)
    yield claims(data)


def answers(data: Path) -> Table:
    """Return faithfulness of answers of several turns: RAGAS's judge, the local one, counted words."""
    folder = data / "mtrag_human_eval"
    texts = {row["doc_id"]: row["text"] for row in lines(folder / "contexts.jsonl.gz")}
    rows = list(lines(folder / "ratings.jsonl.gz"))
    on = Rows(
        [rating(row, "faithfulness") >= 3 for row in rows], [conversation(row) for row in rows]
    )
    judge = LocalJudge(without("faithfulness", "mtrag", data))
    passages = [[texts[name] for name in row["context_doc_ids"]] for row in rows]
    said = [
        supported(row["question"], row["response"], some, judge)
        for row, some in zip(rows, passages, strict=True)
    ]
    ragas = [row["auto"]["rl_f"] for row in rows]
    made = table("Faithfulness of answers (mtrag)", "Judge", *HEAD, "kappa of RAGAS there", LESS)
    add(made, "RAGAS, a language model", on, ragas)
    add(made, "local, supported of decided", on, [of_decided(x) for x in said], ragas)
    add(made, "local, not unsupported", on, [not_unsupported(x) for x in said], ragas, at=ALL)
    overlap = [
        share(row["response"], " ".join(some)) if some else None
        for row, some in zip(rows, passages, strict=True)
    ]
    add(made, "words of the answer in the contexts", on, overlap, ragas, at=None)
    return made


def summaries(data: Path) -> Table:
    """Return consistency of summaries in which a single fact was changed."""
    made = table(
        "Faithfulness of summaries with one changed fact (summedits)", "Judge", *HEAD, WORDS, LESS
    )
    judge = LocalJudge(without("faithfulness", "summedits", data))
    for domain in ("sales_call", "sales_email"):
        folder = data / "summedits_sales"
        texts = {row["doc_id"]: row["text"] for row in lines(folder / f"{domain}_docs.jsonl.gz")}
        rows = list(lines(folder / f"{domain}.jsonl.gz"))
        on = Rows([bool(row["consistent"]) for row in rows], [row["doc_id"] for row in rows])
        said = [supported("", row["summary"], [texts[row["doc_id"]]], judge) for row in rows]
        overlap = [share(row["summary"], texts[row["doc_id"]]) for row in rows]
        words = fitted(overlap, on)
        floor = [not_unsupported(x) for x in said]
        add(made, f"{domain}: local, not unsupported", on, floor, words, at=ALL)
        sure = [clear(x) for x in said]
        add(made, f"{domain}: local, all supported or one unsupported", on, sure, words)
        add(made, f"{domain}: words of the summary in the document", on, overlap, at=None)
    return made


def claims(data: Path) -> Table:
    """Return support of experts' claims by the passages that they cite."""
    rows = [
        row
        for row in lines(data / "expertqa_claims" / "claims.jsonl.gz")
        if row["support"] in {"Complete", "Partial", "Incomplete"}
        and any(e.get("text") for e in row["evidence"])
    ]
    on = Rows(
        [row["support"] == "Complete" for row in rows],
        ["-".join(row["claim_id"].split("-")[:2]) for row in rows],
    )
    judge = LocalJudge(without("faithfulness", "expertqa", data))
    texts = [[e["text"] for e in row["evidence"] if e.get("text")] for row in rows]
    said = [supported("", row["claim"], some, judge) for row, some in zip(rows, texts, strict=True)]
    made = table("Support of claims by cited passages (expertqa)", "Judge", *HEAD, WORDS, LESS)
    overlap = [share(row["claim"], " ".join(some)) for row, some in zip(rows, texts, strict=True)]
    add(made, "local", on, [of_decided(x) for x in said], fitted(overlap, on))
    add(made, "words of the claim in the passages", on, overlap, at=None)
    return made
