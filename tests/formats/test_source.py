"""Hostile and broken files, whatever format they are said to be: an error with its place, or rows."""

import contextlib
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.errors import AcidtestError, DataError
from acidtest.formats.registry import FORMATS, format_named, guess
from acidtest.formats.source import Source
from acidtest.project.convert import read_format

READ = [name for name in FORMATS if format_named(name).read is not None]
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                (
                    *(
                        "input",
                        "inputs",
                        "output",
                        "outputs",
                        "question",
                        "user_input",
                        "vars",
                        "tests",
                    ),
                    *(
                        "results",
                        "turns",
                        "scenario",
                        "metadata",
                        "scores",
                        "testCases",
                        "metricsData",
                    ),
                    *(
                        "contexts",
                        "context",
                        "type",
                        "role",
                        "content",
                        "value",
                        "name",
                        "score",
                        "id",
                    ),
                    *(
                        "attributes.input.value",
                        "attributes.retrieval.documents",
                        "namedScores",
                        "assert",
                    ),
                    *("expectedOutput", "gradingResult", "componentResults", "response", "error"),
                    *(
                        "query_id",
                        "query",
                        "passage",
                        "generated_answer",
                        "truth",
                        "answer",
                        "messages",
                    ),
                )
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def tried(path, name):
    """Read a file, which may fail with an error of ours that names it, and nothing else."""
    said = str(path)
    with contextlib.suppress(AcidtestError):
        try:
            read_format(path, name)
        except AcidtestError as error:
            said = str(error)
            raise
    assert str(path) in said


@pytest.mark.parametrize("name", READ)
@settings(max_examples=40)
@given(document=JSON)
def test_any_json_reads_or_is_refused(name, document, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    rows = document if isinstance(document, list) else [document]
    (folder / "d.json").write_text(json.dumps(document))
    (folder / "d.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for file in ("d.json", "d.jsonl"):
        tried(folder / file, name)


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize(
    ("content", "file"),
    [
        (b"", "e.jsonl"),
        (b"\xff\xfe{\x00", "u.json"),
        (b'{"question": "caf\xe9"}', "l.jsonl"),
        (b'question\r\n"open', "q.csv"),
        (b"a,b\n1\n", "short.csv"),
        (b"[" * 5000, "deep.json"),
        (b"question: [", "y.yaml"),
        (b"&a [*a]", "self.yaml"),
        (b"PAR1", "p.parquet"),
        (b"x", "odd.xyz"),
    ],
)
def test_broken_files_are_refused(name, content, file, tmp_path):
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_format(path, name)
    assert file in str(caught.value)


@pytest.mark.parametrize("name", READ)
def test_a_missing_file_and_a_folder_are_refused(name, tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(DataError):
            read_format(path, name)


def test_a_huge_cell_is_read_in_linear_time(tmp_path):
    path = tmp_path / "big.csv"
    path.write_text(f'user_input,response\nWhere?,"{"[" * 900_000}"\n')
    start = time.perf_counter()
    found = read_format(path)
    assert time.perf_counter() - start < 5
    assert len(found.answers[0].text or "") == 900_000


def test_an_answer_beyond_the_limit_is_refused(tmp_path):
    path = tmp_path / "big.jsonl"
    path.write_text(json.dumps({"user_input": "Q?", "response": "x" * 1_000_001}))
    with pytest.raises(DataError, match="over 1,000,000"):
        read_format(path)


@pytest.mark.parametrize(
    ("rows", "formats"),
    [
        ([{"input": "Q?", "expected_output": "A."}], {"acidtest", "deepeval", "langfuse"}),
        ([{"question": "Q?", "expected_answer": "A."}], {"acidtest", "ragas"}),
    ],
)
def test_what_may_be_several_formats_is_asked_for(rows, formats, tmp_path):
    path = tmp_path / "r.json"
    path.write_text(json.dumps(rows))
    with pytest.raises(DataError, match="may be any of the formats") as caught:
        guess(Source(path))
    named = str(caught.value).partition("formats ")[2].partition(".")[0]
    assert set(named.split(", ")) == formats
    assert str(caught.value.fix).startswith("Say which, such as --from ")


def test_an_unknown_file_lists_the_formats(tmp_path):
    path = tmp_path / "r.json"
    path.write_text('[{"x": 1}]')
    with pytest.raises(DataError, match="no format that is known") as caught:
        guess(Source(path))
    assert "ragas, " in str(caught.value.fix)


def test_every_format_says_what_it_is():
    for name in FORMATS:
        form = format_named(name)
        assert form.name == name
        assert form.read or form.write
        assert bool(form.write) == bool(form.endings)
