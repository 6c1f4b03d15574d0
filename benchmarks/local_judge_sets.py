"""Labelled data for the embedded judge: folders of `shared/data` turned into units with a label.

A unit is what the judge rules on: a sentence against passages, a passage against an answer, or an answer
against a reference. Units of one group (document, conversation, question) are not independent.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from acidtest.judges.local.correctness import answer as judge_correctness
from acidtest.judges.local.findings import Findings, findings
from acidtest.judges.local.remarks import remark
from acidtest.judges.local.rules import Thresholds
from acidtest.judges.local.source import source
from acidtest.judges.local.usefulness import nearest
from acidtest.text.language import guess
from acidtest.text.refusal import declined
from acidtest.text.sentences import sentences


class Unit(NamedTuple):
    """One labelled unit: what was `found` for a claim or a passage, and what was `asked` of an answer."""

    task: str
    data: str
    labels: str
    family: str
    group: str
    label: bool
    found: Findings | None
    asked: tuple[Mapping[str, str], ...] = ()


def units(data: Path) -> Iterator[Unit]:
    """Yield every unit of every data set that is there."""
    yield from expertqa(data / "expertqa_claims")
    for domain in ("sales_call", "sales_email"):
        yield from summedits(data / "summedits_sales", domain)
    yield from mtrag_answers(data / "mtrag_human_eval")
    for domain in ("cloud", "govt"):
        yield from mtrag_references(data / f"mtrag_{domain}", domain)
    yield from anthropic_references(data / "anthropic_docs")
    yield from mtragun(data / "mtragun_cloud_govt")
    for domain in ("cloud", "govt"):
        yield from mtrag_contexts(data / f"mtrag_{domain}", domain)
    yield from evouna(data / "evouna_nq")
    yield from nq301(data / "nq301_judges")


def expertqa(folder: Path) -> Iterator[Unit]:
    """Claims of long answers, judged by the experts who asked: complete support or less."""
    for row in lines(folder / "claims.jsonl.gz"):
        texts = tuple(dict.fromkeys(e["text"] for e in row["evidence"] if e.get("text")))
        if texts and row["support"] in {"Complete", "Partial", "Incomplete"}:
            question = "-".join(row["claim_id"].split("-")[:2])
            label = row["support"] == "Complete"
            yield from claim("expertqa", "people", "expertqa", question, label, row["claim"], texts)


def summedits(folder: Path, domain: str) -> Iterator[Unit]:
    """Sentences of edited summaries: the edited one bears the summary's label."""
    documents = {d["doc_id"]: d["text"] for d in lines(folder / f"{domain}_docs.jsonl.gz")}
    labels: dict[tuple[str, str], bool] = {}
    for row in lines(folder / f"{domain}.jsonl.gz"):
        mine = sentences(row["summary"])
        seed = set(sentences(row["seed_summary"]))
        edited = [s for s in mine if s not in seed]
        if row["consistent"]:
            labels |= {(row["doc_id"], s): True for s in mine}
        elif len(edited) == 1:  # with more than one, nobody knows which is wrong
            labels[row["doc_id"], edited[0]] = False
    name = f"summedits_{domain}"
    for (document, sentence), label in labels.items():
        texts = (documents[document],)
        yield from claim(name, "people", "summedits", document, label, sentence, texts)


def mtrag_answers(folder: Path) -> Iterator[Unit]:
    """Sentences of answers; each bears what raters said of its answer (mean faithfulness >= 3)."""
    texts = {d["doc_id"]: d["text"] for d in lines(folder / "contexts.jsonl.gz")}
    for row in lines(folder / "ratings.jsonl.gz"):
        passages = tuple(texts[i] for i in row["context_doc_ids"])
        if not passages:
            continue
        name = f"mtrag_human_{row['domain']}"
        label = mean_rating(row) >= 3
        for sentence in sentences(row["response"]):
            yield from claim(name, "derived", "mtrag", row["qid"], label, sentence, passages)


def mtrag_references(folder: Path, domain: str) -> Iterator[Unit]:
    """Sentences of reference answers, against passages judged relevant and against others judged not."""
    texts = {d["doc_id"]: d["text"] for d in lines(folder / "corpus.jsonl.gz")}
    for row in lines(folder / "golden.jsonl.gz"):
        if row["answerability"] != "ANSWERABLE":
            continue
        for label in (True, False):
            passages = judged(row, texts, label=label)
            for sentence in sentences(row["reference_answer"]) if passages else ():
                yield from claim(
                    f"mtrag_{domain}_references",
                    "derived",
                    "mtrag",
                    row["conversation_id"],
                    label,
                    sentence,
                    passages,
                )


