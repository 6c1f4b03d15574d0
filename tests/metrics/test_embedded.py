"""Metrics by embeddings alone: semantic_similarity and semantic_recall, and the nearness they share."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.answers import Chunk
from acidtest.data.golden import Evidence
from acidtest.data.outcomes import Score
from acidtest.errors import OutsideError
from acidtest.metrics.end_to_end.semantic_similarity import semantic_similarity
from acidtest.metrics.registry import find
from acidtest.metrics.text.semantic_recall import semantic_recall
from acidtest.metrics.vectors import embedded, nearness


class Table:
    """An embedder that looks vectors up."""

    def __init__(self, **vectors):
        self.vectors = vectors
        self.calls = []

    async def embed(self, texts):
        self.calls.append(list(texts))
        return [self.vectors[text] for text in texts]


EMBEDDER = {"east": (1, 0), "north": (0, 2), "west": (-3, 0), "between": (3, 4), "far": (0.0, 0.0)}

numbers = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6)
directions = st.lists(numbers, min_size=3, max_size=3).filter(any)


@given(directions, directions)
async def test_nearness_is_a_clamped_cosine(one, other):
    a, b = await embedded(Table(a=one, b=other), ["a", "b"])
    assert nearness(a, a) == 1.0
    assert nearness(a, b) == nearness(b, a)
    dot = sum(x * y for x, y in zip(one, other, strict=True))
    expected = max(0.0, dot / math.hypot(*one) / math.hypot(*other))
    assert nearness(a, b) == pytest.approx(expected, abs=1e-9)


async def test_a_text_is_embedded_once():
    embedder = Table(**EMBEDDER)
    vectors = await embedded(embedder, ["east", "north", "east"])
    assert embedder.calls == [["east", "north"]]
    assert nearness(vectors[0], vectors[2]) == 1.0


@pytest.mark.parametrize(
    ("text", "reference", "value"),
    [
        ("east", "east", 1.0),
        ("east", "north", 0.0),
        ("east", "west", 0.0),
        ("between", "east", 0.6),
        ("north", "between", 0.8),
    ],
)
async def test_semantic_similarity(text, reference, value):
    score = await semantic_similarity(text, reference, Table(**EMBEDDER))
    assert score.value == pytest.approx(value)


async def test_equal_pairs_are_equal():
    first = await semantic_similarity("between", "east", Table(**EMBEDDER))
    assert first == await semantic_similarity("between", "east", Table(**EMBEDDER))


async def test_a_zero_vector_is_a_failure_of_the_embedder():
    with pytest.raises(OutsideError, match="zero"):
        await semantic_similarity("far", "east", Table(**EMBEDDER))


@pytest.mark.parametrize(
    ("text", "reference", "outcome"),
    [
        ("east", " ", "the reference is empty"),
        ("east", "NOT_IN_CORPUS", "the reference declines: it states nothing"),
        ("", "east", 0.0),
        ("I don't know.", "east", 0.0),
    ],
)
async def test_similarity_of_degenerate_input_embeds_nothing(text, reference, outcome):
    nobody = Table()
    got = await semantic_similarity(text, reference, nobody)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


async def test_semantic_recall_is_the_mean_of_the_best_matches():
    chunks = (Chunk(text="east"), Chunk(text="between"), Chunk(text=" "), Chunk(text="east"))
    evidence = (Evidence(text="east", chunk_id="e"), Evidence(text="north", chunk_id="n"))
    embedder = Table(**EMBEDDER)
    score = await semantic_recall(chunks, evidence, embedder)
    assert score.value == pytest.approx((1 + 0.8) / 2)
    assert [(e["chunk_id"], e["rank"]) for e in score.evidence] == [("e", 1), ("n", 2)]
    assert embedder.calls == [["east", "north", "between"]]


@pytest.mark.parametrize(
    ("chunks", "evidence", "outcome"),
    [
        ((), (Evidence(text="east"),), 0.0),
        ((Chunk(text=""),), (Evidence(text="east"),), 0.0),
        ((Chunk(id="a"),), (Evidence(text="east"),), "the retrieved chunks came without text"),
        ((Chunk(text="east"),), (), "the case has no evidence text"),
        ((Chunk(text="east"),), (Evidence(text=" "),), "the case has no evidence text"),
    ],
)
async def test_recall_of_degenerate_input_embeds_nothing(chunks, evidence, outcome):
    nobody = Table()
    got = await semantic_recall(chunks, evidence, nobody)
    assert nobody.calls == []
    assert (got.value if isinstance(got, Score) else got.why) == outcome


def test_what_they_cost():
    for name in ("semantic_similarity", "semantic_recall"):
        assert find(name).metric.cost == "embedding"
        assert not find(name).metric.unanswerable
