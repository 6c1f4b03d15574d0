"""`acidtest judge card`: what it prints and writes, where it finds evidence, and what it refuses."""

import json
import shutil

import pytest

GOLDEN = "\n".join(
    json.dumps(
        {
            "id": f"q{n}",
            "question": f"What is {n}",
            "reference": f"{n}",
            "generated_answer": f"It may be {n}.",
        }
    )
    for n in range(40)
)
JUDGE = """
def judge(prompt, fields):
    wrong = int(fields["question"].split()[-1]) % 3 == 0
    return {"verdict": "off_topic" if wrong else "complete", "why": "so"}
"""


def labels(**people):
    rows = (
        {"case": f"q{n}", "metric": "answer_relevance", "label": int(says(n)), "annotator": who}
        for n in range(40)
        for who, says in people.items()
    )
    return "".join(json.dumps(row) + "\n" for row in rows)


def right(n):
    return n % 3 > 0


@pytest.fixture(scope="module")
def built():
    """The project once it is made: the first test makes it, the others get a copy."""
    return {}


@pytest.fixture
def judged(folder, cli, built, tmp_path_factory):
    """A project with a run that a judge scored, labels that it agrees with, and a later run without it."""
    if "path" in built:
        shutil.copytree(built["path"], folder, dirs_exist_ok=True)
        return folder
    (folder / "acidtest.toml").write_text(
        'golden = "golden.jsonl"\n[judge]\nmodel = "mine.py:judge"\n'
    )
    (folder / "golden.jsonl").write_text(GOLDEN)
    (folder / "mine.py").write_text(JUDGE)
    (folder / "labels.jsonl").write_text(labels(ann=right, bob=right))
    assert cli("run", "-m", "answer_relevance", "--name", "judged").status == 0
    assert cli("run", "-m", "token_f1", "--name", "later").status == 0
    built["path"] = tmp_path_factory.mktemp("built")
    shutil.copytree(folder, built["path"], dirs_exist_ok=True)
    return folder


def test_the_newest_run_that_a_judge_scored(cli, judged):
    done = cli("judge", "card", "--json", "-")
    assert done.status == 0
    card = done.json
    assert (card["format"], card["version"]) == ("acidtest/judge-card", 1)
    assert card["judge"]["model"] == "mine.py:judge"
    assert card["took"]["run"].startswith("judged (")
    assert [(m["metric"], m["may"]) for m in card["metrics"]] == [
        ("answer_relevance", "unmeasured")
    ]
    assert card["missing"][0]["get"][0].startswith("acidtest judge calibrate ")


def test_calibration_by_labels_or_by_file_is_one_card(cli, judged):
    ask = ("judge", "calibrate", "judged", "--metric", "answer_relevance")
    assert cli(*ask, "--labels", "labels.jsonl", "--json", "calibration.json").status == 0
    by_file = cli("judge", "card", "judged", "calibration.json", "--json", "-").json
    by_labels = cli("judge", "card", "judged", "--labels", "labels.jsonl", "--json").json
    for each in (by_file, by_labels):
        assert each["metrics"][0]["may"] == "gate"
        each["metrics"][0]["agreed"].pop("source")
    assert by_file["metrics"] == by_labels["metrics"]


