"""Runs with what needs no key beside the local judge: inference models, and the local embedder."""

import json
from importlib.util import find_spec

import pytest
from tests.judges.nli import tiny

TEXTS = {
    "plan": "The pro plan costs 49 euros. It includes priority support.",
    "returns": "Returns are free. The refund takes five days.",
}
ROWS = [  # question, answer, reference, retrieved
    ("What does Pro cost?", "The pro plan costs 49 euros.", "The pro plan costs 49 euros.", "plan"),
    ("Are returns free?", "Returns are not free.", "Returns are free.", "returns"),
    (
        "Where do you ship?",
        "We ship to Europe. Returns are in Toronto.",
        "We ship to Europe.",
        "returns",
    ),
]
METRICS = ("-m", "faithfulness", "-m", "context_recall", "-m", "factual_correctness")


@pytest.fixture
def files(folder):
    golden = [{"question": q, "reference": r, "relevant": [c]} for q, _, r, c in ROWS]
    outputs = [
        {"question": q, "answer": a, "retrieved": [{"id": c, "text": TEXTS[c]}]}
        for q, a, _, c in ROWS
    ]
    for name, rows in (("golden", golden), ("outputs", outputs)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    tiny.write(folder / "model")
    return ("--golden", "golden.jsonl", "--outputs", "outputs.jsonl")


def judged(cli, files, judge, *more):
    done = cli("run", *files, *METRICS, "--judge", judge, "--json", "-", *more)
    assert done.status in {0, 3}, done.err
    return done.json


def scores(run, name):
    return [case["scores"][name] for case in run["cases"]]


def test_an_inference_model_judges_a_run(cli, files):
    run = judged(cli, files, "nli:model")
    assert run["run"]["judge"]["model"] == "nli:model"
    first, second, third = scores(run, "faithfulness")
    assert [first["value"], second["value"], third["value"]] == [1.0, 0.0, 0.0]
    assert first["evidence"][0]["why"] == "passage 1 entails it: 1.00"
    assert second["evidence"][0]["verdict"] == "contradicted"
    assert [e["verdict"] for e in third["evidence"]] == ["unsupported", "undecided"]
    assert run["undecided"]["faithfulness"] > 0
    assert [s["value"] for s in scores(run, "context_recall")] == [1.0, 1.0, 0.0]
    assert scores(run, "factual_correctness")[0]["value"] == 1.0


def test_its_verdicts_are_kept_wherever_its_folder_is(cli, files, folder):
    first = judged(cli, files, "nli:model")
    (folder / "model").rename(folder / "moved")
    second = judged(cli, files, "nli:moved")
    assert first["operations"]["judge"]["calls"] > 0
    assert second["operations"]["judge"]["calls"] == 0
    assert second["run"]["judge"]["fingerprint"] == first["run"]["judge"]["fingerprint"]
    assert scores(second, "faithfulness") == scores(first, "faithfulness")


def test_a_cascade_asks_it_what_wording_leaves_open(cli, files):
    run = judged(cli, files, "local > nli:model")
    assert run["run"]["judge"]["model"] == "local > nli:model"
    first, second, _ = scores(run, "faithfulness")
    assert (
        "entails" not in first["evidence"][0]["why"]
    )  # the words are there: the local judge decides
    assert second["evidence"][0]["why"] == "passage 1 contradicts it: 0.99"


def test_what_it_cannot_judge_is_skipped(cli, files):
    done = cli("run", *files, "-m", "answer_relevance", "--judge", "nli:model", "--json", "-")
    assert all(
        "cannot judge a free rubric" in s["skip"] for s in scores(done.json, "answer_relevance")
    )


@pytest.mark.parametrize(
    ("judge", "told"),
    [
        ("nli:./none", "there is no folder './none'"),
        ("nli:model/config.json", "not an ONNX file"),
        ("nli:", "names no model"),
        ("local > nli:./none", "there is no folder './none'"),
    ],
)
def test_a_model_that_cannot_be_had_is_told_before_anything_runs(cli, files, judge, told):
    done = cli("run", *files, *METRICS, "--judge", judge)
    assert done.status == 2
    assert told in done.err
    assert done.out == ""


def test_a_model_that_does_not_fit_is_told_before_anything_runs(cli, files, folder):
    tiny.write(folder / "model", twist="wide")
    done = cli("run", *files, *METRICS, "--judge", "nli:model")
    assert done.status == 2
    assert "labels" in done.err


def test_numbers_that_are_none_are_failures(cli, files, folder):
    tiny.write(folder / "model", twist="nan")
    done = cli("run", *files, "-m", "faithfulness", "--judge", "nli:model", "--json", "-")
    assert done.status == 3
    assert all("not finite" in s["failure"] for s in scores(done.json, "faithfulness"))


def test_doctor_tries_it(cli, files, folder):
    text = 'golden = "golden.jsonl"\n[judge]\nmodel = "nli:model"\n'
    (folder / "acidtest.toml").write_text(text)
    done = cli("doctor")
    assert "nli:model, sha256:" in done.out
    assert done.status == 0
    (folder / "model" / "config.json").write_text("{}")
    done = cli("doctor")
    assert "id2label is missing" in done.out
    assert done.status == 1


@pytest.mark.skipif(find_spec("wordllama") is None, reason="no wheel for this Python")
def test_the_local_embedder_needs_no_key(cli, files, folder):
    (folder / "acidtest.toml").write_text('[embedder]\nmodel = "local"\n')
    done = cli("run", *files, "-m", "semantic_similarity", "-m", "answer_relevancy", "--json", "-")
    same, near, part = (s["value"] for s in scores(done.json, "semantic_similarity"))
    assert same == 1.0
    assert 0 < part < near < 1
    assert all("cannot judge" in s["skip"] for s in scores(done.json, "answer_relevancy"))
