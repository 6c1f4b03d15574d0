"""Running text from chunks: shared ends once, gaps closed, every chunk in its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.golden.locate.stretches import documents_of, join, stretches_of

TEXT = "The Pro plan costs 49 euros a month. Refunds are paid within 14 days. Ask us by mail at any time."


def cut(size, overlap=0, *, placed=False, text=TEXT):
    return [
        CorpusChunk(
            id=f"c{at}",
            text=text[at : at + size],
            doc_id="d",
            start=at if placed else None,
        )
        for at in range(0, len(text), size - overlap)
    ]


@pytest.mark.parametrize("placed", [True, False])
@pytest.mark.parametrize(("size", "overlap"), [(30, 10), (40, 20), (50, 9)])
def test_overlapping_chunks_give_the_text_back(size, overlap, placed):
    stretch = join(0, "d", cut(size, overlap, placed=placed))
    assert stretch.text == TEXT
    assert all(stretch.text[each.start : each.end] == each.chunk.text for each in stretch.placed)


def test_chunks_that_say_their_place_are_joined_within_a_word():
    assert join(0, "d", cut(7, placed=True)).text == TEXT


def test_chunks_are_put_in_the_order_that_they_say():
    assert join(0, "d", cut(30, 10, placed=True)[::-1]).text == TEXT


def test_a_small_chunk_lies_inside_its_large_one():
    text = (
        f"{TEXT} All of this is said here once more, in other words, for who reads on to the end."
    )
    large = CorpusChunk(id="large", text=text, doc_id="d")
    small = CorpusChunk(id="small", text=text[20:140], doc_id="d")
    stretch = join(0, "d", [large, small])
    assert stretch.text == text
    assert [each.start for each in stretch.placed] == [0, 20]


def test_a_short_chunk_that_repeats_words_follows():
    chunks = [
        CorpusChunk(id=str(n), text=text, doc_id="d")
        for n, text in enumerate(["Yes, it is free.", "it is free."])
    ]
    assert join(0, "d", chunks).text == "Yes, it is free.\nit is free."


def test_offsets_that_the_texts_deny_are_not_believed():
    chunks = [
        CorpusChunk(id="a", text="One sentence.", doc_id="d", start=0),
        CorpusChunk(id="b", text="Another one.", doc_id="d", start=5),
        CorpusChunk(id="c", text="Far away.", doc_id="d", start=10**15),
    ]
    assert join(0, "d", chunks).text == "One sentence.\nAnother one.\nFar away."


def test_chunks_without_a_document_are_one_stretch():
    corpus = Corpus(
        [
            CorpusChunk(id="a", text="Alpha."),
            CorpusChunk(id="b", text="Beta.", doc_id="d"),
            CorpusChunk(id="c", text="Gamma."),
        ]
    )
    assert [(each.doc_id, each.text) for each in stretches_of(corpus)] == [
        ("d", "Beta."),
        (None, "Alpha.\nGamma."),
    ]


def test_documents_are_whole_where_their_text_is_known():
    corpus = Corpus(
        [CorpusChunk(id="a", text="Beta.", doc_id="d"), CorpusChunk(id="b", text="X", doc_id="e")],
        documents={"d": "Alpha. Beta. Gamma."},
    )
    assert [each.text for each in documents_of(corpus)] == ["Alpha. Beta. Gamma.", "X"]


def test_repetitive_chunks_take_no_square_of_time():
    long = "ab" * 300_000
    stretch = join(
        0,
        "d",
        [
            CorpusChunk(id="a", text=long, doc_id="d"),
            CorpusChunk(id="b", text="ab" * 1_000 + "x" * 300_000, doc_id="d"),
        ],
    )
    assert stretch.text.startswith(long)


@given(st.lists(st.text(max_size=30), min_size=1, max_size=12), st.booleans())
def test_every_chunk_stands_where_it_is_said_to(texts, placed):
    chunks = [
        CorpusChunk(id=str(n), text=text, doc_id="d", start=7 * n if placed else None)
        for n, text in enumerate(texts)
    ]
    stretch = join(0, "d", chunks)
    assert sorted(each.chunk.id for each in stretch.placed) == sorted(each.id for each in chunks)
    for each in stretch.placed:
        assert stretch.text[each.start : each.end] == each.chunk.text
    for start in range(0, len(stretch.text), 5):
        touching = {each.chunk.id for each in stretch.touching(start, start + 3)}
        assert touching == {
            each.chunk.id for each in stretch.placed if each.start < start + 3 and each.end > start
        }
