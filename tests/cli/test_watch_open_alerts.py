"""What `acidtest watch --once` says of alerts: its words are all that a mail from cron holds."""

import json
import time

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from acidtest.cli import group
from acidtest.data.watching import Alert, Estimate, Missed, Reference
from acidtest.online.look import State
from acidtest.store.alerts import Alerts

CONFIG = '[store]\nurl = "online.db"\n\n[online]\nmetrics = ["citation_validity"]\n'
NOW = time.time_ns() // 1_000_000


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "acidtest.toml").write_text(CONFIG)
    with Alerts(str(tmp_path / "online.db")) as kept:
        yield kept


def run(*args):
    result = CliRunner().invoke(group, ["watch", *args], standalone_mode=False)
    assert result.exception is None, result.exception
    return result.return_value, result.output


def alert(metric="faithfulness", worst=("t1", "t2", "t3", "t4")):
    measured = Estimate(value=0.78, low=0.74, high=0.82, n=210)
    missed = Missed(metric=metric, target=0.85, at_least=True, estimate=measured)
    return Alert(key="k", state="open", opened_ms=NOW, title="", missed=(missed,), worst=worst)


def test_open_alerts_are_named_with_traces_that_show_them(store):
    store.save([alert()])
    status, said = run("--once")
    assert status == 1
    assert said.splitlines()[-3:] == [
        "Open alerts: 1",
        "- faithfulness is 0.78, below the target of 0.85",
        "  such as: t1, t2, t3",
    ]


def test_json_has_open_alerts_with_all_of_their_traces(store):
    store.save([alert()])
    status, said = run("--once", "--json", "-")
    told = json.loads(said)
    assert (status, told["alerts"]) == (1, 1)
    assert told["open_alerts"] == [
        {
            "key": "k",
            "title": "faithfulness is 0.78, below the target of 0.85",
            "opened_ms": NOW,
            "worst": ["t1", "t2", "t3", "t4"],
            "undelivered": [],
        }
    ]


def test_a_title_cannot_write_lines_of_its_own(store):
    store.save([alert(metric="a\nOpen alerts: 0\x1b[2J")])
    status, said = run("--once")
    assert (status, said.count("\n- "), "\x1b" in said) == (1, 1, False)
    assert "\nOpen alerts: 0" not in said


def test_without_an_alert_there_is_none_to_name(store):
    status, said = run("--once", "--json", "-")
    assert (status, json.loads(said)["open_alerts"]) == (0, [])


def test_an_alert_that_could_not_be_told_says_where_and_why(store, tmp_path, monkeypatch):
    monkeypatch.setenv("KEY", "secret")
    (tmp_path / "acidtest.toml").write_text(
        CONFIG + '[online.alerts]\nwebhook = "http://a..b/${KEY}"\n'
    )
    store.save([alert()])
    status, said = run("--once", "--json", "-")
    (lost,) = json.loads(said)["open_alerts"][0]["undelivered"]
    assert (status, lost["to"], lost["error"]) == (1, "http://a..b/...", "it is no address")
    assert "  not told to http://a..b/...: " in run("--once")[1]


def test_alerts_stand_under_their_number_and_before_what_changes_are_held_against(store):
    store.save([replace(alert(), title="faithfulness is 0.78")])
    known = Reference(
        metric="faithfulness", scored=True, state="collecting", since_ms=NOW, until_ms=NOW,
        traces=120, days=9,
    )  # fmt: skip
    assert store.swap(
        "watch", None, msgspec.json.encode(State(references=(known,), looking_ms=NOW))
    )
    _, said = run("--once")
    lines = said.splitlines()
    at = lines.index("Open alerts: 1")
    assert lines[at + 1].startswith("- faithfulness is 0.78")
    assert lines[at + 3].startswith("faithfulness: changes are told from")
