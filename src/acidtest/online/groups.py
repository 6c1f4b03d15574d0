"""Groups of traces whose questions share words, and questions that are unlike all of a set."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from acidtest.data.digest import Group
from acidtest.data.watching import Reading
from acidtest.golden.cover.clusters import centres_of, nearest
from acidtest.golden.cover.wordlists import Rows, Vocabulary, counted

LEAST = 3
"""Conversations that make a group: what one person asks again and again is none."""

_ALIKE = 0.35  # cosine from which on two questions are alike
_TO_CENTRE = 0.4  # cosine from which on a question is of a group
_ONE = 0.6  # cosine from which on two groups are one
_A_GROUP = 6  # questions of an average group
_MOST = 40
_SHOWN = 5
_WORDS = 4
_LONGEST = 200
_BLOCK = 2_000  # rows of words that are held at a time, 16 MB
_LEARNT = 2_000
"""Questions that the centres are found from; of more than that every so many, for they are held at a time too."""


class Words(dict[str, Counter[str]]):
    """The words of questions, each counted once: several steps ask for them."""

    def __missing__(self, question: str) -> Counter[str]:
        """Count those of a question that is new."""
        found = self[question] = counted(question)
        return found


def unlike(
    readings: Sequence[Reading], known: Sequence[str], said: Words | None = None
) -> list[Reading]:
    """Return the traces whose question is like none of the known ones, in their order.

    By the cosine of word weights, at least 0.35. A question without a word that can tell anything apart is
    like nothing and unlike nothing; it is left out.

    Args:
        readings: In any order.
        known: Questions, such as those of the golden set.
        said: The words of questions that were counted before.
    """
    said = Words() if said is None else said
    asked = [(r, said[r.question]) for r in readings if r.question]
    asked = [(r, words) for r, words in asked if words]
    if not known:
        return [r for r, _ in asked]
    old = [counted(question) for question in known]
    # Every word counts that two texts share; those of one text alone are no likeness. What is asked again
    # and again counts once: else its words would be common ones, which tell nothing.
    different = {frozenset(words.items()): words for _, words in asked}
    vocabulary = Vocabulary([*old, *different.values()])
    rows = vocabulary.rows(old)
    found = []
    for start in range(0, len(asked), _BLOCK):
        part = asked[start : start + _BLOCK]
        most = (vocabulary.rows([words for _, words in part]) @ rows.T).max(axis=1)
        found += [r for (r, _), like in zip(part, most.tolist(), strict=True) if like < _ALIKE]
    return found


def common(readings: Sequence[Reading], said: Words | None = None) -> Vocabulary | None:
    """Return what words are common among traces; None where none of them has a question."""
    said = Words() if said is None else said
    asked = sorted((r for r in readings if r.question), key=lambda r: r.trace)
    return Vocabulary([said[r.question or ""] for r in asked]) if asked else None


def groups(
    readings: Sequence[Reading], among: Vocabulary | None = None, said: Words | None = None
) -> list[Group]:
    """Return groups of traces whose questions share words, the largest first.

    Spherical k-means from a fixed seed, groups that are nearly one put together: the same traces give the
    same groups, in whatever order they come. A question none of whose words tells anything apart, as more than
    half of all have them, is of a group with those that share the same words.

    Args:
        readings: Those with a question are grouped.
        among: What words are common among all that they are taken from; by default, among themselves.
        said: The words of questions that were counted before.
    """
    said = Words() if said is None else said
    asked = sorted((r for r in readings if r.question), key=lambda r: r.trace)
    if len(asked) < LEAST:
        return []
    texts = [said[r.question or ""] for r in asked]
    vocabulary = among or Vocabulary(texts)
    tells = frozenset(vocabulary.words)
    plain = [n for n, words in enumerate(texts) if not tells & words.keys()]
    found = list(_same([asked[n] for n in plain], [texts[n] for n in plain]))
    if tells:
        found += _near(asked, texts, vocabulary)
    return sorted(found, key=lambda group: (-group.n, group.words))


def _same(asked: Sequence[Reading], texts: Sequence[Counter[str]]) -> Iterator[Group]:
    """Yield groups of what has the same words, of those that two questions at least have."""
    often = Counter(word for words in texts for word in words)
    alike: dict[frozenset[str], list[Reading]] = {}
    for reading, words in zip(asked, texts, strict=True):
        alike.setdefault(frozenset(w for w in words if often[w] > 1), []).append(reading)
    for shared, held in alike.items():
        best = sorted(shared, key=lambda word: (-often[word], word))
        if best and (group := _group(best, held)) is not None:
            yield group


def _near(
    asked: Sequence[Reading], texts: Sequence[Counter[str]], vocabulary: Vocabulary
) -> Iterator[Group]:
    learnt = vocabulary.rows(texts[:: -(-len(texts) // _LEARNT)])
    centres = _merged(centres_of(learnt, min(_MOST, max(1, len(asked) // _A_GROUP))))
    del learnt
    near = [
        nearest(vocabulary.rows(texts[start : start + _BLOCK]), centres)
        for start in range(0, len(texts), _BLOCK)
    ]
    label, cosine = (np.concatenate(some) for some in zip(*near, strict=True))
    for number, centre in enumerate(centres):
        places = np.flatnonzero((label == number) & (cosine >= _TO_CENTRE))
        held = [asked[at] for at in places[np.argsort(-cosine[places], kind="stable")]]
        best = np.argsort(-centre, kind="stable")[:_WORDS]
        words = [vocabulary.words[at] for at in best if centre[at] > 0]
        if (group := _group(words, held)) is not None:
            yield group


def _group(words: Sequence[str], held: Sequence[Reading]) -> Group | None:
    """Return a group, the best of it first; None where too few conversations are in it."""
    sessions = len({r.session or r.trace for r in held})
    if sessions < LEAST:
        return None
    # Of the same question one is enough: together they could not become cases.
    first: dict[str, Reading] = {}
    for reading in held:
        first.setdefault(_asked(reading), reading)
    shown = list(first.values())[:_SHOWN]
    return Group(
        words=tuple(words[:_WORDS]),
        n=len(held),
        sessions=sessions,
        traces=tuple(r.trace for r in shown),
        questions=tuple((r.question or "")[:_LONGEST] for r in shown),
    )


def _asked(reading: Reading) -> str:
    return " ".join((reading.question or "").casefold().split())


def _merged(centres: Rows) -> Rows:
    """Return the centres, each put together with those that point nearly the same way."""
    found: list[Rows] = []
    for centre in centres:
        at = next((n for n, old in enumerate(found) if float(old @ centre) >= _ONE), None)
        if at is None:
            found.append(centre)
        else:
            both = found[at] + centre
            found[at] = both / np.linalg.norm(both)
    return np.array(found, np.float32).reshape(-1, centres.shape[1])
