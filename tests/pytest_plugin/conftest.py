"""A small project under test, and pytest inside pytest."""

from collections.abc import Callable

import pytest

GOLDEN = """\
{"id": "pro", "question": "What does Pro cost?", "reference": "€49", "relevant": ["pricing#2"], "tags": ["price"]}
{"id": "refund", "question": "When are refunds paid?", "reference": "14 days", "relevant": ["refunds#0"]}
"""

PIPELINE = """\
import pathlib

FILE = pathlib.Path(__file__).with_name("asked.txt")
CHUNKS = {"pricing#2": "Pro costs €49.", "refunds#0": "Refunds are paid within 14 days."}


def ask(question):
    with open(FILE, "a") as stream:
        stream.write(question + "\\n")
    return {"answer": "Pro costs €49.", "retrieved": [{"id": c, "text": t} for c, t in CHUNKS.items()]}


def turned(question):
    found = ask(question)
    return found | {"retrieved": found["retrieved"][::-1]}
"""

CONFIG = """\
golden = "golden.jsonl"
[pipelines.rag]
python = "my_rag.py:ask"
[metrics]
fast = ["recall@1", "mrr"]
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with a pipeline, its golden set and acidtest.toml."""
    # Only our plugin, by name: a test of it must not hang on what else is installed.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for name, text in (
        ("golden.jsonl", GOLDEN),
        ("my_rag.py", PIPELINE),
        ("acidtest.toml", CONFIG),
    ):
        (pytester.path / name).write_text(text, encoding="utf-8")
    return pytester


@pytest.fixture
def session(project: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the tests of the project with the plugin; warnings are errors there, too."""

    def run(*args: str) -> pytest.RunResult:
        return project.runpytest_subprocess("-p", "acidtest.pytest_plugin", "-W", "error", *args)

    return run


@pytest.fixture
def asked(project: pytest.Pytester) -> Callable[[], list[str]]:
    """What the pipeline was asked."""

    def read() -> list[str]:
        file = project.path / "asked.txt"
        return sorted(file.read_text(encoding="utf-8").splitlines()) if file.exists() else []

    return read
