"""What is known of a golden set's cover: one row a document, section, topic and kind, and what to do."""

from msgspec import Struct


class Asked(Struct, frozen=True, kw_only=True):
    """A question that users asked, and the chunks that the retriever found for it, the best first."""

    question: str
    follows: bool = False
    retrieved: tuple[str, ...] = ()


class Section(Struct, frozen=True, kw_only=True):
    """The chunks of a document under one heading; `name` is None above the first one.

    `cases` counts the cases whose labels or evidence lie in it, `asked` the recorded questions for which
    the retriever's best chunk did.
    """

    name: str | None
    chunks: int
    characters: int
    cases: int = 0
    asked: int = 0


class Document(Struct, frozen=True, kw_only=True):
    """A document with its sections; counts as in `Section`."""

    id: str
    title: str | None
    chunks: int
    characters: int
    cases: int
    asked: int
    sections: tuple[Section, ...]


class Topic(Struct, frozen=True, kw_only=True):
    """Chunks that share words.

    `words` tell it from the others, the best first. `likeness` is the mean cosine of its chunks to their
    common centre: near 1 they say the same, near 0 they were put together for want of a better place.
    `documents` are those with the most of its chunks.
    """

    words: tuple[str, ...]
    chunks: int
    share: float
    likeness: float
    documents: tuple[str, ...]
    cases: int
    asked: int


class KindCount(Struct, frozen=True, kw_only=True):
    """How many cases and how many recorded questions are of a kind, by their words."""

    kind: str
    cases: int
    asked: int


class Suggestion(Struct, frozen=True, kw_only=True):
    """What to write next.

    `weight` is the share of the corpus, or of what users ask, that it would bring in; suggestions come
    with the largest first.
    """

    about: str
    name: str
    questions: int
    weight: float
    text: str


class Coverage(Struct, frozen=True, kw_only=True):
    """What of a corpus, and of what users ask, a golden set reaches.

    `cases_placed` are the cases whose place in the corpus is known from a label or their evidence;
    `unplaced` names the answerable ones that it is not known of. `documents_only` counts those of which
    only the document is known. `chunks_without_topic` share no word with any topic.
    """

    golden_version: str
    cases: int
    cases_placed: int
    documents_only: int
    unplaced: tuple[str, ...]
    chunks: int
    chunks_reached: int
    chunks_without_topic: int
    asked: int
    asked_placed: int
    documents: tuple[Document, ...]
    topics: tuple[Topic, ...]
    kinds: tuple[KindCount, ...]
    suggestions: tuple[Suggestion, ...]
    notes: tuple[str, ...] = ()
