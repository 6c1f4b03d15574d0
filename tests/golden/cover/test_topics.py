import random

import numpy as np
import pytest

import acidtest as at
from acidtest.golden.cover.clusters import centres_of, nearest
from acidtest.golden.cover.topics import Topics, how_many
from acidtest.golden.cover.wordlists import Vocabulary, counted

SUBJECTS = {
    "refunds": "refund money returned parcel warehouse invoice",
    "login": "password account reset email verification locked",
    "weather": "rain sunshine temperature forecast storm clouds",
}


def corpus(per_subject=12):
    rng = random.Random(7)
    rows = []
    for subject, words in SUBJECTS.items():
        for n in range(per_subject):
            text = " ".join(rng.choices(words.split(), k=12))
            rows.append({"id": f"{subject}-{n}", "text": text, "doc_id": subject})
    rng.shuffle(rows)
    return at.load_corpus(rows)


def test_subjects_that_share_no_words_are_told_apart():
    chunks = corpus()
    topics = Topics(chunks, 3)
    found = {(chunk.doc_id, topics.of[chunk.id]) for chunk in chunks}
    assert len(found) == 3
    for subject, number in found:
        assert set(topics.names[number]) <= set(SUBJECTS[subject].split())
        assert topics.likeness[number] > 0.5
    assert topics.of_text("I forgot my password, is my account locked?") == topics.of["login-0"]
    assert topics.of_text("Xyzzy?") is None


def test_the_same_chunks_give_the_same_topics():
    one, other = Topics(corpus()), Topics(corpus())
    assert (one.of, one.names, one.likeness) == (other.of, other.names, other.likeness)


def test_a_large_corpus_is_grouped_by_a_sample(monkeypatch):
    monkeypatch.setattr("acidtest.golden.cover.topics._SAMPLE", 60)
    monkeypatch.setattr("acidtest.golden.cover.topics._BATCH", 7)
    chunks = corpus(40)
    topics = Topics(chunks, 3)
    assert len(topics.of) == len(chunks)
    assert len({(chunk.doc_id, topics.of[chunk.id]) for chunk in chunks}) == 3


@pytest.mark.parametrize(
    "texts", [["same words here"] * 30, ["!"] * 30, [f"w{n}ord" for n in range(30)], ["a b"] * 3]
)
def test_chunks_that_have_nothing_to_tell_apart(texts):
    rows = [{"id": str(n), "text": text} for n, text in enumerate(texts)]
    topics = Topics(at.load_corpus(rows))
    assert len(topics) <= 1
    assert topics.of_text("same words") is None or len(topics) == 1
    assert all(np.isfinite(topics.likeness))


def test_weights_worked_by_hand():
    # Four texts; "b" is in two, "a" in three of four, which is over half: only b tells apart.
    texts = [counted(text) for text in ("aa bb bb", "aa bb", "aa", "cc")]
    vocabulary = Vocabulary(texts)
    assert vocabulary.words == ("bb",)
    assert vocabulary.rows(texts).tolist() == [[1.0], [1.0], [0.0], [0.0]]


def test_nearest_centre_and_none():
    rows = np.eye(3, dtype=np.float32)
    centres = centres_of(rows[:2], 2)
    label, cosine = nearest(rows, centres)
    assert sorted(label[:2].tolist()) == [0, 1]
    assert label[2] == -1
    assert cosine.tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(("chunks", "topics"), [(10, 2), (200, 10), (1_000_000, 24)])
def test_how_many_topics(chunks, topics):
    assert how_many(chunks) == topics
