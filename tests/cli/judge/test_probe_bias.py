"""`acidtest judge probe` without --injection: what it tells, on built-in items and on a run."""

import json

import pytest
from tests.judges.stub import Threaded, says
from tests.project.probing.bias.judges import RIGHT, plain

from acidtest.cli.judge.probe import KINDS
from acidtest.project.probing.bias.plan import KINDS as PLANNED

KNOWN = [plain(each) for each in RIGHT]


def test_the_kinds_are_the_projects():
    assert KINDS == PLANNED


def test_the_local_judge(cli, folder):
    done = cli("judge", "probe", "--n", "20", "--json", "bias.json")
    assert "What must not change a verdict" in done.out
    assert "Planted faults" in done.out
    assert "Self-preference was left out: the name of the judge (local)" in done.out
    assert "This judge does not judge answer_relevance" in done.out
    found = json.loads((folder / "bias.json").read_text(encoding="utf-8"))
    assert (found["format"], found["version"]) == ("acidtest/judge-bias", 1)
    assert done.status == (1 if found["findings"] else 0)
    faults = [row for row in found["leniency"] if row["metric"] == "faithfulness"]
    assert len(faults) == 4
    assert all(row["passed"] == 0 < row["planted"] for row in faults)
    assert all(row["agreement"] == 1.0 for row in found["repeatability"])
    assert not (folder / ".acidtest").exists()


@pytest.mark.parametrize("width", ["40", "72", "140"])
def test_any_width(cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    done = cli("judge", "probe", "--n", "4", "-m", "faithfulness", "--kind", "praise")
    assert max(map(len, done.out.splitlines())) <= int(width)


def test_one_kind_and_metric_alone_and_json_alone(cli):
    done = cli(
        "judge", "probe", "--kind", "praise", "--metric", "faithfulness", "--n", "10", "--json"
    )  # fmt: skip
    assert done.status == 0
    rows = done.json["changes"]
    assert [row["change"] for row in rows] == ["expert", "reviewed"]
    assert {row["metric"] for row in rows} == {"faithfulness"}
    assert done.json["leniency"] == done.json["self_preference"] == []


def judged(asked, ruled):
    """Answer a correctness prompt as a server would: `ruled` says whether it is correct."""
    if asked.method != "POST":
        return says({"data": [{"id": "stub"}]})
    prompt = asked.json["messages"][-1]["content"]
    content = json.dumps({"why": "", "verdict": "correct" if ruled(prompt) else "incorrect"})
    return says(
        {
            "model": "stub-1",
            "choices": [
                {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
            ],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        }
    )


def right(prompt):
    return any(known in plain(prompt) for known in KNOWN)


def likes_long(prompt):
    return right(prompt) or "glad to help" in prompt


def served(monkeypatch, ruled):
    opened = Threaded(lambda asked: judged(asked, ruled))
    monkeypatch.setenv("OPENAI_BASE_URL", opened.__enter__().url)
    return opened


@pytest.fixture
def serve(monkeypatch):
    opened = []

    def start(ruled):
        opened.append(served(monkeypatch, ruled))
        return opened[-1]

    yield start
    for each in opened:
        each.__exit__(None, None, None)


ASK = ("judge", "probe", "--judge", "openai:stub", "-m", "correctness")


def test_a_model_that_likes_long_answers_is_caught(cli, serve):
    serve(likes_long)
    done = cli(*ASK, "--json")
    assert done.status == 1
    assert done.json["findings"] == ["verbosity: courtesies raises correctness"]
    row = next(row for row in done.json["changes"] if row["change"] == "courtesies")
    assert (row["finding"], row["shift"], row["flips"], row["up"]) == ("raises", 0.5, 20, 20)


def test_a_model_without_bias_raises_nothing_and_is_asked_once(cli, serve):
    endpoint = serve(right)
    done = cli(*ASK, "--n", "12", "--repeat", "3", "--json")
    assert (done.status, done.json["findings"]) == (0, [])
    assert {row["asks"] for row in done.json["repeatability"]} == {3}
    asked = len(endpoint.questions)
    assert asked == done.json["use"]["calls"] >= 3 * 12
    again = cli(*ASK, "--n", "12", "--repeat", "3", "--json")
    assert len(endpoint.questions) == asked
    assert again.json["changes"] == done.json["changes"]


def test_a_dry_run_asks_nobody_and_counts_what_would_be_asked(cli, serve, folder):
    endpoint = serve(right)
    dry = cli(*ASK, "--n", "8", "--dry-run", "--json")
    assert dry.status == 0
    assert endpoint.questions == []
    assert not (folder / ".acidtest").exists()
    assert dry.json["format"] == "acidtest/judge-bias-estimate"
    assert dry.json["cost_usd"] is None
    done = cli(*ASK, "--n", "8", "--json")
    assert done.json["use"]["calls"] == dry.json["calls"]
    shown = cli(*ASK, "--n", "8", "--dry-run")
    assert "at most 0 calls" in shown.out
    assert "Nobody was asked." in shown.out


ROWS = [
    {
        "question": f"How much is part {n}?",
        "answer": f"The part costs {n}7 euros in Lisbon.",
        "retrieved": [
            {"id": "a", "text": f"The part costs {n}7 euros in Lisbon."},
            {"id": "b", "text": "The car park was painted green."},
        ],
    }
    for n in range(10, 18)
]


@pytest.fixture
def run(cli, folder):
    golden = [
        {"id": f"q{n}", "question": row["question"], "reference": row["answer"]}
        for n, row in enumerate(ROWS)
    ]
    for name, rows in (("golden.jsonl", golden), ("out.jsonl", ROWS)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = cli(
        "run", "--golden", "golden.jsonl", "--outputs", "out.jsonl", "-m", "faithfulness",
        "--judge", "local", "--json", "run.json",
    )  # fmt: skip
    assert done.status in (0, 3)
    return "run.json"


@pytest.mark.parametrize("name", ["run.json", "latest"])
def test_a_run_is_probed_with_the_metrics_it_was_judged_by(cli, run, name):
    done = cli("judge", "probe", name, "--n", "5", "--kind", "leniency", "--json")
    assert done.json["source"] != "built-in"
    assert done.json["items"] == 5
    rows = {row["fault"]: row for row in done.json["leniency"]}
    assert {row["metric"] for row in rows.values()} == {"faithfulness"}
    assert rows["number"]["planted"] == rows["number"]["caught"] == 5
    other = cli("judge", "probe", name, "--n", "5", "--seed", "1", "--kind", "leniency", "--json")
    assert other.json["items"] == 5


def test_a_file_that_it_reads_is_not_overwritten(cli, run):
    done = cli("judge", "probe", run, "--json", run)
    assert done.status == 2
    assert "would overwrite" in done.err


def test_a_probe_without_verdicts_does_not_say_that_nothing_was_found(cli, monkeypatch):
    with Threaded(lambda _: says({"choices": [{"message": {"content": "no JSON"}}]})) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        done = cli(*ASK, "--n", "2", "--kind", "praise")
    assert done.status == 3
    assert "Nothing was found" not in done.out
    assert "Incomplete" in done.out


@pytest.mark.parametrize("n", ["0", "-1"])
def test_a_probe_needs_a_call_in_flight(cli, n):
    done = cli("judge", "probe", "-m", "faithfulness", "--dry-run", "--concurrency", n)
    assert done.status == 2
    assert "--concurrency" in done.err
