"""A gate in every form: the decision in words, figures in their units, hostile text, valid JUnit."""

import io
import re
import xml.etree.ElementTree as ET

import pytest
from rich.console import Console
from tests.report.junit_form import faults_of

from acidtest.data.gate import Gate, Gated
from acidtest.report.gate_junit import gate_junit
from acidtest.report.gate_markdown import gate_markdown
from acidtest.report.gate_rows import MARKER, amount, headline, last_line, p_value, rows
from acidtest.report.gate_terminal import print_gate

METRICS = {
    "recall@5": Gated(
        baseline=0.86,
        candidate=0.91,
        delta=0.05,
        ci=(0.01, 0.09),
        p=0.02,
        p_drop=1.0,
        max_drop=0.03,
    ),
    "faithfulness": Gated(
        baseline=0.93, candidate=0.87, delta=-0.06, flag="BELOW FLOOR", floor=0.9, max_drop=0.03
    ),
    "mrr[faq].p10": Gated(baseline=0.5, candidate=0.4, delta=-0.1, open="mrr[faq].p10 fell."),
    "cost_usd": Gated(
        baseline=0.002,
        candidate=0.0028,
        delta=0.0008,
        ci=(0.0007, 0.0009),
        p_drop=0.0001,
        flag="REGRESSION",
        max_drop=0.0004,
    ),
    "latency_ms.total.p95": Gated(baseline=900.0, candidate=880.0, delta=-20.0, ci=(-40.0, 5.0)),
}
GATE = Gate(
    result="fail",
    mode="statistical",
    metrics=METRICS,
    reasons=("faithfulness is 0.87, below its floor 0.9.", "mrr[faq].p10 fell.", "cost_usd rose."),
    trades=("recall@5 better by 5.0 points, and cost_usd +40%: is it worth it?",),
    notes=("The golden sets differ.",),
)


def printed(gate, width=80, encoding="utf-8"):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    print_gate(gate, Console(file=file, width=width), baseline="main", candidate="pull")
    file.flush()
    return raw.getvalue().decode(encoding)


def test_the_decision_in_words():
    assert headline(GATE) == "FAIL: faithfulness, cost_usd of 5 gated metrics fail."
    some = {"mrr": Gated(open="mrr: only 3 of 9 scored.")}
    undecided = Gate(result="inconclusive", mode="strict", metrics=some)
    assert headline(undecided) == "INCONCLUSIVE: mrr of 1 gated metric cannot be decided."
    passed = Gate(result="pass", mode="strict", metrics={"mrr": Gated()})
    assert headline(passed) == "PASS: 1 gated metric holds."
    assert last_line(GATE) == "acidtest gate: fail metrics=5 failed=2 open=1"


def test_figures_have_their_units():
    by_name = {row.name: row for row in rows(GATE)}
    assert by_name["cost_usd"].ci == "$0.00070 to 0.00090"
    assert by_name["cost_usd"].change == "+$0.00080"
    assert by_name["latency_ms.total.p95"].change == "-20 ms"
    assert by_name["latency_ms.total.p95"].ci == "-40 to 5.0 ms"
    assert by_name["recall@5"].ci == "0.01-0.09"
    assert by_name["faithfulness"].limit == "limit 0.900, drop 0.030"
    assert amount("tokens.output", 140.0) == "140"
    assert [p_value(p) for p in (None, 0.0001, 0.034, 0.5)] == ["-", "<0.001", "0.034", "0.50"]


def test_the_statistical_mode_shows_the_p_value_that_decides():
    assert "p drop" in printed(GATE)
    assert rows(GATE)[0].p == "1.00"
    strict = Gate(result="fail", mode="strict", metrics=METRICS)
    assert rows(strict)[0].p == "0.020"
    assert "p drop" not in printed(strict)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_no_line_is_wider_than_the_terminal(width, encoding):
    lines = printed(GATE, width, encoding).splitlines()
    assert max(map(len, lines)) <= width
    if width >= 60:
        assert lines[-1] == last_line(GATE)
        assert [line for line in lines if line.endswith("BELOW FLOOR")]
    assert lines[0].startswith("FAIL: faithfulness")


