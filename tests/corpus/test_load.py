import gzip
import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import acidtest as at
from acidtest.corpus.version import document_version
from acidtest.data.corpus import CorpusChunk
from acidtest.errors import BadData, MissingExtra

PRO = {"id": "p1", "text": "Pro costs €49.", "doc_id": "pricing"}


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_chunk_file(tmp_path):
    file = written(
        tmp_path / "c.jsonl",
        PRO | {"doc_version": "v7", "start": 0, "end": 14, "title": "Prices", "section": "Pro"},
    )
    corpus = at.load_corpus(file)
    assert list(corpus) == [
        CorpusChunk(
            id="p1",
            text="Pro costs €49.",
            doc_id="pricing",
            doc_version="v7",
            start=0,
            end=14,
            title="Prices",
            section="Pro",
        )
    ]
    assert corpus.path == str(file)


@pytest.mark.parametrize(
    "row",
    [
        {"chunk_id": "c", "content": "t", "document_id": "d", "version": "v"},
        {"_id": "c", "page_content": "t", "source": "d", "doc_version": "v"},
        {"id": "c", "page_content": "t", "metadata": {"source": "d", "version": "v"}},
        {"node_id": "c", "text": "t", "ref_doc_id": "d", "Doc Version": "v"},
        {"id": "c", "text": "t", "docId": "d", "doc_version": "v", "embedding": [0.1, 0.2]},
    ],
)
def test_names_that_other_systems_give(row):
    (chunk,) = at.load_corpus([row])
    assert (chunk.id, chunk.text, chunk.doc_id, chunk.doc_version) == ("c", "t", "d", "v")


def test_the_document_outranks_the_source():
    (chunk,) = at.load_corpus([PRO | {"source": "crawl", "lang": "en"}])
    assert chunk.doc_id == "pricing"
    assert chunk.metadata == {"source": "crawl", "lang": "en"}


def test_beir_documents_are_chunks_and_a_bare_title_is_its_text():
    rows = [
        {"_id": "1", "title": "T", "text": "x", "metadata": {}},
        {"_id": "2", "title": "U", "text": ""},
    ]
    assert [(c.id, c.text, c.title) for c in at.load_corpus(rows)] == [
        ("1", "x", "T"),
        ("2", "U", "U"),
    ]


def test_blank_chunks_are_left_out_and_told(tmp_path):
    corpus = at.load_corpus(written(tmp_path / "c.jsonl", PRO, {"id": "b", "text": " \n"}))
    assert [c.id for c in corpus] == ["p1"]
    assert corpus.notes == (f"left out, since they have no text: {tmp_path}/c.jsonl:2",)


def test_whole_documents_are_named_by_the_document():
    (chunk,) = at.load_corpus([{"doc_id": "d", "text": "x"}])
    assert (chunk.id, chunk.doc_id) == ("d", "d")


def test_places():
    rows = [
        {"id": 1, "text": "abc", "span": [4, 7]},
        {"id": 2, "text": "abc", "metadata": {"start_index": 9}},
        {"id": 3, "text": "abc", "metadata": {"start_index": -1}},
    ]
    assert [(c.id, c.start, c.end) for c in at.load_corpus(rows)] == [
        ("1", 4, 7),
        ("2", 9, 12),
        ("3", None, None),
    ]


def test_tables(tmp_path):
    file = tmp_path / "c.csv"
    file.write_bytes(
        b'\xef\xbb\xbfid;text;doc_id;start;metadata\r\n1;"two\nlines";d;5;"{""a"": 1}"\r\n2;x;;;\r\n'
    )
    first, second = at.load_corpus(str(file))
    assert (first.id, first.text, first.start, first.metadata) == ("1", "two\nlines", 5, {"a": 1})
    assert (second.doc_id, second.doc_version) == (None, None)


def test_parquet_frames_and_nulls(tmp_path):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {"id": ["a", "b"], "text": ["x", "y"], "doc_id": ["d", None], "start": [1.0, None]}
    )
    frame.write_parquet(tmp_path / "c.parquet")
    for source in (tmp_path / "c.parquet", frame):
        corpus = at.load_corpus(source)
        assert [(c.id, c.doc_id, c.start) for c in corpus] == [("a", "d", 1), ("b", None, None)]
    frame[:, ["id", "doc_id"]].write_parquet(tmp_path / "bad.parquet")
    with pytest.raises(BadData, match=r"bad.parquet: row 1: the chunk has no text"):
        at.load_corpus(tmp_path / "bad.parquet")


