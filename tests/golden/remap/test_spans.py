"""344 real spans after re-chunking, as the benchmark measures it."""

import importlib.util
import sys
from pathlib import Path

import pytest

from acidtest.data.corpus import Corpus
from acidtest.golden.remap.carry import carry

BENCHMARK = Path(__file__).resolve().parents[3] / "benchmarks" / "remap.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("remap_benchmark", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture(scope="module")
def data(bench, shared):
    texts, wanted = bench.load(shared / "data" / "chunk_spans")
    assert len(wanted) == 344
    return texts, wanted, bench.golden(texts, wanted)


@pytest.mark.parametrize(
    ("cut", "edit", "least"),
    [
        ("200 characters", "none", 0.99),
        ("500 characters, 100 shared", "none", 0.99),
        ("each sentence", "none", 0.99),
        ("three sentences, one shared", "white space", 0.99),
        ("each sentence", "typography", 0.99),
        ("500 characters, 100 shared", "3 % of words", 0.97),
        ("each sentence", "3 % of words", 0.97),
        ("200 characters", "3 % of letters", 0.97),
    ],
)
def test_labels_are_right(bench, data, cut, edit, least):
    texts, wanted, before = data
    made = bench.Cut(texts, bench.EDITS[edit], bench.CUTS[cut])
    found = carry(before, Corpus(made.chunks))
    shares = made.judge(wanted, found)
    assert shares["right"] >= least
    assert shares["wrong"] <= 1 - least
    assert len(found.golden) == len(before)


def test_the_same_chunks_keep_every_label(bench, data):
    texts, _, before = data
    made = bench.Cut(texts, bench.unchanged, bench.by_size(bench.OLD))
    chunks = [
        type(each)(id=each.id.replace("/", ":"), text=each.text, doc_id=each.doc_id)
        for each in made.chunks
    ]
    found = carry(before, Corpus(chunks))
    assert [case.relevant for case in found.golden] == [case.relevant for case in before]
    assert set(found.states.values()) == {"kept"}


@pytest.mark.parametrize("placed", [True, False])
def test_renamed_documents_beside_copies(bench, data, placed):
    texts, wanted, before = data
    made = bench.Cut(texts, bench.unchanged, bench.by_size(500), placed=placed)
    copy = bench.Cut(texts, bench.unchanged, bench.by_size(500), named=lambda doc: f"copy-{doc}")
    found = carry(before, Corpus([*copy.chunks, *made.chunks]))
    assert made.judge(wanted, found)["right"] >= 0.99
