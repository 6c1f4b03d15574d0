"""Recorded judges beside people: figures of the data's own README come out again."""

import gzip
import json

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Failure
from acidtest.project.calibrate import calibrate


def rows(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def nq301(shared, run_of):
    data = rows(shared / "data" / "nq301_judges" / "judgments.jsonl.gz")
    run = run_of(
        {
            row["id"]: Failure("no verdict")
            if (v := row["judges"]["gpt-4"]["verdict"]) is None
            else v
            for row in data
        },
        group={row["id"]: row["question_id"] for row in data},
        answer={row["id"]: row["answer"] for row in data},
        reference={row["id"]: row["golden_answers"][0] for row in data},
    )
    return run, data


def test_gpt_4_on_nq301(nq301, said):
    run, data = nq301
    labels = said(*((row["id"], row["human"]["final"], "final") for row in data))
    found = calibrate(run, labels, "correctness")
    assert (found.n, found.pairs.missing) == (1479, {"not scored: no verdict": 11})
    assert round(found.measures["accuracy"].value, 3) == 0.849
    assert round(found.measures["kappa"].value, 2) == 0.70
    low, high = found.measures["kappa"].ci
    assert (round(low, 2), round(high, 2)) == (0.65, 0.74)
    assert found.floor.name == "reference-overlap"
    assert round(found.floor.kappa.value, 2) == 0.47
    assert {each.name: each.beaten for each in found.baselines} == {
        "reference-overlap": "yes",
        "contains-gold": "yes",
        "majority": "yes",
    }


def test_people_on_nq301(nq301, said):
    run, data = nq301
    labels = said(
        *(
            (row["id"], x, f"a{n}")
            for row in data
            for n, x in enumerate(row["human"]["annotators"][:2])
        )
    )
    top = calibrate(run, labels, "correctness").ceiling
    assert round(top.accuracy.value, 2) == 0.87
    assert round(top.kappa.value, 2) == 0.74
    assert top.judge_minus_people.ci[1] < 0


def test_ragas_faithfulness_on_mtrag(shared, run_of, said):
    data = rows(shared / "data" / "mtrag_human_eval" / "ratings.jsonl.gz")
    docs = rows(shared / "data" / "mtrag_human_eval" / "contexts.jsonl.gz")
    texts = {row["doc_id"]: row["text"] for row in docs}
    names = [f"{row['qid']} {row['model']}" for row in data]
    run = run_of(
        {name: row["auto"]["rl_f"] for name, row in zip(names, data, strict=True)},
        metric="faithfulness",
        group={name: row["qid"] for name, row in zip(names, data, strict=True)},
        answer={name: row["response"] for name, row in zip(names, data, strict=True)},
        retrieved={
            name: tuple(Chunk(text=texts[doc]) for doc in row["context_doc_ids"] if doc in texts)
            for name, row in zip(names, data, strict=True)
        },
    )
    labels = said(
        *(
            (name, (x - 1) / 3, who)
            for name, row in zip(names, data, strict=True)
            for who, x in row["human"]["faithfulness"].items()
        ),
        metric="faithfulness",
    )
    found = calibrate(run, labels, "faithfulness", label_threshold=2 / 3)
    assert found.n == 240
    assert round(found.measures["accuracy"].value, 3) == 0.854
    assert round(found.measures["kappa"].value, 2) == 0.43
    assert round(found.alpha["people"].value, 2) == 0.45
    assert found.ceiling.people == 7
    assert round(found.ceiling.kappa.value, 2) == 0.51
    # The judge's calls buy nothing here that counting words does not.
    assert found.floor.name == "context-overlap"
    assert round(found.floor.kappa.value, 2) == 0.53
    assert found.floor.beaten == "open"