def test_chunks_in_memory():
    corpus = at.load_corpus([at.Chunk(id="a", text="x", rank=3, score=0.5, span=(0, 1)), PRO])
    assert corpus[0] == CorpusChunk(id="a", text="x", start=0, end=1)
    assert at.load_corpus(corpus) is corpus
    assert [c.id for c in at.load_corpus(corpus[:])] == ["a", "p1"]


def test_gzip(tmp_path):
    file = tmp_path / "c.jsonl.gz"
    file.write_bytes(gzip.compress(json.dumps(PRO).encode()))
    assert len(at.load_corpus(file)) == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([PRO, PRO | {"text": "y"}], r":2: the id 'p1' is already that of .*c.jsonl:1"),
        ([{"id": "a", "text": " "}], r"no chunk of the corpus has text"),
        ([{"id": "a", "text": 3}], r":1: field 'text': must be text, not the number 3"),
        (
            [{"text": "x", "chunk_index": 3}],
            r":1: the chunk has no id: its fields are 'text', 'chunk_index'",
        ),
        ([{"id": "a", "txt": "x"}], r":1: the chunk has no text: .* `text`.*page_content"),
        (
            [{"id": "a", "chunk_id": "b", "text": "x"}],
            r":1: 'id' and 'chunk_id' mean the same field",
        ),
        ([PRO | {"start": 5, "end": 2}], r":1: field 'start': starts at 5 and ends before"),
        ([PRO | {"start": "a"}], r":1: field 'start': must be a whole number"),
        ([PRO | {"span": [2]}], r":1: field 'span': a span is two whole numbers"),
        ([PRO | {"title": 4}], r":1: field 'title': must be text"),
        ([PRO | {"metadata": "x"}], r":1: field 'metadata': must be a mapping"),
        ([{"id": "a", "text": "x" * 1_000_001}], r"has 1,000,001 characters, over 1,000,000"),
        ([], r"the file is empty"),
        ([["a", "x"]], r"a row must be a mapping"),
    ],
)
def test_what_is_no_corpus_is_told_with_its_place(tmp_path, rows, message):
    with pytest.raises(BadData, match=message):
        at.load_corpus(written(tmp_path / "c.jsonl", *rows))


@pytest.mark.parametrize("source", [3, {"id": "a"}, [3], [], b"x", None])
def test_what_no_corpus_can_be_read_from(source):
    with pytest.raises(BadData):
        at.load_corpus(source)


def test_a_text_of_another_encoding(tmp_path):
    (tmp_path / "c.jsonl").write_bytes(b'{"id": "a", "text": "caf\xe9"}\n')
    with pytest.raises(BadData, match=r"c.jsonl:1: not UTF-8"):
        at.load_corpus(tmp_path / "c.jsonl")


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr("acidtest.codec.rows.lines.MAX_LINE", 1_000_000)
    with gzip.open(tmp_path / "c.jsonl.gz", "wb") as stream:
        stream.write(b'{"id": "a", "text": "' + b"x" * 5_000_000)
    with pytest.raises(BadData, match="line is longer than"):
        at.load_corpus(tmp_path / "c.jsonl.gz")


def test_versions_that_the_file_gives_win():
    rows = [
        {"id": 1, "text": "x", "doc_id": "a"},
        {"id": 2, "text": "y", "doc_id": "b", "doc_version": "7"},
        {"id": 3, "text": "z", "doc_id": "b"},
        {"id": 4, "text": "z"},
    ]
    versions = [chunk.doc_version for chunk in at.load_corpus(rows)]
    assert versions == [document_version("x"), "7", None, None]


TEXT = st.text(alphabet="ab é\n\t.", min_size=1)


@given(TEXT, st.data())
def test_the_version_does_not_depend_on_how_a_document_was_cut(text, data):
    places = st.integers(0, len(text))
    cuts = sorted({0, *data.draw(st.lists(places, max_size=5)), len(text)})
    overlap = data.draw(st.integers(0, 4))
    spans = [(max(0, a - overlap), b) for a, b in itertools.pairwise(cuts)]
    rows = [
        {"id": str(n), "text": text[a:b], "doc_id": "d", "start": a, "end": b}
        for n, (a, b) in enumerate(spans)
        if text[a:b].strip()
    ]
    if rows:
        assert at.load_corpus(rows)[0].doc_version == document_version(text)


def test_white_space_and_composition_make_no_new_version():
    assert document_version("cafe\u0301 au\r\nlait ") == document_version("café au lait")
    assert document_version("a") != document_version("b")


def test_frames_without_polars(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "polars", None)

    class Frame:
        def __arrow_c_stream__(self, requested=None):
            raise AssertionError

    with pytest.raises(MissingExtra, match=r"acidtest\[tables\]"):
        at.load_corpus(Frame())
