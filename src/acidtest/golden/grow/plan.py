"""The plan of a synthesis: which kind of question is to be asked of which chunks, in whose voice.

It is made before anything is spent, and is the same for the same corpus, seed and wishes. It holds more
slots than are asked for: where no good question comes of one, the next of its kind is taken.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from acidtest.codec.json import content_hash
from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.golden.grow.kinds import KINDS, PAIRED, Kind
from acidtest.golden.grow.related import Pair, pairs
from acidtest.golden.grow.survey import Survey, survey, topic
from acidtest.golden.grow.voices import PERSONAS, STYLES, one_of
from acidtest.text.names import names

VARIANTS = 3
"""Questions of one kind that a chunk is asked for at most."""

_LOOK = 4_000
_MAY_IDENTIFY = re.compile(r"[^\W\d][-_./]?\d|\d[^\W\d]")
"""Letters beside digits: quick to find, where telling names by their shape takes a millisecond."""


class Wish(Struct, frozen=True, kw_only=True):
    """What is wanted of the questions.

    Attributes:
        seed: Another seed asks about other chunks, in other voices.
        personas: Who asks.
        styles: How they ask.
        language: What language they ask in; "" for that of the chunk.
        named: Kinds that need a chunk with an identifier.
    """

    seed: int = 0
    personas: tuple[str, ...] = PERSONAS
    styles: tuple[str, ...] = STYLES
    language: str = ""
    named: frozenset[Kind] = frozenset({"identifier"})


class Slot(Struct, frozen=True, kw_only=True):
    """One question to be written.

    Attributes:
        kind: What kind of question.
        chunks: What it is to be asked of: one chunk, or two that are related.
        variant: 0 for the first question of this kind to these chunks.
        persona: Who asks.
        style: How they ask.
        shared: The terms that two chunks share.
    """

    kind: Kind
    chunks: tuple[CorpusChunk, ...]
    variant: int
    persona: str
    style: str
    shared: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What tells this slot from the others, in every execution."""
        return f"{self.kind}:{'+'.join(chunk.id for chunk in self.chunks)}:{self.variant}"

    @property
    def topic(self) -> str:
        """What it is about."""
        return topic(self.chunks[0])


class Plan(Struct, frozen=True, kw_only=True):
    """Slots by kind, in the order in which they are taken.

    Attributes:
        slots: Kind -> its slots; a kind without any is there.
        survey: What the corpus offers.
        wish: What is wanted of the questions.
    """

    slots: Mapping[Kind, tuple[Slot, ...]]
    survey: Survey
    wish: Wish

    def why_few(self, kind: Kind) -> str:
        """Say why there are not more slots of a kind."""
        if kind in self.wish.named:
            return "no more chunks with an identifier (such as E-4031) to ask about"
        if kind in PAIRED and len(self.survey.chunks) > 1:
            return "no more related chunks of different sections"
        return f"no more chunks to ask about: {self.survey.why()}"


def make_plan(
    corpus: Corpus,
    quota: Mapping[Kind, int],
    wish: Wish | None = None,
    *,
    covered: Sequence[str] = (),
    tries: int = 3,
) -> Plan:
    """Plan a synthesis.

    Args:
        corpus: What is asked about.
        quota: Kind -> how many are asked for; only kinds in it are planned.
        wish: What is wanted of the questions.
        covered: Ids of chunks that the set reaches already: these come last.
        tries: Slots of each kind for every question that is asked for.
    """
    wish = wish or Wish()
    found = survey(corpus, seed=wish.seed, covered=covered)
    kin = pairs(found.chunks) if PAIRED & quota.keys() else []
    most = tries * sum(quota.values())
    slots = {
        kind: tuple(_slots(kind, found.chunks, kin, wish, most=most))
        for kind in KINDS
        if kind in quota
    }
    return Plan(slots=slots, survey=found, wish=wish)


def corpus_hash(corpus: Corpus) -> str:
    """Return a hash of what a corpus says."""
    return content_hash([(chunk.id, chunk.text) for chunk in corpus])


def _slots(
    kind: Kind, chunks: Sequence[CorpusChunk], kin: Sequence[Pair], wish: Wish, *, most: int
) -> Iterator[Slot]:
    if kind in PAIRED:
        told = _pairs_for(kind, kin)
    elif kind in wish.named:
        told = [
            ((chunk,), ())
            for chunk in islice(filter(_has_identifier, chunks), min(most, len(chunks)))
        ]
    else:
        # The kinds begin in different places, so that a small set reaches more of the corpus.
        start = KINDS.index(kind) * len(chunks) // len(KINDS)
        told = [((chunk,), ()) for chunk in (*chunks[start:], *chunks[:start])]
    made = 0
    for variant in range(VARIANTS):
        for some, shared in told:
            if made == most:
                return
            made += 1
            ids = [chunk.id for chunk in some]
            yield Slot(
                kind=kind,
                chunks=some,
                variant=variant,
                persona=one_of(wish.personas, "persona", wish.seed, kind, ids, variant),
                style=one_of(wish.styles, "style", wish.seed, kind, ids, variant),
                shared=shared,
            )


def _pairs_for(
    kind: Kind, kin: Sequence[Pair]
) -> list[tuple[tuple[CorpusChunk, ...], tuple[str, ...]]]:
    """Return the pairs for a kind: the most alike are compared, others are hopped between."""
    alike = sorted(range(len(kin)), key=lambda n: (-kin[n].kinship, n))
    compared = frozenset(alike[: (len(kin) + 1) // 2])
    first = [pair for n, pair in enumerate(kin) if (n in compared) == (kind == "comparison")]
    rest = [pair for n, pair in enumerate(kin) if (n in compared) != (kind == "comparison")]
    return [((pair.first, pair.second), pair.shared) for pair in (*first, *rest)]


def _has_identifier(chunk: CorpusChunk) -> bool:
    text = chunk.text[:_LOOK]
    return _MAY_IDENTIFY.search(text) is not None and any(identifiers(text))


def identifiers(text: str) -> list[str]:
    """Return the identifiers of a text that hold a digit, each once."""
    found = (name.text for name in names(text) if name.kind == "identifier")
    return list(dict.fromkeys(name for name in found if any(c.isdigit() for c in name)))
