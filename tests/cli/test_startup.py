"""What a run imports: an identical second one, all verdicts kept, wakes nothing that it does not use."""

import json
import subprocess
import sys

import pytest

ASLEEP = {
    "an HTTP client": ("aiohttp",),
    "migrations": ("alembic", "mako"),
    "pages": ("jinja2", "acidtest.report.html"),
    "comparisons": ("acidtest.comparison.side_by_side", "acidtest.report.compare_terminal"),
    "other files": ("yaml", "polars", "pyarrow"),
    "other pipelines": ("acidtest.pipelines.http", "acidtest.pipelines.command"),
    "other judges": (
        "acidtest.judges.local.judge",
        "acidtest.judges.nli.judge",
        "acidtest.judges.openai_http",
    ),
    "other metrics": (
        "acidtest.metrics.generation.faithfulness",
        "acidtest.metrics.end_to_end.exact_match",
    ),
}

OURS = """
def ask(question):
    return {"answer": "It costs 49 euros.", "retrieved": [{"id": "a", "text": "It costs 49 euros."}]}

def judge(text):
    return '{"why": "it names the price", "verdict": "complete"}'
"""

RUN = """
import json, sys
from acidtest.cli import main
try:
    main()
finally:
    json.dump(sorted(sys.modules), open("modules.json", "w"))
"""


@pytest.fixture
def loaded(tmp_path):
    case = {"id": "1", "question": "What does it cost?", "reference": "49", "relevant": ["a"]}
    (tmp_path / "golden.jsonl").write_text(json.dumps(case))
    (tmp_path / "ours.py").write_text(OURS)

    def run(*options):
        words = ["run", "ours.py:ask", "--golden", "golden.jsonl", "--judge", "ours.py:judge"]
        command = [sys.executable, "-c", RUN, *words, "-m", "fast", "-m", "answer_relevance"]
        done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stderr, set(json.loads((tmp_path / "modules.json").read_text()))

    return run


def test_an_identical_second_run_imports_only_what_it_uses(loaded):
    _, first = loaded()
    assert "alembic" in first  # it made the store
    told, second = loaded()
    assert "1 cached" in told
    assert "acidtest.metrics.generation.answer_relevance" in second
    awake = {what: found for what, names in ASLEEP.items() if (found := second & set(names))}
    assert awake == {}


def test_what_is_asked_for_is_imported(loaded):
    _, modules = loaded("--html", "report.html", "-m", "exact_match")
    assert {"jinja2", "acidtest.report.html", "acidtest.metrics.end_to_end.exact_match"} <= modules
