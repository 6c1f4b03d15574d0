"""The embedder `local`, on the real package."""

import asyncio
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

if find_spec("wordllama") is None:  # no wheel for this Python
    pytest.skip("wordllama is not installed", allow_module_level=True)

from acidtest.data.outcomes import Score, Skip
from acidtest.errors import BadConfig, MissingExtra, OutsideError
from acidtest.judges import local_embed
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.local_embed import LocalEmbedder
from acidtest.metrics.end_to_end.semantic_similarity import semantic_similarity
from acidtest.metrics.generation.answer_relevancy import answer_relevancy
from acidtest.metrics.vectors import embedded, nearness

TEXTS = [
    "Returns are free.",
    "日本語の文章",
    "ẞ ﬁ 🙂",
    "a",
    "The Pro plan costs €49/month. " * 50,
    "word " * 300,
]


@pytest.fixture(scope="module")
def embedder():
    return LocalEmbedder()


async def test_vectors_are_those_of_the_package_itself(embedder):
    from wordllama import WordLlama

    theirs = WordLlama.load(
        cache_dir=Path(find_spec("wordllama").origin).parent, disable_download=True
    ).embed(TEXTS)
    ours = np.array(await embedder.embed(TEXTS))
    assert ours.shape == (len(TEXTS), 256)
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


async def test_a_text_has_one_vector_in_any_company(embedder):
    together = await embedder.embed(TEXTS)
    assert together == [(await embedder.embed([text]))[0] for text in TEXTS]
    assert await embedder.embed(TEXTS[::-1]) == together[::-1]
    assert await embedder.embed([]) == []


async def test_what_means_the_same_is_nearer_than_what_does_not(embedder):
    free, nothing, price, open_, closed = await embedded(
        embedder,
        [
            "Returns are free of charge.",
            "Sending items back costs nothing.",
            "The capital of France is Paris.",
            "The shop is open on Sundays.",
            "The shop is closed on Sundays.",
        ],
    )
    assert nearness(free, nothing) > nearness(free, price) + 0.1
    assert nearness(open_, closed) > 0.8  # it knows no truth


async def test_no_token_is_no_direction_and_the_metrics_say_so(embedder):
    (zero,) = await embedder.embed([""])
    assert not any(zero)
    with pytest.raises(OutsideError, match="zero"):
        await embedded(embedder, ["", "a"])


@pytest.mark.parametrize(
    "text",
    ["\ud800", "\0", "\u202e\u200b", "{{x}} %s", "x" * 50_000, "🙂" * 30_000, "İ" * 50_000],
    ids=range(7),
)
async def test_hostile_texts_have_finite_vectors(embedder, text):
    (vector,) = await embedded(embedder, [text])
    assert np.isfinite(vector).all()


async def test_a_long_text_is_read_piece_by_piece_to_its_end(embedder):
    long = "red green blue " * 4_000
    (near, whole, other) = await embedded(
        embedder, ["red green blue", long, long + "Paris in France " * 4_000]
    )
    assert nearness(near, whole) > 0.98
    assert nearness(near, other) < nearness(near, whole) - 0.05
    assert "".join(local_embed._pieces(long)) == long
    assert max(map(len, local_embed._pieces(long + "x" * 50_000))) <= local_embed._PIECE


async def test_similarity_needs_no_key(embedder):
    same = await semantic_similarity("Returns are free.", "Returns are free.", embedder)
    near = await semantic_similarity(
        "Sending items back costs nothing.", "Returns are free.", embedder
    )
    assert isinstance(near, Score)
    assert 0 < near.value < same.value == 1.0


async def test_relevancy_needs_a_judge_that_writes(embedder):
    outcome = await answer_relevancy(
        "Are returns free?", "Returns are free.", LocalJudge(), embedder
    )
    assert isinstance(outcome, Skip)
    assert "cannot judge" in outcome.why


async def test_the_loop_is_free_while_it_works(embedder):
    task = asyncio.create_task(embedder.embed(["word " * 100_000]))
    turns = 0
    while not task.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 1
    assert len(await task) == 1


def test_a_missing_package_is_told_with_the_command(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"'wordllama'.*pip install 'acidtest\[local\]'"):
        LocalEmbedder()


@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_damaged_vectors_are_told(monkeypatch, tmp_path, damage):
    real = Path(find_spec("wordllama").origin).parent
    for name in ("weights", "tokenizers"):
        shutil.copytree(real / name, tmp_path / name)
    weights = next((tmp_path / "weights").iterdir())
    if damage == "gone":
        weights.unlink()
    else:
        weights.write_bytes(weights.read_bytes()[:1000])
    monkeypatch.setattr(local_embed, "folder", lambda module, extra: tmp_path)
    with pytest.raises(BadConfig, match="no vectors that can be read"):
        LocalEmbedder()


def test_it_leaves_logging_and_the_network_alone():
    program = (
        "import logging, sys\n"
        "def heard(event, given):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo'): raise OSError(event)\n"
        "sys.addaudithook(heard)\n"
        "from acidtest.judges.local_embed import LocalEmbedder\n"
        "LocalEmbedder()\n"
        "assert logging.getLogger().handlers == []\n"
        "assert 'wordllama' not in sys.modules and 'requests' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