def test_markdown_begins_with_its_marker_and_tells_all():
    text = gate_markdown(GATE, baseline="main", candidate="pull")
    lines = text.splitlines()
    assert lines[0] == MARKER == "<!-- acidtest:gate -->"
    assert "## acidtest gate: FAIL" in lines
    assert "| `faithfulness` | 0.930 | 0.870 | -0.060 | - | - | limit 0.900, drop 0.030 | " in text
    assert "**To decide: gains that have a price**" in text
    assert "The golden sets differ." in text
    assert "$" not in text


def test_junit_has_a_test_for_each_metric():
    assert faults_of(gate_junit(GATE, created="2026-01-02T03:04:05Z")) == []
    root = ET.fromstring(gate_junit(GATE, created="2026-01-02T03:04:05Z").encode())  # noqa: S314
    suite = root.find("testsuite")
    assert suite is not None
    counts = {kind: suite.get(kind) for kind in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "5", "failures": "2", "errors": "1", "skipped": "0"}
    assert {kind: root.get(kind) for kind in counts} == {**counts, "skipped": None}
    assert suite.get("timestamp") == "2026-01-02T03:04:05"
    tests = {test.get("name"): test for test in suite.findall("testcase")}
    assert list(tests) == list(METRICS)
    failure = tests["faithfulness"].find("failure")
    assert failure.get("type") == "below-floor"
    assert failure.get("message") == GATE.reasons[0]
    assert tests["cost_usd"].find("failure").get("message") == "cost_usd rose."
    assert tests["mrr[faq].p10"].find("error").get("type") == "inconclusive"
    assert tests["recall@5"].find("failure") is None
    # The order that the schemas of build servers want.
    assert [child.tag for child in suite] == ["properties", *["testcase"] * 5, "system-out"]


def test_a_metric_that_nothing_was_scored_of_is_skipped():
    gate = Gate(result="pass", mode="strict", metrics={"mrr": Gated()})
    assert faults_of(gate_junit(gate)) == []
    root = ET.fromstring(gate_junit(gate).encode())  # noqa: S314 - our own output
    assert root.find("testsuite").get("skipped") == "1"


def test_hostile_names_and_reasons_do_nothing():
    nasty = "<script>alert(1)</script> | `x` \x1b[31m\x00 ]]> @someone [a](http://b) \u202eevil"
    gate = Gate(
        result="fail",
        mode="strict",
        metrics={nasty: Gated(baseline=1.0, candidate=0.1, delta=-0.9, flag="REGRESSION")},
        reasons=(nasty,),
        trades=(nasty,),
        notes=(nasty,),
    )
    text = gate_markdown(gate, baseline=nasty, candidate=nasty)
    assert "<script" not in text
    assert not re.search(r"(?<!\w)@someone(?!\u2060)", text.replace("&#64;", ""))
    for shown in (text, gate_junit(gate, baseline=nasty, candidate=nasty), printed(gate)):
        for harm in ("\x1b", "\x00", "\u202e"):
            assert harm not in shown
    ET.fromstring(gate_junit(gate, baseline=nasty).encode())  # noqa: S314 - our own output


def test_long_markdown_is_cut_to_what_a_comment_may_have():
    metrics = {f"metric{n}": Gated(baseline=0.5, candidate=0.5, delta=0.0) for n in range(2000)}
    text = gate_markdown(Gate(result="pass", mode="strict", metrics=metrics))
    assert len(text.encode()) <= 60_000
    assert text.endswith("Shortened; the JSON has the rest.\n")


def test_limits_stand_where_there_is_room():
    assert "limit 0.900, drop 0.030 BELOW FLOOR" in printed(GATE, 110)
    assert "limits" not in printed(GATE, 80)


@pytest.mark.parametrize("width", [50, 80, 110])
def test_without_a_baseline_nothing_has_changed(width):
    metrics = {"faithfulness": Gated(candidate=0.4, floor=0.9, flag="BELOW FLOOR")}
    alone = Gate(result="fail", mode="strict", metrics=metrics)
    file = io.StringIO()
    print_gate(alone, Console(file=file, width=width), candidate="pull")
    told = " ".join(file.getvalue().split())
    assert "metric value limits flag faithfulness 0.400 limit 0.900 BELOW FLOOR" in told
    assert " - " not in told