def anthropic_references(folder: Path) -> Iterator[Unit]:
    """Sentences of reference answers, against their labelled chunks and against others retrieved."""
    texts = {d["doc_id"]: d["text"] for d in lines(folder / "corpus.jsonl.gz")}
    retrieved: dict[str, list[str]] = {}
    for row in lines(folder / "runs.jsonl.gz"):
        retrieved.setdefault(row["qid"], []).extend(row["docs"])
    for row in lines(folder / "golden.jsonl"):
        relevant = [i for i in row["relevant_doc_ids"] if i in texts]
        others = [i for i in dict.fromkeys(retrieved.get(row["qid"], ())) if i in texts]
        others = [i for i in others if i not in relevant][:4]
        for ids, label in ((relevant, True), (others, False)):
            passages = tuple(texts[i] for i in ids)
            for sentence in sentences(row["reference_answer"]) if passages else ():
                name = "anthropic_references"
                yield from claim(
                    name, "derived", "anthropic", row["qid"], label, sentence, passages
                )


def mtragun(folder: Path) -> Iterator[Unit]:
    """Sentences of five systems' answers; each bears a recorded LLM judge's score of its answer."""
    texts = {d["doc_id"]: d["text"] for d in lines(folder / "contexts.jsonl.gz")}
    contexts = {r["qid"]: r["context_doc_ids"] for r in lines(folder / "golden.jsonl.gz")}
    for row in lines(folder / "responses.jsonl.gz"):
        passages = tuple(texts[i] for i in contexts[row["qid"]])
        score = row["rl_f"]
        if not passages or score is None or 0.5 <= score < 0.9 or (row["idk_eval"] or 0) > 0:
            continue
        for sentence in sentences(row["response"]):
            label = score >= 0.9
            yield from claim("mtragun", "machine", "mtrag", row["qid"], label, sentence, passages)


def mtrag_contexts(folder: Path, domain: str) -> Iterator[Unit]:
    """Passages that annotators voted relevant to the question, or not."""
    texts = {d["doc_id"]: d["text"] for d in lines(folder / "corpus.jsonl.gz")}
    for row in lines(folder / "golden.jsonl.gz"):
        if row["answerability"] not in {"ANSWERABLE", "PARTIAL"}:
            continue
        question = row["rewrite"] or row["question"]
        for vote in row["judged_contexts"]:
            if vote["yes"] == vote["no"] or vote["doc_id"] not in texts:
                continue
            yield Unit(
                "context_usefulness",
                f"mtrag_{domain}_contexts",
                "people",
                domain,
                row["conversation_id"],
                vote["yes"] > vote["no"],
                nearest(texts[vote["doc_id"]], row["reference_answer"], question),
            )


def evouna(folder: Path) -> Iterator[Unit]:
    """Answers of five systems that people held against gold answers."""
    for row in lines(folder / "judgments.jsonl.gz"):
        for given in row["answers"].values():
            label = bool(given["correct"])
            yield from answer("evouna_nq", row["id"], label, row, given["answer"])


def nq301(folder: Path) -> Iterator[Unit]:
    """Answers of twelve systems that people held against gold answers."""
    for row in lines(folder / "judgments.jsonl.gz"):
        label = bool(row["human"]["final"])
        yield from answer("nq301", row["question_id"], label, row, row["answer"])


def claim(
    data: str,
    labels: str,
    family: str,
    group: str,
    label: bool,  # noqa: FBT001 - a row of data
    sentence: str,
    passages: tuple[str, ...],
) -> Iterator[Unit]:
    """Yield the unit of a sentence, unless it claims nothing."""
    if remark(sentence) or declined(sentence).declined:
        return
    found = findings(sentence, source(passages), guess(sentence))
    if found.size:
        yield Unit("faithfulness", data, labels, family, group, label, found)


def answer(data: str, group: str, label: bool, row: dict[str, Any], said: str) -> Iterator[Unit]:  # noqa: FBT001
    """Yield the unit of a short answer: right if it agrees with any gold answer."""
    golden = (gold for gold in row["golden_answers"] if gold.strip())
    fields = [{"reference": g, "answer": said, "question": row["question"]} for g in golden]
    if said.strip() and fields:
        yield Unit("correctness", data, "people", data, group, label, None, tuple(fields))


def answered(unit: Unit, cut: Thresholds) -> str:
    """Return what the judge says of an answer: right if it agrees with any gold answer."""
    rulings = {judge_correctness(fields, cut)["verdict"] for fields in unit.asked}
    if "correct" in rulings:
        return "correct"
    return "incorrect" if rulings == {"incorrect"} else "undecided"


def judged(row: dict[str, Any], texts: dict[str, str], *, label: bool) -> tuple[str, ...]:
    """Return the passages that more annotators voted this way than the other."""
    votes = (
        v for v in row["judged_contexts"] if v["yes"] != v["no"] and (v["yes"] > v["no"]) == label
    )
    return tuple(texts[v["doc_id"]] for v in votes if v["doc_id"] in texts)


def mean_rating(row: dict[str, Any]) -> float:
    """Return the mean faithfulness, 1..4, that raters gave an answer."""
    ratings = row["human"]["faithfulness"].values()
    return sum(ratings) / len(ratings)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON lines file, gzipped or not; none if it is missing."""
    if not path.exists():
        return
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)
