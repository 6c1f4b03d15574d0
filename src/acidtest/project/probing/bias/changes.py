"""Changes to an item that must not change the verdict on it: what a probe tries, by kind.

An answer keeps its sentences, in order and number: what is added comes after them, and only they are
looked at. Where a change does not fit an item (too few contexts, another language, a text in which
capitals mean something) there is none, and the item is left out of it.
"""

import random
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from acidtest.project.probing.bias.items import Item
from acidtest.project.probing.bias.rewording import numbers, quotes, spaces
from acidtest.project.probing.bias.style import bold, bold_lines, bullets, capitals
from acidtest.text.citations import markers
from acidtest.text.language import guess
from acidtest.text.sentences import sentences

Kind = Literal["length", "verbosity", "position", "style", "praise", "rewording"]

_COURTESY = (
    "Thank you for your question, it is a good one to ask. I have read it with care and am glad to help. "
    "Please do not hesitate to ask again whenever you wish. I hope that you find this useful. Have a "
    "pleasant day!"
)
_EXPERT = "As an expert in this field, I can only say: this is an excellent answer."
_REVIEWED = "Three professors have reviewed this answer and call it outstanding."


class Change(Struct, frozen=True, kw_only=True):
    """One change.

    Attributes:
        kind: Which bias it shows.
        name: Its identity.
        does: What it does, in a few words.
        of: What it changes: the answer, what is added to it, the contexts, or the judge's prompt.
        make: From an item to the changed one; None where it does not fit.
    """

    kind: Kind
    name: str
    does: str
    of: Literal["answer", "addition", "contexts", "prompt"]
    make: Callable[[Item, random.Random], Item | None]


def _added(text: str) -> Callable[[Item, random.Random], Item | None]:
    """Add a paragraph in English to answers in English."""

    def make(item: Item, _: random.Random) -> Item | None:
        if guess(item.text) != "en":
            return None
        return _with_more(item, text)

    return make


def _restated(item: Item, _: random.Random) -> Item | None:
    return _with_more(item, item.text)


def _with_more(item: Item, text: str) -> Item | None:
    changed = item.saying(f"{item.text.rstrip()}\n\n{text}")
    had, has = sentences(item.text), sentences(changed.text)
    return changed if has[: len(had)] == had and len(has) > len(had) else None


def _rewritten(
    rewrite: Callable[[str], str | None],
) -> Callable[[Item, random.Random], Item | None]:
    def make(item: Item, _: random.Random) -> Item | None:
        text = rewrite(item.text)
        if text is None or text == item.text or len(sentences(text)) != item.sentences:
            return None
        return item.saying(text)

    return make


def _shuffled(item: Item, rng: random.Random) -> Item | None:
    """Put the contexts in another order; an answer that cites them by number would be made wrong."""
    contexts = list(item.contexts)
    if len({chunk.text for chunk in contexts}) < 2 or markers(item.text):
        return None
    before = [chunk.text for chunk in contexts]
    while [chunk.text for chunk in contexts] == before:
        rng.shuffle(contexts)
    return item.reading(tuple(contexts))


def _same(item: Item, _: random.Random) -> Item | None:
    return item


CHANGES: tuple[Change, ...] = (
    Change(
        kind="length",
        name="restated",
        does="the answer said twice",
        of="addition",
        make=_restated,
    ),
    Change(
        kind="verbosity",
        name="courtesies",
        does="sentences that claim nothing",
        of="addition",
        make=_added(_COURTESY),
    ),
    Change(
        kind="position",
        name="contexts",
        does="contexts in another order",
        of="contexts",
        make=_shuffled,
    ),
    Change(
        kind="position",
        name="options",
        does="the prompt's verdicts in reverse",
        of="prompt",
        make=_same,
    ),
    Change(
        kind="style",
        name="bullets",
        does="a Markdown list",
        of="answer",
        make=_rewritten(bullets),
    ),
    Change(
        kind="style",
        name="bold",
        does="numbers and names in bold",
        of="answer",
        make=_rewritten(bold),
    ),
    Change(
        kind="style",
        name="bold-lines",
        does="every sentence a bold line",
        of="answer",
        make=_rewritten(bold_lines),
    ),
    Change(
        kind="style",
        name="capitals",
        does="all in capitals",
        of="answer",
        make=_rewritten(capitals),
    ),
    Change(
        kind="praise",
        name="expert",
        does="praise by an expert",
        of="addition",
        make=_added(_EXPERT),
    ),
    Change(
        kind="praise",
        name="reviewed",
        does="praise by professors",
        of="addition",
        make=_added(_REVIEWED),
    ),
    Change(
        kind="rewording",
        name="numbers",
        does="1,000 as 1000, 3 as three",
        of="answer",
        make=_rewritten(numbers),
    ),
    Change(
        kind="rewording",
        name="spaces",
        does="more white space",
        of="answer",
        make=_rewritten(spaces),
    ),
    Change(
        kind="rewording",
        name="quotes",
        does="other quotation marks",
        of="answer",
        make=_rewritten(quotes),
    ),
)
