"""A trace file of two conversations, as LangSmith exports them."""

import json

import pytest

T1, T2 = "r-0001-returns", "r-0002-shipping"


def runs() -> list[dict]:
    root = {"run_type": "chain", "name": "ask"}
    when = {"start_time": "2026-11-01T10:00:00", "end_time": "2026-11-01T10:00:02"}
    return [
        {
            "id": T1,
            "trace_id": T1,
            **root,
            **when,
            "inputs": {"question": "Who pays for a return?"},
            "outputs": {"answer": "The customer."},
            "extra": {"metadata": {"session_id": "s-1", "user_id": "anna@mail.example"}},
            "tags": ["returns"],
        },
        {
            "id": "r-0001-find",
            "trace_id": T1,
            "parent_run_id": T1,
            "run_type": "retriever",
            "name": "find",
            **when,
            "inputs": {"query": "return"},
            "outputs": {
                "documents": [
                    {"page_content": "We pay for faulty goods.", "metadata": {"id": "returns#1"}},
                    {"page_content": "Others are paid by you.", "metadata": {"id": "returns#2"}},
                ]
            },
        },
        {
            "id": T2,
            "trace_id": T2,
            **root,
            "start_time": "2026-11-03T10:00:00",
            "end_time": "2026-11-03T10:00:01",
            "error": "timeout",
            "inputs": {"question": "How long is shipping? Mail bob@mail.example"},
        },
    ]


@pytest.fixture
def exported(folder):
    (folder / "runs.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs()))
    return folder


@pytest.fixture
def imported(exported, cli):
    assert cli("traces", "import", "runs.jsonl").status == 0
    return exported
