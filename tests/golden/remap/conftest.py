"""Small corpora, and golden sets on them."""

import pytest

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case, GoldenSet
from acidtest.golden.version import version_of


@pytest.fixture(scope="session")
def chunked():
    """Make a corpus of documents that are lists of chunk texts; ids are `doc/prefix` and a number."""

    def make(documents, prefix="", **more):
        return Corpus(
            [
                CorpusChunk(id=f"{doc}/{prefix}{n}", text=text, doc_id=doc, **more)
                for doc, texts in documents.items()
                for n, text in enumerate(texts)
            ]
        )

    return make


@pytest.fixture(scope="session")
def set_of():
    def make(*cases):
        made = [
            each if isinstance(each, Case) else Case(id=f"q{n}", question=f"Question {n}?", **each)
            for n, each in enumerate(cases)
        ]
        return GoldenSet(made, version=version_of(made))

    return make
