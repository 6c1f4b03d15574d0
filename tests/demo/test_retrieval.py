"""Words, BM25 and reranking: what each stage can see."""

import pytest

from acidtest.demo.corpus import Passage
from acidtest.demo.rerank import rarity, rerank, share
from acidtest.demo.search import Index
from acidtest.demo.words import stem, stems, words


def passage(name: str, text: str, heading: str = "") -> Passage:
    return Passage(name, "docs/x", "", heading, text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("declined", "declines"),
        ("retrieval", "retrieval"),
        ("query", "queries"),
        ("judge", "judges"),
    ],
)
def test_forms_of_a_word_meet(one, other):
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["recall@5", "e4031", "is", "ids"])
def test_short_words_and_identifiers_are_left_whole(word):
    assert stem(word) == word


def test_identifiers_stay_whole_and_give_their_parts_too():
    assert words("Set `timeout_s` or recall@5.") == ["set", "timeout_s", "or", "recall@5"]
    assert stems("the timeout_s") == ["timeout_s", "timeout"]


def test_search_ranks_by_words_and_gives_nothing_for_unknown_ones():
    index = Index(
        [passage("a", "cats sleep"), passage("b", "dogs bark at cats"), passage("c", "fish")],
        lambda p: p.text,
        words,
    )
    assert [p.id for p, _ in index.search("cats", 5)] == ["a", "b"]
    assert index.search("zebra", 5) == []


def test_equal_scores_come_in_the_order_of_the_corpus():
    index = Index([passage(n, "same text") for n in "dacb"], lambda p: p.text, words)
    assert [p.id for p, _ in index.search("same", 3)] == ["d", "a", "c"]


def test_reranking_prefers_heading_and_near_words_over_a_small_lead_of_bm25():
    far = passage("far", "exit " + "filler words here " * 20 + "status", "Other")
    near = passage("near", "the exit status is two", "Exit status")
    ranked = rerank("exit status", [(far, 2.0), (near, 1.8)], rarity([far, near]))
    assert [p.id for p, _ in ranked] == ["near", "far"]


def test_reranking_keeps_every_candidate_once():
    found = [(passage(n, f"word {n}"), 1.0) for n in "abc"]
    assert {p.id for p, _ in rerank("word b", found, {})} == {"a", "b", "c"}
    assert rerank("word", [], {}) == []


def test_share_counts_rare_words_more_and_unknown_ones_most():
    weigh = {"common": 1.0, "rare": 3.0}
    assert share(["common", "rare"], {"rare"}, weigh) == 0.75
    assert share(["common", "unknown"], {"common"}, weigh) == 0.25
    assert share([], {"x"}, weigh) == 0.0
