"""`acidtest judge anchor`: steady, drifting, changed, incomplete; never from the cache; and what it tells."""

import json
from datetime import timedelta

import pytest
from tests.judges.stub import Threaded, chat, says

JUDGE = """
import contextlib
from pathlib import Path

def judge(prompt, fields):
    with Path("asked.txt").open("a") as log:
        log.write("x\\n")
    mode = Path("mode.txt").read_text() if Path("mode.txt").exists() else ""
    if mode == "down":
        raise RuntimeError("gone")
    if mode == "vanish":
        with contextlib.suppress(FileNotFoundError):
            Path("anchor.jsonl").rename("gone.jsonl")
    number = int(fields["question"].split()[-1])
    good = number % 2 == 0 or mode == "lenient"
    return {"verdict": "complete" if good else "off_topic", "why": f"number {number} {mode}"}
"""


@pytest.fixture
def judged(folder, cli):
    """A run of 24 cases that a judge of one's own has scored."""
    (folder / "mine.py").write_text(JUDGE)
    rows = [
        {
            "id": f"c{n}",
            "question": f"What is {n}",
            "reference": "x",
            "generated_answer": f"It is {n}.",
        }
        for n in range(24)
    ]
    (folder / "golden.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "acidtest.toml").write_text(
        'golden = "golden.jsonl"\n[judge]\nmodel = "mine.py:judge"\n'
    )
    assert cli("run", "-m", "answer_relevance").status == 0
    return folder


def asked(folder):
    return len((folder / "asked.txt").read_text().splitlines())


def test_a_judge_that_stays_is_steady_and_is_asked_every_time(cli, judged):
    before = asked(judged)
    made = cli("judge", "anchor", "init", "--n", "20", "--json")
    assert made.status == 0
    assert made.json["result"] == "new"
    assert made.json["metrics"]["answer_relevance"]["cases"] == 20
    assert made.json["metrics"]["answer_relevance"]["repeats"] == {"up": 0, "down": 0, "n": 80}
    assert asked(judged) == before + 100  # 20 cases, 5 times, though the run knew each once
    for _ in range(2):
        assert cli("judge", "anchor", "run").status == 0
    assert asked(judged) == before + 140
    done = cli("judge", "anchor", "status", "--json")
    assert (done.status, done.json["result"]) == (0, "steady")
    assert done.json["format"] == "acidtest/judge-anchor"
    assert len(done.json["history"]) == 2
    assert done.json["e_value"] < 1
    assert done.json["moved"] == []
    assert asked(judged) == before + 140
    assert len(cli("runs", "list", "--json").json) == 1  # looks are no runs


def test_a_judge_that_grew_lenient_is_drift_with_both_replies(cli, judged):
    cli("judge", "anchor", "init", "--n", "24")
    (judged / "mode.txt").write_text("lenient")
    done = cli("judge", "anchor", "run")
    assert done.status == 1
    assert "DRIFT since the look of" in done.out
    told = " ".join(done.out.split())
    assert "c1, answer_relevance (in 1 of 1 looks): What is 1" in told
    assert 'recorded 0.00 off_topic: number 1 [{"verdict":"off_topic","why":"number 1 "}]' in told
    assert 'now 1.00 complete: number 1 lenient [{"verdict":"complete",' in told
    found = cli("judge", "anchor", "status", "--json")
    assert found.status == 1
    assert found.json["e_value"] >= found.json["limit"] == 40
    assert found.json["metrics"]["answer_relevance"]["last"] == {"up": 12, "down": 0, "n": 24}
    flip = found.json["moved"][0]
    assert flip["case"] == "c1"
    assert (flip["recorded"]["value"], flip["now"]["value"], flip["times"]) == (0.0, 1.0, 1)
    assert flip["now"]["evidence"] == [{"verdict": "complete", "why": "number 1 lenient"}]
    # A quiet look afterwards does not take it back: scores in between are what they are.
    (judged / "mode.txt").write_text("")
    assert cli("judge", "anchor", "run").status == 1


