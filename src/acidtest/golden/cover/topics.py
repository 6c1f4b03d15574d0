"""Topics: groups of chunks that share words, found without any model.

What this can tell is limited: two groups may be one subject in other words, and a group may be held
together by a way of writing. Each topic says how like its chunks are. A large corpus is grouped by a sample
of it, and the rest goes to the nearest group.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.golden.cover.clusters import Labels, centres_of, nearest
from acidtest.golden.cover.wordlists import Rows, Vocabulary, counted

LEAST_CHUNKS = 10
"""A corpus with fewer chunks has no topics: its documents and sections say more."""

MOST_TOPICS = 24
_SAMPLE = 3_000
_BATCH = 4_000
_WORDS = 4


class Topics:
    """The topics of a corpus.

    Args:
        corpus: The chunks.
        k: How many topics; by default half of the root of twice the chunks, at most `MOST_TOPICS`.

    Attributes:
        of: Chunk id -> topic number; chunks without a word in common with others are missing.
        names: The words that tell each topic from the rest, the best first.
        likeness: The mean cosine of each topic's chunks to its centre.
    """

    def __init__(self, corpus: Corpus, k: int | None = None) -> None:
        self.of: dict[str, int] = {}
        self.names: tuple[tuple[str, ...], ...] = ()
        self.likeness: tuple[float, ...] = ()
        self._centres: Rows = np.zeros((0, 0), dtype=np.float32)
        if len(corpus) < LEAST_CHUNKS:
            return
        texts = [counted(_said(chunk)) for chunk in corpus]
        places = np.unique(np.linspace(0, len(texts) - 1, min(_SAMPLE, len(texts))).astype(int))
        self._vocabulary = Vocabulary([texts[at] for at in places])
        sample = self._vocabulary.rows(texts[at] for at in places)
        self._centres = centres_of(sample, k or how_many(len(corpus)))
        self._settle(corpus, texts, sample)

    def __len__(self) -> int:
        return len(self.names)

    def of_text(self, text: str) -> int | None:
        """Return the topic whose words a text shares most; None when it shares none."""
        if not len(self):
            return None
        label, _ = nearest(self._vocabulary.rows([counted(text)]), self._centres)
        return int(label[0]) if label[0] >= 0 else None

    def of_chunks(self, ids: Sequence[str]) -> int | None:
        """Return the topic of most of the chunks; the first one's in a tie."""
        found = Counter(self.of[name] for name in ids if name in self.of)
        return found.most_common(1)[0][0] if found else None

    def _settle(self, corpus: Corpus, texts: Sequence[Counter[str]], sample: Rows) -> None:
        k = len(self._centres)
        sums = np.zeros(k)
        counts = np.zeros(k)
        for start, rows in self._batches(texts):
            label, cosine = nearest(rows, self._centres)
            kept = label >= 0
            np.add.at(sums, label[kept], cosine[kept])
            np.add.at(counts, label[kept], 1)
            for at in np.flatnonzero(kept):
                self.of[corpus[start + int(at)].id] = int(label[at])
        self.likeness = tuple((sums / np.maximum(counts, 1)).tolist())
        label, _ = nearest(sample, self._centres)
        self.names = tuple(self._name(sample, label, number) for number in range(k))

    def _batches(self, texts: Sequence[Counter[str]]) -> Iterator[tuple[int, Rows]]:
        for start in range(0, len(texts), _BATCH):
            yield start, self._vocabulary.rows(texts[start : start + _BATCH])

    def _name(self, sample: Rows, label: Labels, number: int) -> tuple[str, ...]:
        # The words that weigh most in it beyond what they weigh elsewhere.
        inside, outside = sample[label == number], sample[label != number]
        if not len(inside):
            return ()
        more = inside.mean(axis=0) - (outside.mean(axis=0) if len(outside) else 0)
        order = np.argsort(-more, kind="stable")[:_WORDS]
        return tuple(self._vocabulary.words[at] for at in order if more[at] > 0)


def how_many(chunks: int) -> int:
    """Return into how many topics a corpus of so many chunks is grouped by default."""
    return int(min(MOST_TOPICS, max(2, round((chunks / 2) ** 0.5))))


def _said(chunk: CorpusChunk) -> str:
    return "\n".join(part for part in (chunk.title, chunk.section, chunk.text) if part)
