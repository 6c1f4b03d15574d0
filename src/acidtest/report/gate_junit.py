"""A gate as JUnit XML: one suite, one test for each gated metric.

A flag is a failure; a metric that cannot be decided is an error of type `inconclusive`, so that no
consumer shows it green.
"""

import xml.etree.ElementTree as ET

from acidtest.data.gate import Gate, Gated
from acidtest.report.gate_rows import headline, reasons_of, rows
from acidtest.report.junit import attribute, block

SUITE = "acidtest.gate"


def gate_junit(gate: Gate, *, baseline: str = "", candidate: str = "", created: str = "") -> str:
    """Return a gate as JUnit XML.

    Args:
        gate: The decision.
        baseline: What the baseline is called; empty where there is none.
        candidate: What the candidate is called.
        created: When the candidate was made, ISO 8601.
    """
    tests = [_test(gate, name, entry) for name, entry in gate.metrics.items()]
    totals = {
        "tests": str(len(tests)),
        "failures": str(sum(test.find("failure") is not None for test in tests)),
        "errors": str(sum(test.find("error") is not None for test in tests)),
    }
    skipped = str(sum(test.find("skipped") is not None for test in tests))
    root = ET.Element("testsuites", {"name": "acidtest", **totals})
    stamp = {"timestamp": attribute(created.rstrip("Z"), 40)} if created else {}
    counts = {**totals, "skipped": skipped, "time": "0"}
    suite = ET.SubElement(root, "testsuite", {"name": SUITE, **stamp, **counts})
    properties = ET.SubElement(suite, "properties")
    known = {"result": gate.result, "mode": gate.mode, "baseline": baseline, "candidate": candidate}
    for key, value in known.items():
        if value:
            ET.SubElement(properties, "property", name=key, value=attribute(value, 300))
    suite.extend(tests)
    told = [headline(gate), *gate.reasons, *gate.trades, *gate.notes]
    ET.SubElement(suite, "system-out").text = block("\n".join(told))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _test(gate: Gate, name: str, entry: Gated) -> ET.Element:
    test = ET.Element("testcase", classname=SUITE, name=attribute(name, 300), time="0")
    why = reasons_of(gate).get(name, "")
    if entry.flag:
        kind = entry.flag.lower().replace(" ", "-")
        ET.SubElement(test, "failure", type=kind, message=attribute(why or entry.flag, 1_000))
    elif entry.open:
        ET.SubElement(test, "error", type="inconclusive", message=attribute(why, 1_000))
    elif entry.candidate is None:
        ET.SubElement(test, "skipped", message="nothing was scored")
    row = next(row for row in rows(gate) if row.name == name)
    figures = f"{row.baseline} to {row.candidate} ({row.change}), 95% CI {row.ci}, p {row.p}"
    ET.SubElement(test, "system-out").text = block(f"{figures}\n{row.limit}".strip())
    return test