def test_another_model_behind_the_same_name_is_told_at_once(cli, folder, project, monkeypatch):
    reported = ["2026-11-01"]

    def model(question):
        if question.method != "POST":
            return says({"data": [{"id": "stub"}]})
        reply = json.loads(chat(question).body)
        return says({**reply, "model": f"stub-{reported[0]}"})

    with Threaded(model) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        judge = ("--judge", "openai:stub")
        assert cli("run", "-m", "answer_relevance", *judge).status == 0
        assert cli("judge", "anchor", "init", *judge, "--repeat", "2").status == 0
        # Without --judge it is the anchor's, whatever the configuration says: here, local.
        assert cli("judge", "anchor", "run").status == 0
        questions = len(endpoint.questions)
        dry = cli("judge", "anchor", "run", "--dry-run")
        assert "calls" in dry.out
        assert len(endpoint.questions) == questions
        reported[0] = "2026-12-24"
        done = cli("judge", "anchor", "run", "--json")
    assert (done.status, done.json["result"]) == (1, "changed")
    assert done.json["judge_changed"]["before"]["reported"] == ["stub-2026-11-01"]
    assert done.json["judge_changed"]["now"]["reported"] == ["stub-2026-12-24"]
    shown = cli("judge", "anchor", "status")
    assert "CHANGED: asked for the same judge, stub (stub-2026-12-24)" in " ".join(
        shown.out.split()
    )


def test_an_endpoint_that_is_gone_leaves_no_look(cli, folder, project, monkeypatch):
    with Threaded(lambda q: chat(q) if q.method == "POST" else says({"data": []})) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        cli("run", "-m", "answer_relevance", "--judge", "openai:stub")
        made = cli("judge", "anchor", "init", "--judge", "openai:stub", "--repeat", "2")
        assert made.status == 0
    before = (folder / "anchor.jsonl").read_bytes()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = cli("judge", "anchor", "run")
    assert done.status == 3
    assert "no connection to 127.0.0.1:9" in done.err
    assert (folder / "anchor.jsonl").read_bytes() == before


@pytest.mark.parametrize(("hours", "spared"), [(12, 7), (-1, 0)])
def test_a_look_that_was_cut_off_goes_on_unless_it_is_old(cli, judged, monkeypatch, hours, spared):
    left = [10_000]

    def model(question):
        if question.method != "POST":
            return says({"data": []})
        left[0] -= 1
        return chat(question) if left[0] >= 0 else says({"error": {"message": "no"}}, 401)

    judge = ("--judge", "openai:stub", "--concurrency", "1")
    monkeypatch.setattr("acidtest.project.anchoring.judge.GOES_ON", timedelta(hours=hours))
    with Threaded(model) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        assert cli("judge", "anchor", "init", "--n", "20", "--repeat", "2", *judge).status == 0
        left[0] = 7
        assert cli("judge", "anchor", "run", *judge).status == 3
        assert cli("judge", "anchor", "status", "--json").json["history"] == []
        left[0] = 10_000
        before = len(endpoint.questions)
        assert cli("judge", "anchor", "run", *judge).status == 0
        assert len(endpoint.questions) - before == 20 - spared
    # One look is one line, with all that it took: before it was cut off, too.
    (seen,) = cli("judge", "anchor", "status", "--json").json["history"]
    assert (seen["calls"], seen["missing"]) == (20, 0)


def test_a_judge_that_is_gone_is_incomplete(cli, judged):
    cli("judge", "anchor", "init", "--n", "20", "--repeat", "2")
    (judged / "mode.txt").write_text("down")
    done = cli("judge", "anchor", "run")
    assert done.status == 3
    assert "INCOMPLETE" in done.out
    assert cli("judge", "anchor", "status").status == 3


def test_a_judge_that_is_gone_makes_no_anchor(cli, judged):
    (judged / "mode.txt").write_text("down")
    done = cli("judge", "anchor", "init")
    assert done.status == 2
    assert "verdicts could not be had" in done.err
    assert not (judged / "anchor.jsonl").exists()


def test_another_judge_is_told_and_keeps_its_own_history(cli, judged):
    cli("judge", "anchor", "init", "--n", "24", "--repeat", "2")
    cli("judge", "anchor", "run")
    (judged / "other.py").write_text(JUDGE.replace("== 0", "== 1"))
    done = cli("judge", "anchor", "run", "--judge", "other.py:judge", "--json")
    assert (done.status, done.json["other_judge"]) == (1, True)
    assert [seen["same_judge"] for seen in done.json["history"]] == [False, True]
    assert cli("judge", "anchor", "run").status == 0


def test_nothing_is_written_over_unasked(cli, judged):
    cli("judge", "anchor", "init", "--repeat", "2")
    held = (judged / "anchor.jsonl").read_bytes()
    before = asked(judged)
    done = cli("judge", "anchor", "init")
    assert done.status == 2
    assert "--replace" in done.err
    assert cli("judge", "anchor", "run", "--json", "anchor.jsonl").status == 2
    assert asked(judged) == before
    cli("judge", "anchor", "run")
    assert (judged / "anchor.jsonl").read_bytes().startswith(held)
    assert cli("judge", "anchor", "init", "--replace", "--repeat", "2").status == 0
    assert cli("judge", "anchor", "status", "--json").json["history"] == []


