"""JUnit XML: floors fail the build, cases carry their verdicts, and nothing makes the XML invalid."""

import xml.etree.ElementTree as ET

from tests.report.junit_form import faults_of

from acidtest.data.readings import Scorecard, Threshold
from acidtest.data.runs import Run
from acidtest.report.junit import junit_report

BELOW = Threshold(metric="recall@5", floor=0.9, value=0.812, passed=False, on="mean")
HELD = Threshold(metric="mrr", floor=0.5, value=0.731, passed=True, on="mean")
OPEN = Threshold(metric="answer_relevance", floor=0.8, value=None, passed=None, on="mean")
HIGH = Threshold(
    metric="grounding_leak", floor=0.01, value=0.05, passed=False, on="mean", direction="lower"
)


def parsed(text):
    return ET.fromstring(text.encode())  # noqa: S314 - our own output


def test_floors_are_tests_that_pass_fail_or_are_in_error(run, card):
    suite = parsed(junit_report([run], [card], [[BELOW, HELD, OPEN, HIGH]])).find("testsuite")
    tests = {t.get("name"): t for t in suite if t.get("classname", "").endswith(".thresholds")}
    assert tests["recall@5 >= 0.9"].find("failure").get("message") == "0.8120 (mean) is below 0.9"
    assert list(tests["mrr >= 0.5"]) == []
    assert tests["answer_relevance >= 0.8"].find("error").get("type") == "inconclusive"
    assert (
        tests["grounding_leak <= 0.01"].find("failure").get("message")
        == "0.0500 (mean) is above 0.01"
    )


def test_the_counts_add_up(run, card):
    root = parsed(junit_report([run, run], [card, card], [[BELOW], [HELD]]))
    suites = root.findall("testsuite")
    assert [s.get("tests") for s in suites] == ["5", "5"]
    assert [s.get("failures") for s in suites] == ["1", "0"]
    assert [s.get("errors") for s in suites] == ["1", "1"]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("10", "1", "2")
    assert all(len(s.findall("testcase")) == 5 for s in suites)


def test_a_case_that_is_not_ok_fails_nothing_but_tells_its_verdict(run, card):
    suite = parsed(junit_report([run], [card])).find("testsuite")
    cases = {t.get("name"): t for t in suite.findall("testcase")}
    bad = cases["warranty-battery"]
    assert bad.find("failure") is None
    assert "verdict: good context but unfaithful" in bad.findtext("system-out")
    assert "answer_relevance: skip: the judge cannot" in bad.findtext("system-out")
    assert bad.get("time") == "0.824"


def test_a_case_that_the_pipeline_failed_is_an_error_with_its_traceback(run, card):
    suite = parsed(junit_report([run], [card])).find("testsuite")
    error = suite.find("testcase[@name='boom']/error")
    assert error.get("message") == "TimeoutError: no answer within 120 s"
    assert error.text.startswith("Traceback")


def test_hostile_text_leaves_valid_xml(nasty_run, nasty_card):
    nasty = Threshold(metric=nasty_run.name, floor=0.5, value=0.1, passed=False, on=nasty_run.name)
    text = junit_report([nasty_run], [nasty_card], [[nasty]])
    root = parsed(text)
    assert "<script>alert(1)</script> ]]> {{ 7 * 7 }}" in root.find(".//system-out").text
    assert len(root.findall(".//testcase")) == 3
    for harm in ("\x1b", "\x00", "\x08", "\u202e"):
        assert harm not in text


def test_a_run_without_cases_is_an_empty_suite(run):
    root = parsed(junit_report([Run(info=run.info)], [Scorecard()]))
    assert root.find("testsuite").get("tests") == "0"


def test_it_is_of_the_form_that_consumers_check(run, card, nasty_run, nasty_card):
    text = junit_report([run, nasty_run], [card, nasty_card], [[BELOW, HELD, OPEN, HIGH], []])
    assert faults_of(text) == []
    assert faults_of(junit_report([Run(info=run.info)], [Scorecard()])) == []


def test_the_form_would_show_what_is_outside_of_it(run, card):
    text = junit_report([run], [card], [[BELOW]])
    for wrong, told in (
        (text.replace("<testsuites ", '<testsuites skipped="0" ', 1), "testsuites has skipped"),
        (text.replace('tests="5"', 'tests="6"'), "tests does not count"),
        (text.replace('type="threshold" ', "", 1), "failure lacks type"),
    ):
        assert wrong != text
        assert told in faults_of(wrong)
