"""Embeddings over real sockets on this machine."""

import pytest

from acidtest.errors import JudgeError
from acidtest.judges import openai_embed
from acidtest.judges.backend import Throttled, Unreachable
from acidtest.judges.openai_embed import OpenAIEmbedder


def vectors(asked, stub, order=1):
    texts = asked.json["input"]
    data = [{"index": i, "embedding": [float(len(text)), 1]} for i, text in enumerate(texts)]
    return stub.says({"data": data[::order], "usage": {"prompt_tokens": len(texts)}})


@pytest.fixture
async def embed(stub):
    async def call(script, texts):
        async with stub.serving(script) as endpoint:
            embedder = OpenAIEmbedder("e", api_key="k", base_url=f"{endpoint.origin}/v1")
            try:
                return await embedder.embed(texts), endpoint.asked, embedder
            finally:
                await embedder.aclose()

    return call


async def test_in_batches_and_in_order(stub, embed, monkeypatch):
    monkeypatch.setattr(openai_embed, "BATCH_TEXTS", 3)
    texts = ["a" * n for n in range(1, 8)]
    got, asked, embedder = await embed(lambda a: vectors(a, stub, order=-1), texts)
    assert got == [[float(n), 1.0] for n in range(1, 8)]
    assert [len(a.json["input"]) for a in asked] == [3, 3, 1]
    assert asked[0].path == "/v1/embeddings"
    assert asked[0].json["encoding_format"] == "float"
    assert embedder.input_tokens == 7


async def test_long_texts_make_small_batches(stub, embed, monkeypatch):
    monkeypatch.setattr(openai_embed, "BATCH_CHARACTERS", 10)
    _, asked, _ = await embed(lambda a: vectors(a, stub), ["x" * 6, "x" * 6, "x" * 50, "x"])
    assert [len(a.json["input"]) for a in asked] == [1, 1, 1, 1]


async def test_no_texts_cost_no_call(stub, embed):
    got, asked, _ = await embed(stub.says({}), [])
    assert (got, asked) == ([], [])


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"data": [{"index": 0, "embedding": [1.0]}]}, Unreachable),
        ({"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [2]}]}, Unreachable),
        ({"data": [{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}]}, JudgeError),
        ({"data": [{"embedding": [1.0]}, {"embedding": ["x"]}]}, JudgeError),
        ({"data": [{"embedding": [1.0]}, {"embedding": [None]}]}, JudgeError),
        ({}, Unreachable),
    ],
)
async def test_what_are_no_embeddings(stub, embed, said, kind):
    with pytest.raises(JudgeError) as raised:
        await embed(stub.says(said), ["a", "b"])
    assert type(raised.value) is kind


async def test_too_many(stub, embed):
    with pytest.raises(Throttled):
        await embed(stub.says({}, 429), ["a"])