def test_an_anchor_elsewhere_and_from_a_run_file(cli, judged):
    assert cli("runs", "export", "latest", "run.json").status == 0
    done = cli("judge", "anchor", "init", "run.json", "--anchor", "a/b.jsonl", "--repeat", "2")
    assert done.status == 0
    assert cli("judge", "anchor", "run", "--anchor", "a/b.jsonl").status == 0
    assert (judged / "a" / ".acidtest" / "anchor.db").exists()


@pytest.mark.parametrize("width", ["40", "72", "140"])
def test_any_width(cli, judged, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    cli("judge", "anchor", "init", "--repeat", "2")
    (judged / "mode.txt").write_text("lenient")
    cli("judge", "anchor", "run")
    done = cli("judge", "anchor", "status")
    assert max(map(len, done.out.splitlines())) <= int(width)
    assert "Looks" in done.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("status",), "there is no anchor yet"),
        (("run",), "acidtest judge anchor init RUN"),
        (("init", "-m", "faithfulness"), "faithfulness is not judged in run"),
        (("init", "-m", "nonsense"), "nonsense"),
        (("init", "nobody"), "unknown run 'nobody'"),
        (("init", "--repeat", "1"), "1"),
        (("init", "--n", "1"), "--n"),
        (("statu",), "Did you mean 'status'?"),
    ],
)
def test_bad_usage(cli, judged, arguments, told):
    done = cli("judge", "anchor", *arguments)
    assert done.status == 2
    assert told in done.err


def test_a_run_without_verdicts(cli, project):
    assert cli("run", "-m", "recall@5").status == 0
    done = cli("judge", "anchor", "init")
    assert done.status == 2
    assert "no judged metric" in done.err


def test_a_prompt_that_changed_is_not_compared(cli, judged):
    cli("judge", "anchor", "init", "--repeat", "2")
    path = judged / "anchor.jsonl"
    first, rest = path.read_text().split("\n", 1)
    header = json.loads(first)
    header["metrics"]["answer_relevance"] = "0"
    path.write_text(json.dumps(header) + "\n" + rest)
    done = cli("judge", "anchor", "run")
    assert done.status == 2
    assert "the method or prompt of answer_relevance changed" in done.err


def test_what_a_provider_calls_its_model_is_shown_and_not_obeyed(cli, folder, project, monkeypatch):
    reported = "[bold]new[/bold] \x1b[31m\u202e"

    def reply(question):
        if question.method != "POST":
            return says({"data": [{"id": "stub"}]})
        return says({**json.loads(chat(question).body), "model": reported})

    with Threaded(reply) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        assert cli("run", "-m", "answer_relevance", "--judge", "openai:stub").status == 0
        made = cli("judge", "anchor", "init", "--judge", "openai:stub")
        assert made.status == 0, made.err
        assert cli("judge", "anchor", "run").status == 0
    done = cli("judge", "anchor", "status")
    looks = done.out[done.out.index("Looks") :]
    assert "[bold]new[/bold]" in looks
    assert not {"\x1b", "\u202e"} & set(done.out)


def test_a_look_that_cannot_be_written_is_not_paid_for_twice(cli, judged):
    assert cli("judge", "anchor", "init", "--n", "10", "--repeat", "2").status == 0
    before = asked(judged)
    (judged / "mode.txt").write_text("vanish")
    done = cli("judge", "anchor", "run")
    assert done.status == 2
    assert "anchor.jsonl" in done.err
    assert asked(judged) == before + 10
    (judged / "gone.jsonl").rename(judged / "anchor.jsonl")
    (judged / "mode.txt").write_text("")
    again = cli("judge", "anchor", "run", "--json")
    assert again.status == 0
    assert [seen["calls"] for seen in again.json["history"]] == [10]
    assert asked(judged) == before + 10
    assert cli("judge", "anchor", "run").status == 0
    assert asked(judged) == before + 20


def test_an_anchor_that_cannot_be_written_is_not_paid_for_twice(cli, judged, monkeypatch):
    before = asked(judged)
    arguments = ("judge", "anchor", "init", "--n", "10", "--repeat", "2", "--anchor")

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("acidtest.project.anchoring.files.write_whole", full)
        done = cli(*arguments, "a.jsonl")
    assert done.status == 2
    assert "What was judged is kept" in done.err
    assert asked(judged) == before + 20
    assert cli(*arguments, "a.jsonl").status == 0
    assert asked(judged) == before + 20
