"""Parsing: what a model wrote to the reply that was asked for, or why it is none.

A text that is one JSON value is that value. Otherwise the text is scanned for JSON values - whole ones,
not parts of others - and the last one that fits the reply counts: fences, think-blocks, prose with
braces and a draft before the final reply are all read so. Valid JSON is never edited. What is nearly
JSON (single quotes, commas at the end, Python's words, half a surrogate pair) is read as what it means, and that is recorded.
Nothing is guessed: a word outside the closed list, a number outside the scale or a missing member is a
rejection, never the nearest thing.
"""

import re
from collections.abc import Iterator
from typing import Generic

import msgspec
from msgspec import Struct

from acidtest.judges.lenient import Candidate, as_json, value_at
from acidtest.judges.schema import Schema, misfit
from acidtest.ports import Reply
from acidtest.text.surrogates import without_halves_in

LONGEST = 400_000
"""Characters of a reply that are looked at; no verdict is longer."""

DRAFTS = 10_000
"""Brackets of a reply that are looked at, a tenth of a second: everything else waits meanwhile."""

_THINKING = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_OPENING = re.compile(r"[{\[]")


class Parsed(Struct, Generic[Reply], frozen=True):
    """A reply, and whether its text had to be mended to be read."""

    reply: Reply
    repaired: bool = False


class Rejected(Struct, frozen=True):
    """Why a text is no reply, in one sentence; it may quote the text."""

    why: str


def parse(text: str, reply: type[Reply], form: Schema) -> Parsed[Reply] | Rejected:
    """Return the reply in a text.

    Args:
        text: What the model wrote.
        reply: The Struct that it must satisfy.
        form: The schema that was asked for; see `schema.schema`.
    """
    if len(text) > LONGEST:
        return Rejected(f"the reply is {len(text):,} characters long")
    body = text.strip().removeprefix("\ufeff").strip()
    if not body:
        return Rejected("the reply is empty")
    whole = as_json(body)
    if whole is not None:
        return _fit(whole, reply, form)
    told = _after_thinking(body)
    if told is None:
        return Rejected("the reply stops while thinking: it holds no verdict")
    best: Parsed[Reply] | None = None
    fault = Rejected("there is no JSON object in the reply")
    for nth, candidate in enumerate(_values(told)):
        if nth >= DRAFTS:
            return Rejected(f"the reply has over {DRAFTS:,} brackets that begin nothing")
        if candidate is None:
            continue
        fitted = _fit(candidate, reply, form)
        if isinstance(fitted, Parsed):
            best = fitted
        else:
            fault = fitted
    return best or fault


def _fit(candidate: Candidate, reply: type[Reply], form: Schema) -> Parsed[Reply] | Rejected:
    value, repaired = candidate.value, candidate.repaired
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:  # an escape that is half of a pair: it could not be kept
        value, repaired = without_halves_in(value), True
    complaint = misfit(value, form)  # first, since it names the words that there are
    if complaint is not None:
        return Rejected(complaint)
    try:
        return Parsed(msgspec.convert(value, reply), repaired)
    except msgspec.ValidationError as error:
        return Rejected(str(error))


def _values(text: str) -> Iterator[Candidate | None]:
    """Yield the JSON values of a text from left to right, none of them part of another.

    None stands for a bracket that no value begins with.

    After a failure the scan goes on where reading stopped, not one character further: what stands in a
    broken value is not a reply of its own, and the cost stays linear.
    """
    at = 0
    while opening := _OPENING.search(text, at):
        found = value_at(text, opening.start())
        if isinstance(found, Candidate):
            yield found
            at = found.end
        else:
            yield None
            at = max(found, opening.end())


def _after_thinking(text: str) -> str | None:
    """Return what follows a leading think-block; None when the block never ends."""
    opening = _THINKING.match(text)
    if opening is None:
        return text
    closing = re.compile(rf"</{opening[1]}>", re.IGNORECASE).search(text, opening.end())
    return None if closing is None else text[closing.end() :]
