"""JUnit XML: one suite a run, with a test for each threshold and one for each case.

A threshold that is missed is a failure, one that could not be read (nothing scored, or too little of
what applies) an error. A case fails nothing by itself, or the build would be red while every threshold
holds: its verdict stands in its output, and only a case that the pipeline failed is an error.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence

from acidtest.data.outcomes import Score
from acidtest.data.readings import Scorecard, Threshold
from acidtest.data.runs import CaseResult, Run
from acidtest.report.clean import clean, clip, one_line
from acidtest.report.figures import score

_LONGEST = 8_000
# XML 1.0 has no place for these, not even as references.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_report(
    runs: Sequence[Run],
    scorecards: Sequence[Scorecard],
    thresholds: Sequence[Iterable[Threshold]] = (),
) -> str:
    """Return runs as JUnit XML.

    Args:
        runs: The runs, with diagnoses.
        scorecards: One a run, in the same order; their verdict counts are properties of the suite.
        thresholds: For each run, the floors that it was held to.
    """
    root = ET.Element("testsuites", name="acidtest")
    held = [thresholds[n] if n < len(thresholds) else () for n in range(len(runs))]
    suites = [_suite(*parts) for parts in zip(runs, scorecards, held, strict=True)]
    # The form that Jenkins checks against, and others copy, has no `skipped` here.
    for kind in ("tests", "failures", "errors"):
        root.set(kind, str(sum(int(suite.get(kind, "0")) for suite in suites)))
    root.extend(suites)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(run: Run, card: Scorecard, thresholds: Iterable[Threshold]) -> ET.Element:
    name = f"acidtest.{attribute(run.name, 200)}"
    suite = ET.Element(
        "testsuite", name=name, timestamp=attribute(run.info.created.rstrip("Z"), 40)
    )
    properties = ET.SubElement(suite, "properties")
    for key, value in _properties(run, card).items():
        ET.SubElement(properties, "property", name=key, value=value)
    tests = [_threshold(name, threshold) for threshold in thresholds]
    tests += [_case(name, case) for case in run.cases]
    suite.extend(tests)
    suite.set("tests", str(len(tests)))
    suite.set("failures", str(sum(test.find("failure") is not None for test in tests)))
    suite.set("errors", str(sum(test.find("error") is not None for test in tests)))
    suite.set("skipped", "0")
    suite.set("time", f"{sum(float(test.get('time', '0')) for test in tests):.3f}")
    return suite


def _properties(run: Run, card: Scorecard) -> dict[str, str]:
    info = run.info
    known = {
        "run": info.id,
        "mode": info.mode,
        "golden": info.golden.version,
        "judge": info.judge.model if info.judge else "",
        "commit": info.commit.sha if info.commit else "",
    }
    means = {name: score(s.mean) for name, s in run.metrics.items() if s.mean is not None}
    verdicts = {f"verdict: {verdict}": str(n) for verdict, n in card.verdicts.items()}
    found = known | means | verdicts
    return {attribute(key, 200): attribute(value, 200) for key, value in found.items() if value}


def _threshold(suite: str, held: Threshold) -> ET.Element:
    lower = held.direction == "lower"
    title = attribute(f"{held.metric} {'<=' if lower else '>='} {held.floor:g}", 200)
    test = ET.Element("testcase", classname=f"{suite}.thresholds", name=title, time="0")
    if held.passed is None:
        message = "nothing was scored, or too little of what applies"
        ET.SubElement(test, "error", type="inconclusive", message=message)
    elif not held.passed:
        side = "above" if lower else "below"
        message = attribute(f"{score(held.value, 4)} ({held.on}) is {side} {held.floor:g}", 300)
        ET.SubElement(test, "failure", type="threshold", message=message)
    return test


def _case(suite: str, case: CaseResult) -> ET.Element:
    total = case.latency_ms.total if case.latency_ms else None
    seconds = f"{total / 1000:.3f}" if total is not None and total >= 0 else "0"
    test = ET.Element(
        "testcase", classname=f"{suite}.cases", name=attribute(case.id, 300), time=seconds
    )
    if case.failure is not None:
        error = ET.SubElement(
            test, "error", type="pipeline", message=attribute(case.failure.why, 1_000)
        )
        error.text = block(case.failure.detail or "")
    ET.SubElement(test, "system-out").text = block(_told(case))
    return test


def _told(case: CaseResult) -> str:
    diagnosis = case.diagnosis
    lines = [f"question: {one_line(case.question)}"]
    if diagnosis is not None:
        why = f" ({one_line(diagnosis.why)})" if diagnosis.why else ""
        lines.append(f"verdict: {one_line(diagnosis.verdict)}{why}")
    for name, outcome in case.scores.items():
        if isinstance(outcome, Score):
            reason = f" {one_line(outcome.reason)}" if outcome.reason else ""
            lines.append(f"{one_line(name)}: {score(outcome.value)}{reason}")
        else:
            kind = type(outcome).__name__.lower()
            lines.append(f"{one_line(name)}: {kind}: {one_line(outcome.why)}")
    return "\n".join(lines)


def attribute(text: str, limit: int) -> str:
    """Return a text on one line that XML can hold."""
    return clip(_FORBIDDEN.sub("", one_line(text)), limit)


def block(text: str) -> str:
    """Return a text that XML can hold, its lines kept."""
    return clip(_FORBIDDEN.sub("", clean(text)), _LONGEST)
