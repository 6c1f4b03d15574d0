"""Whatever a file holds, reading it ends in a corpus or in an error that says what is wrong."""

import contextlib
import importlib.util
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import acidtest as at
from acidtest.corpus.documents.html import read_html
from acidtest.corpus.documents.markdown import read_markdown
from acidtest.corpus.documents.pdf import read_pdf
from acidtest.corpus.names import ELSE, FIELDS
from acidtest.errors import AcidtestError, BadData

spec = importlib.util.spec_from_file_location("pdfs", Path(__file__).with_name("pdfs.py"))
pdfs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pdfs)

NAMES = [name for table in (FIELDS, ELSE) for names in table.values() for name in names]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=3
)
ROW = st.dictionaries(st.sampled_from(NAMES) | st.text(), VALUES, max_size=5)
WHOLE = pdfs.pdf("First.", "Second.")


@settings(max_examples=50)
@given(st.lists(ROW, max_size=3))
def test_any_rows(rows):
    with contextlib.suppress(BadData):
        corpus = at.load_corpus(rows)
        assert len(corpus.by_id) == len(corpus)
        assert all(chunk.text.strip() for chunk in corpus)


@given(st.integers(0, len(WHOLE)), st.binary(max_size=30), st.integers(0, 30))
def test_a_damaged_pdf(tmp_path_factory, at_byte, patch, cut):
    file = tmp_path_factory.mktemp("pdf") / "a.pdf"
    file.write_bytes(WHOLE[:at_byte] + patch + WHOLE[at_byte + cut :])
    with contextlib.suppress(BadData):
        page = read_pdf(file, limit=1_000_000)
        assert [h.start for h in page.headings] == sorted(h.start for h in page.headings)


@given(
    st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode(errors="replace"))
)
def test_any_bytes_as_a_document(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("docs")
    for name, read in (("a.html", read_html), ("a.md", read_markdown)):
        (folder / name).write_bytes(content)
        with contextlib.suppress(BadData):
            read(folder / name, limit=1_000_000)
    with contextlib.suppress(AcidtestError):
        for chunk in (corpus := at.load_corpus(folder)):
            assert corpus.documents[chunk.doc_id][chunk.start : chunk.end] == chunk.text
