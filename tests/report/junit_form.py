"""The form that consumers of JUnit XML agree on: what we write must stay within it."""

import re
import xml.etree.ElementTree as ET

COUNTS = {"tests", "failures", "errors"}
FORM: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": ({"name", *COUNTS}, set(), {"testsuite"}),
    "testsuite": (
        {"name", "timestamp", "skipped", "time", *COUNTS},
        {"name", *COUNTS},
        {"properties", "testcase", "system-out"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, {"name", "value"}, set()),
    "testcase": (
        {"name", "classname", "time"},
        {"name", "classname"},
        {"failure", "error", "skipped", "system-out"},
    ),
    "failure": ({"type", "message"}, {"type"}, set()),
    "error": ({"type", "message"}, {"type"}, set()),
    "skipped": ({"message"}, set(), set()),
    "system-out": (set(), set(), set()),
}
"""Of each element: the attributes that it may have, those that it must have, and its children."""

NUMBERS = {"tests": r"\d+", "failures": r"\d+", "errors": r"\d+", "skipped": r"\d+"}
NUMBERS["time"] = r"\d+(\.\d{1,3})?"
STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"


def faults_of(text: str) -> list[str]:
    """Return what in a document is outside the form."""
    root = ET.fromstring(text.encode())  # noqa: S314 - our own output
    faults = [] if root.tag == "testsuites" else [f"the root is {root.tag}"]
    for element in root.iter():
        may, must, children = FORM[element.tag]
        given = set(element.attrib)
        faults += [f"{element.tag} has {name}" for name in given - may]
        faults += [f"{element.tag} lacks {name}" for name in must - given]
        faults += [f"{element.tag} holds {one.tag}" for one in element if one.tag not in children]
        for name, value in element.attrib.items():
            form = NUMBERS.get(name, STAMP if name == "timestamp" else ".*")
            if not re.fullmatch(form, value, re.DOTALL):
                faults.append(f"{element.tag} {name}={value!r}")
    for suite in root.iter("testsuite"):
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            if int(suite.get(name, "0")) != len(suite.findall(f"testcase/{tag}")):
                faults.append(f"{name} does not count")
        if int(suite.get("tests", "0")) != len(suite.findall("testcase")):
            faults.append("tests does not count")
    return faults
