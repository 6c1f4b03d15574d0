"""Whoever reads an error learns how to mend it: each that bad input meets is raised with a fix."""

import ast
from pathlib import Path

import acidtest

SOURCE = Path(acidtest.__file__).parent
NEED_ONE = {"UsageError", "BadConfig", "BadGolden", "BadData", "DataError", "Incomparable"}

# Where the sentence says what to do itself, as on the server's pages, or hands on what says it.
SAY_IT_THEMSELVES = {
    "pytest_plugin/ending.py",
    "pytest_plugin/share.py",
    "run/plan.py",
    "server/pages/digest.py",
    "server/pages/trace.py",
    "server/trace_forms.py",
}


def without_fix(path: Path) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
        and node.exc.func.id in NEED_ONE
        and not {"fix", None} & {keyword.arg for keyword in node.exc.keywords}
    ]


def test_each_error_of_bad_input_says_how_to_mend_it():
    found = {
        f"{name}:{line}"
        for path in SOURCE.rglob("*.py")
        if (name := path.relative_to(SOURCE).as_posix()) not in SAY_IT_THEMSELVES
        for line in without_fix(path)
    }
    assert not found
