"""The digest from the command line, over a store and the configured golden set."""

import json
import time

import pytest

from acidtest.data.traces import Feedback, Trace
from acidtest.store.traces import TraceStore

NOW = time.time_ns()
HOUR = 3_600_000_000_000


@pytest.fixture
def filled(folder):
    (folder / "golden.jsonl").write_text(
        json.dumps({"id": "g1", "question": "How long does a refund take?"}) + "\n"
    )
    (folder / "acidtest.toml").write_text('golden = "golden.jsonl"\n[store]\nurl = "s.db"\n')
    traces = [
        Trace(
            id=f"t{n:02}",
            started_ns=NOW - (n + 1) * HOUR,
            question="How do I pair the headset with bluetooth?"
            if n % 2
            else "How long does a refund take?",
            answer="So.",
            session=f"s{n}",
            feedback=(Feedback(good=False),) if n % 2 else (),
        )
        for n in range(20)
    ]
    with TraceStore(str(folder / "s.db")) as store:
        store.save([(trace, f"d{trace.id}") for trace in traces], now_ms=NOW // 1_000_000)
    return folder


def test_what_the_golden_set_lacks_is_told_with_the_command_that_adds_it(filled, cli):
    ran = cli("traces", "digest", "--markdown", "week.md")
    assert ran.status == 0
    assert ": 20 traces" in ran.out
    assert "Asked, and not in the golden set (10 questions)" in ran.out
    assert "- 10 on " in ran.out
    page = (filled / "week.md").read_text()
    assert page.startswith("# ")
    assert "`acidtest golden promote " in page
    told = json.loads(cli("traces", "digest", "--json", "-").out)
    (group,) = told["lacking"]
    # The command does what it says.
    words = group["promote"].split()
    assert words[:3] == ["acidtest", "golden", "promote"]
    assert cli(*words[1:]).status == 0
    assert json.loads(cli("traces", "digest", "--json", "-").out)["lacking"] == []
    assert told["failing"][0]["why"] == {"thumbs_down": 10}


def test_only_a_part_and_another_set(filled, cli):
    told = json.loads(cli("traces", "digest", "--since", "3h", "--json", "-").out)
    assert told["traces"] in (2, 3)
    (filled / "acidtest.toml").write_text('[store]\nurl = "s.db"\n')
    ran = cli("traces", "digest")
    assert "No golden set is configured" in ran.err
    assert "--into golden.jsonl" in ran.out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--since", "soon"), "'soon' is no time"),
        (("--since", "2030-01-01"), "it is not before the end"),
        (("--golden", "none.jsonl"), "none.jsonl"),
    ],
)
def test_what_is_not_possible_is_refused(filled, cli, args, message):
    ran = cli("traces", "digest", *args)
    assert ran.status == 2
    assert message in ran.err


def test_without_a_store_it_says_so(folder, cli):
    ran = cli("traces", "digest")
    assert ran.status == 2
    assert "the store holds no trace yet" in ran.err
