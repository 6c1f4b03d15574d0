"""A claim: what can be read of one sentence without its source, read once for all the sources it is looked up in."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from acidtest.judges.local.terms import stem, unmarked
from acidtest.text.kept import kept
from acidtest.text.names import names
from acidtest.text.numbers import Number, numbers
from acidtest.text.placeholders import without_placeholders
from acidtest.text.stopwords import STOPWORDS
from acidtest.text.words import unspaced, words

_MOST_WORDS = 400
_CAPITALS = 3  # words; fewer in capitals may be a name


@dataclass(frozen=True)
class Named:
    """A name, and of each of its words the stem, as it is and without a last "s"."""

    text: str
    stems: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Claim:
    """One sentence.

    Attributes:
        text: The sentence without citation and list markers.
        language: The language of the text that it is from.
    """

    text: str
    language: str

    @cached_property
    def _words(self) -> list[str]:
        return words(self.text)

    @cached_property
    def _content(self) -> list[str]:
        stop = STOPWORDS.get(self.language, frozenset())
        return [word for word in self._words if word not in stop]

    @cached_property
    def sequence(self) -> tuple[str, ...]:
        """The stems of its content words, in order."""
        return tuple(map(stem, self._content[:_MOST_WORDS]))

    @cached_property
    def unique(self) -> tuple[str, ...]:
        """The same, each once."""
        return tuple(dict.fromkeys(self.sequence))

    @cached_property
    def neighbours(self) -> frozenset[tuple[str, str]]:
        """The pairs of stems that stand side by side, function words included."""
        return frozenset(pairwise(map(stem, self._words[:_MOST_WORDS])))

    @cached_property
    def written(self) -> tuple[tuple[str, str], ...]:
        """Its content words as written, each once, with their stems."""
        stop = STOPWORDS.get(self.language, frozenset())
        fresh = dict.fromkeys(word for word in self._words[:_MOST_WORDS] if word not in stop)
        return tuple((word, stem(word)) for word in fresh)

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Its numbers; `[PERSON_1]`, which stands for something taken out, holds none."""
        return tuple(numbers(without_placeholders(self.text), language=self.language))

    @cached_property
    def names(self) -> tuple[Named, ...]:
        """Its names; in scripts without capitals what looks like one is a run of words."""
        units = [(n.start, n.end) for n in self.numbers]  # "49 EUR": a unit, not a name
        return tuple(
            Named(
                name.text, tuple((stem(word), stem(word.rstrip("s"))) for word in words(name.text))
            )
            for name in names(self.text, language=self.language)
            if not unspaced(name.text)
            and not any(a < name.end and name.start < b for a, b in units)
        )

    @cached_property
    def capitals(self) -> bool:
        """Whether it is in capitals from end to end: then they mark no names."""
        return self.text.isupper() and len(self.text.split()) >= _CAPITALS


@kept(most=128, longest=2_000)
def claim(sentence: str, language: str) -> Claim:
    """Return a sentence as a claim; the last ones are kept, since every passage is asked for the same.

    Args:
        sentence: One sentence.
        language: The language of the text that it is from.
    """
    return Claim(unmarked(sentence), language)
