from pathlib import Path

import pytest

import acidtest as at
from acidtest.errors import AcidtestError, BadConfig, BadData, UnknownName
from acidtest.project.config import load_config
from acidtest.project.corpora import corpus_for

CODE = """
def rows():
    return [{"id": "a", "text": "x"}]

def lazily(n=1):
    yield {"id": "b", "text": "y"}

def file():
    return "chunks.jsonl"

def broken():
    raise ValueError("no index")

def breaks_later(n=1):
    yield {"id": "a", "text": "x"}
    raise ValueError("lost the index")

def number():
    return 3

def nothing():
    return None
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "my_chunks.py").write_text(CODE)
    (tmp_path / "chunks.jsonl").write_text('{"id": "c", "text": "z"}\n')
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("One sentence here. " * 20)
    (tmp_path / "docs" / "b.txt").write_text("Text.")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ids(corpus):
    return [chunk.id for chunk in corpus]


def configured(project, text):
    (project / "acidtest.toml").write_text(text)
    return load_config(project / "acidtest.toml")


@pytest.mark.parametrize(
    ("address", "expected"),
    [("my_chunks:rows", "a"), ("my_chunks.py:lazily", "b"), ("my_chunks:file", "c")],
)
def test_a_function_gives_the_chunks(project, address, expected):
    assert ids(at.load_corpus(address)) == [expected]


def test_a_function_itself():
    assert ids(at.load_corpus(lambda: [{"id": "a", "text": "x"}])) == ["a"]


@pytest.mark.parametrize(
    ("address", "kind", "message"),
    [
        ("my_chunks:broken", BadConfig, r"my_chunks.py.*ValueError: no index"),
        ("my_chunks:breaks_later", BadConfig, r"my_chunks.py.*ValueError: lost the index"),
        ("my_chunks:number", BadData, "cannot be read from the number 3"),
        ("my_chunks:nothing", BadData, "cannot be read from null"),
        ("my_chunks:row", UnknownName, "Did you mean 'rows'"),
        ("my_chunk:rows", BadConfig, "Did you mean 'my_chunks'"),
        ("missing.jsonl", BadData, "no such file"),
        ("", BadData, "the path of the corpus is empty"),
    ],
)
def test_what_goes_wrong_is_told(project, address, kind, message):
    with pytest.raises(kind, match=message):
        at.load_corpus(address)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('corpus = "chunks.jsonl"', ["c"]),
        ('corpus = "my_chunks:rows"', ["a"]),
        ('[corpus]\npython = "my_chunks:rows"', ["a"]),
        ('[corpus]\npath = "docs"\nexclude = ["*.md"]', ["b.txt#1"]),
        ('[corpus]\npath = "docs"\nchunk_size = 200\nexclude = ["*.txt"]', ["a.md#1", "a.md#2"]),
    ],
)
def test_the_configured_corpus(project, monkeypatch, text, expected):
    config = configured(project, text)
    monkeypatch.chdir(Path("/"))
    assert ids(corpus_for(None, config)) == expected


def test_the_option_outranks_the_file_and_keeps_its_sizes(project):
    config = configured(project, '[corpus]\npath = "chunks.jsonl"\nexclude = ["*.md"]')
    assert ids(corpus_for("docs", config)) == ["b.txt#1"]


def test_no_corpus_at_all(project):
    assert corpus_for(None, configured(project, "")) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[corpus]\npath = "a"\npython = "b:c"', r"\[corpus\]: has path and python"),
        ("[corpus]\nchunk_size = 3", r"\[corpus\]: chunk_size is 3"),
        ("[corpus]\noverlap = 900", r"\[corpus\]: overlap is 900"),
        ("[corpus]\nchunksize = 3", r"\[corpus\]: unknown key 'chunksize'.*'chunk_size'"),
        ("corpus = 3", "corpus"),
    ],
)
def test_a_configuration_that_cannot_be(project, text, message):
    with pytest.raises(AcidtestError, match=message):
        configured(project, text)
