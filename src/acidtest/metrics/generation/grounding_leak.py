"""Grounding leak: names, numbers, addresses and secrets in the answer that nothing given to it holds.

For systems that must say nothing from elsewhere: the model's memory, another customer's data, a key in a
prompt. Deterministic, by shape and wording (see `text.names`, `text.numbers`, `text.secrets`): it sees
no leak that is written in plain lower-case words, and it takes a number that the answer computed, or a
name spelled otherwise, for one.
"""

from collections.abc import Iterator

from acidtest.data.answers import Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.declare import metric
from acidtest.text.citations import blanked, markers
from acidtest.text.language import guess
from acidtest.text.names import Name, names
from acidtest.text.numbers import Number, numbers, unmatched
from acidtest.text.placeholders import without_placeholders
from acidtest.text.secrets import secrets
from acidtest.text.stopwords import STOPWORDS
from acidtest.text.words import words


@metric(stage="generation", direction="lower")
def grounding_leak(case: Case, text: str, chunks: tuple[Chunk, ...]) -> Outcome:
    """Return leaked items / items, in 0..1; lower is better, 0.0 when there is no item.

    Items are the answer's secrets, e-mail and web addresses, identifiers, proper names and numbers. One
    is leaked when neither the retrieved text nor the question nor the conversation so far holds it:
    a name when one of its words is nowhere, a number when its value, or its value with that unit, is
    not there. Citation markers, placeholders of redaction (`[email]`), list numbers and counts in words
    ("two ways") are no items. An empty answer is skipped; one that declines leaks what it leaks.

    Args:
        case: For the question and the conversation so far.
        text: The answer's text.
        chunks: What was retrieved.
    """
    if not text.strip():
        return Skip("the answer is empty")
    if chunks and all(chunk.text is None for chunk in chunks):
        return Skip("the retrieved chunks came without text")
    known = [chunk.id for chunk in chunks if chunk.id]
    bare = without_placeholders(blanked(text, markers(text, known)))
    given = "\n".join(
        [
            *(chunk.text or "" for chunk in chunks),
            case.question,
            *(turn.text for turn in case.history),
        ]
    )
    checked, leaked = _check(bare, given)
    return Score(
        len(leaked) / checked if checked else 0.0,
        f"{len(leaked)} of {checked} names, numbers and secrets are in nothing that was given"
        if checked
        else "the answer has no name, number or secret to check",
        evidence=tuple({"kind": kind, "text": item} for kind, item in leaked),
        parts={"items": checked, "leaked": len(leaked)},
    )


def _check(text: str, given: str) -> tuple[int, list[tuple[str, str]]]:
    """Return how many items there are, and the leaked ones with their kind, each once."""
    hidden = secrets(text)
    leaked = [(s.kind, s.masked) for s in hidden if s.raw not in given]
    covered = {at for s in hidden for at in range(s.start, s.end)}
    counted = [n for n in numbers(text) if n.start not in covered and _is_item(n)]
    covered.update(at for n in counted for at in range(n.start, n.end))
    named = {n.key: n for n in names(text) if n.start not in covered}
    distinct = {(n.kind, n.value, n.unit): n for n in counted}
    leaked += _leaked_names(list(named.values()), given)
    leaked += [("number", n.raw) for n in unmatched(distinct.values(), numbers(given))]
    return len(hidden) + len(named) + len(distinct), leaked


def _leaked_names(found: list[Name], given: str) -> Iterator[tuple[str, str]]:
    have = set(words(given))
    folded = given.casefold()
    for name in found:
        if name.text.casefold() in folded:
            continue
        if name.kind in {"email", "url"}:
            yield name.kind, name.text
            continue
        stop = STOPWORDS.get(guess(name.text), frozenset())
        parts = [word for word in words(name.text) if word not in stop]
        if name.opens and len(parts) > 1:
            parts = parts[1:]  # "Use Kubernetes": the first is capital for its place
        if any(word not in have and word.removesuffix("s") not in have for word in parts):
            yield "name", name.text


def _is_item(number: Number) -> bool:
    return number.unit is not None or any(c.isdigit() for c in number.raw)
