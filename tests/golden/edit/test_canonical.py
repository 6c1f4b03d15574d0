"""The one form: it says the same, and is a fixed point."""

from hypothesis import given, settings
from tests.golden.edit.sets import CASES

import acidtest as at
from acidtest.golden.edit.canonical import canonical_lines
from acidtest.golden.load import load_golden
from acidtest.golden.version import version_of


def test_fields_in_order_keys_sorted_lists_as_they_are():
    rows = [
        {
            "metadata": {"z": [{"b": 1, "a": 2}], "a": None},
            "tags": ["y", "x"],
            "relevant": {"c9": 3, "c1": 0},
            "question": "Q?",
            "id": "a",
        }
    ]
    assert canonical_lines(load_golden(rows)) == (
        b'{"id":"a","question":"Q?","relevant":{"c9":3,"c1":0},"tags":["y","x"],'
        b'"metadata":{"a":null,"z":[{"a":2,"b":1}]}}\n'
    )


def test_an_answer_that_sounds_like_none_stays_an_answer(tmp_path):
    rows = [
        {
            "id": "a",
            "question": "404?",
            "reference": "Not found",
            "answerable": True,
            "relevant": ["c"],
        }
    ]
    golden = load_golden(rows)
    path = tmp_path / "g.jsonl"
    at.save_golden(golden, path)
    assert list(at.load_golden(path)) == list(golden)
    assert b'"reference":"Not found","relevant":{"c":1},"answerable":true}' in path.read_bytes()


@settings(max_examples=60)
@given(CASES)
def test_it_reads_back_the_same_and_is_a_fixed_point(cases):
    import tempfile
    from pathlib import Path

    lines = canonical_lines(cases)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "g.jsonl")
        path.write_bytes(lines)
        read = load_golden(path) if cases else ()
    assert version_of(read) == version_of(cases)
    assert canonical_lines(read) == lines
    assert lines.count(b"\n") == len(cases)
