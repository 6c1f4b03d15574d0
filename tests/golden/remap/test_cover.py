"""The fewest chunks that hold a range: quotes whole, long texts but for crumbs, copies once."""

import pytest

from acidtest.data.corpus import CorpusChunk
from acidtest.golden.locate.stretches import join
from acidtest.golden.remap.cover import cover

TEXT = (
    "The Pro plan costs 49 euros a month and is billed in advance. Refunds are paid within 14 days of "
    "the request. Support answers on weekdays. Yes. Data is stored in Frankfurt and in Dublin for safety."
)


def stretch(*ranges, text=TEXT):
    chunks = [
        CorpusChunk(id=f"c{n}", text=text[start:end], doc_id="d", start=start)
        for n, (start, end) in enumerate(ranges)
    ]
    return join(0, "d", chunks)


def ids(found):
    return [each.id for each in found.chosen]


def span(quote, text=TEXT):
    return text.index(quote), text.index(quote) + len(quote)


def test_one_chunk_that_holds_all():
    found = cover(stretch((0, 100), (100, 197)), *span("Refunds are paid"))
    assert (ids(found), found.alternatives, found.share) == (["c0"], (), 1.0)


def test_every_chunk_that_a_quote_lies_in():
    found = cover(stretch((0, 70), (70, 90), (90, 197)), *span("Refunds are paid within 14 days"))
    assert ids(found) == ["c0", "c1", "c2"]


def test_signs_alone_do_not_count():
    start, end = span("of the request.")
    assert ids(cover(stretch((0, end - 1), (end - 1, 197)), start, end)) == ["c0"]


def test_of_two_that_hold_it_the_one_with_it_in_its_middle():
    found = cover(stretch((0, 100), (50, 150), (80, 197)), *span("paid within"))
    assert ids(found) == ["c1"]
    assert found.alternatives == ("c0",)


def test_the_small_one_rather_than_the_whole_document():
    found = cover(stretch((0, 197), (60, 110)), *span("Refunds are paid"))
    assert ids(found) == ["c1"]
    assert found.alternatives == ("c0",)


def test_an_old_id_that_holds_it_stays():
    found = cover(stretch((0, 100), (50, 150)), *span("paid within"), prefer={"c0"})
    assert ids(found) == ["c0"]


def test_no_more_chunks_than_needed():
    ranges = [(at, at + 60) for at in range(0, 197, 20)]
    start, end = 5, 175
    found = cover(stretch(*ranges), start, end)
    assert len(found.chosen) == 3
    assert found.share == pytest.approx(1.0)
    assert len(found.alternatives) > 0


LONG = " ".join(f"Sentence number {n} says something of its own." for n in range(40))


def test_crumbs_of_a_long_text_do_not_count():
    start, end = LONG.index("Sentence number 3 "), LONG.index("Sentence number 31 ")
    cut = end - 20  # within the last sentence
    assert ids(cover(stretch((0, cut), (cut, len(LONG)), text=LONG), start, end)) == ["c0"]


def test_a_whole_sentence_of_a_long_text_does():
    start, end = LONG.index("Sentence number 3 "), LONG.index("Sentence number 31 ")
    cut = LONG.index("Sentence number 30 ")
    assert ids(cover(stretch((0, cut), (cut, len(LONG)), text=LONG), start, end)) == ["c0", "c1"]


def test_a_chunk_with_nothing_but_evidence_does():
    start, end = LONG.index("Sentence number 3 "), LONG.index("Sentence number 31 ")
    cut = end - 20
    pieces = stretch((0, cut), (cut, end - 1), (end - 1, len(LONG)), text=LONG)
    assert ids(cover(pieces, start, end)) == ["c0", "c1"]


def test_the_share_that_is_a_crumb_can_be_set():
    start, end = LONG.index("Sentence number 3 "), LONG.index("Sentence number 31 ")
    cut = end - 20
    pieces = stretch((0, cut), (cut, len(LONG)), text=LONG)
    assert ids(cover(pieces, start, end, least_share=0)) == ["c0", "c1"]