def test_people_who_disagree_are_the_end_of_it(cli, judged):
    (judged / "labels.jsonl").write_text(
        labels(ann=right, bob=lambda n: n % 2, cleo=lambda n: n // 2 % 2)
    )
    done = cli("judge", "card", "judged", "--labels", "labels.jsonl", "--json")
    metric = done.json["metrics"][0]
    assert (metric["may"], metric["agreed"]["n"]) == ("no", 40)
    assert metric["agreed"]["alpha"]["value"] < 0.2
    assert metric["says"].startswith("neither gate nor compare by it: people agree at alpha ")


@pytest.mark.parametrize("width", ["30", "80", "120"])
def test_to_read(cli, judged, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    done = cli("judge", "card", "judged", "--labels", "labels.jsonl")
    assert done.status == 0
    assert max(map(len, done.out.splitlines())) <= int(width)
    assert "Yes, gate on it, though nobody measured biases" in " ".join(done.out.split())


def test_an_anchor_beside_the_configuration_is_found(cli, judged):
    ask = ("judge", "anchor", "init", "judged", "--n", "10", "--repeat", "2", "--json")
    assert cli(*ask).status == 0
    card = cli("judge", "card", "judged", "--json").json
    assert (card["drift"]["result"], card["drift"]["cases"]) == ("new", 10)
    assert card["metrics"][0]["repeat"]["same"]["value"] == 1.0
    assert [m["get"] for m in card["missing"] if m["what"] == "drift"] == [
        ["acidtest judge anchor run"]
    ]
    assert cli("judge", "anchor", "run", "--json", "look.json").status == 0
    card = cli("judge", "card", "judged", "look.json", "--json").json
    assert card["drift"]["result"] == "steady"


def test_files_are_written_together(cli, judged):
    done = cli("judge", "card", "--json", "c.json", "--html", "c.html", "--markdown", "c.md")
    assert (done.status, done.out) == (0, "")
    assert json.loads((judged / "c.json").read_text())["judge"]["model"] == "mine.py:judge"
    assert (judged / "c.html").read_text().startswith("<!doctype html>")
    assert (judged / "c.md").read_text().startswith("## acidtest: judge `mine.py:judge`")


def test_the_local_judge_without_anything(cli, folder):
    done = cli("judge", "card", "--judge", "local")
    assert done.status == 0
    assert "On public data that people labelled" in done.out
    assert not (folder / ".acidtest").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nosuch",), "unknown run 'nosuch'"),
        (("nosuch.json",), "nosuch.json: no such file"),
        (("golden.jsonl",), "golden.jsonl: this is nothing that a card is made of"),
        (("x" * 300,), "File name too long"),
        (("judged", "--judge", "gpt-5"), "--judge: unknown judge 'gpt-5'"),
        (("later",), "nothing that was measured of a judge is there"),
        (("judged", "--anchor", "nosuch"), "nosuch: there is no anchor yet"),
        (("judged", "--labels", "nosuch.jsonl"), "nosuch.jsonl: no such file"),
        (("judged", "later", "--labels", "labels.jsonl"), "2 runs are named"),
        (("later", "--labels", "labels.jsonl"), "no label is of a metric that a judge scored"),
        (("judged", "--labels", "labels.jsonl", "--json", "labels.jsonl"), "would overwrite"),
        (("judged", "--html", "acidtest.toml"), "would overwrite"),
        (("judged", "--json", "-", "--markdown", "-"), "-"),
        (("judged", ""), "empty"),
        (("judged", "--config", "nosuch.toml"), "nosuch.toml"),
    ],
)
def test_what_is_refused(cli, judged, arguments, told):
    done = cli("judge", "card", *arguments)
    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert len(done.err) < 2_000


def test_without_any_run_or_file_it_is_the_configured_judge(cli, folder):
    assert cli("init").status == 0
    done = cli("judge", "card")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("judge local\n")
    assert "On public data that people labelled" in done.out
    card = cli("judge", "card", "--json", "-").json
    assert card["judge"] == cli("judge", "card", "--judge", "local", "--json", "-").json["judge"]
    assert not (folder / ".acidtest").exists()


@pytest.mark.parametrize("key", ["k", ""])
def test_another_judge_without_evidence_lacks_everything_and_needs_no_key(
    cli, folder, monkeypatch, key
):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    (folder / "acidtest.toml").write_text('[judge]\nmodel = "openai:gpt-4o-mini"\n')
    card = cli("judge", "card", "--json", "-").json
    assert (card["judge"]["model"], card["metrics"]) == ("gpt-4o-mini", [])
    assert (card["public"], card["took"], card["attacks"], card["drift"]) == ([], None, None, None)
    commands = [command for row in card["missing"] for command in row["get"]]
    assert "acidtest judge check --judge openai:gpt-4o-mini --json check.json" in commands
    assert commands[0] == "acidtest run -m METRIC --judge openai:gpt-4o-mini"


def test_the_configured_coverage_is_another_local_judge(cli, folder):
    (folder / "acidtest.toml").write_text('[judge]\nmodel = "local"\ncoverage = 0.8\n')
    for named in ((), ("--judge", "local")):
        card = cli("judge", "card", *named, "--json", "-").json
        assert card["public"] == []
        assert "another coverage" in card["left_out"][0]["why"]


def test_a_judge_that_nobody_has(cli, folder):
    done = cli("judge", "card", "--judge", "nosuch")
    assert (done.status, done.out) == (2, "")
    assert "'nosuch'" in done.err
