"""Faults that are planted into a supported answer and must be caught.

A number or a name is exchanged, a sentence denied, a made-up sentence added. What is planted stands in no
context and not in the reference, so that the sentence that has it is unsupported whatever else it says.
English only, but for numbers.
"""

import random
import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from acidtest.project.probing.bias.items import Item
from acidtest.text.language import guess
from acidtest.text.names import names
from acidtest.text.sentences import sentences

Fault = Literal["number", "name", "negation", "made-up"]
FAULTS: tuple[Fault, ...] = ("number", "name", "negation", "made-up")

_NUMBER = re.compile(r"(?<![\w.,:/#\[(-])\d{1,9}(?!\w|[.,:/)\]-]\d|[\])])")
_LEADS = re.compile(
    r"^\s*#|[:?][\s*_]*$|^[\s\d.)*-]*\*\*[^*]+\*\*:?$"
)  # headings, lead-ins, questions
_ITEM = re.compile(r"\s*\d+[.)]\s")
_STATES = re.compile(
    r"\b(is|are|was|were|can|may|must|will|should|has been|have been)\b(?! (?:not|no|never|only))"
)
_DENIED = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|nor|only|without|cannot)\b|n['’]t\b", re.IGNORECASE
)
_NAMES = ("Zanthor Quillby", "Orlando Vexmoor", "Brindlewick", "Tessaly Kroon", "Port Maravel")
_MADE_UP = (
    "It was also awarded the golden otter by the city of Reykjavik.",
    "It also includes a weekend for two in a lighthouse.",
    "A brass band plays there on the first Tuesday of May.",
    "It was invented by a retired clown from Patagonia.",
)


class Planted(Struct, frozen=True, kw_only=True):
    """An item with a fault in it; `sentence` is the one that has it, counted from 1."""

    item: Item
    fault: Fault
    sentence: int
    old: str
    new: str


def planted(
    item: Item, fault: Fault, rng: random.Random, *, stated_in: str | None = None
) -> Planted | None:
    """Plant a fault; None where the answer has no place for it.

    Args:
        item: A supported answer.
        fault: What is to be wrong.
        rng: Chooses the place and what stands there.
        stated_in: Exchange only what stands in this text, and wherever the answer has it.
    """
    said = sentences(item.text)
    if fault != "number" and guess(item.text) != "en":
        return None
    if fault == "made-up":
        new = rng.choice(_MADE_UP)
        more = item.saying(f"{item.text.rstrip()}\n\n{new}")
        if sentences(more.text) != [*said, new]:
            return None
        return Planted(item=more, fault=fault, sentence=len(said) + 1, old="", new=new)
    places = [
        (n, swap)
        for n, each in enumerate(said, start=1)
        if not _LEADS.search(each)
        for swap in _SWAPS[fault](each)
    ]
    if stated_in is not None:
        words = set(re.findall(r"\w+", stated_in))
        places = [place for place in places if words.issuperset(re.findall(r"\w+", place[1][2]))]
    rng.shuffle(places)
    known = " ".join([*(c.text or "" for c in item.contexts), item.case.reference or "", item.text])
    for n, (start, end, old) in places:
        new = _instead(fault, old, known, rng)
        sentence = said[n - 1]
        begins = item.text.find(sentence)
        if begins < 0 or item.text.count(sentence) > 1:
            continue
        at = begins + start
        if stated_in is None:
            text = item.text[:at] + new + item.text[begins + end :]
        else:  # what is still right elsewhere would answer the question
            text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, item.text)
        changed = item.saying(text)
        if len(sentences(changed.text)) == len(said):
            return Planted(item=changed, fault=fault, sentence=n, old=old, new=new)
    return None


_Swap = tuple[int, int, str]


def _numbers(sentence: str) -> list[_Swap]:
    item = _ITEM.match(sentence)
    begins = item.end() if item else 0
    return [(m.start(), m.end(), m[0]) for m in _NUMBER.finditer(sentence) if m.start() >= begins]


def _proper(sentence: str) -> list[_Swap]:
    return [(n.start, n.end, n.text) for n in names(sentence) if n.kind == "proper" and not n.opens]


def _statements(sentence: str) -> list[_Swap]:
    if _DENIED.search(sentence) or sentence.endswith("?"):
        return []
    match = _STATES.search(sentence)
    return [(match.start(), match.end(), match[0])] if match else []


_SWAPS: dict[Fault, Callable[[str], list[_Swap]]] = {
    "number": _numbers,
    "name": _proper,
    "negation": _statements,
}


def _instead(fault: Fault, old: str, known: str, rng: random.Random) -> str:
    if fault == "negation":
        first, _, rest = old.partition(" ")
        return f"{first} not {rest}".rstrip()
    if fault == "name":
        return rng.choice([name for name in _NAMES if name not in known])
    # Above twelve, so that no spelled number in a context is the same.
    digits = max(len(old), 2)
    taken = set(re.findall(r"\d+", known))
    return next(
        new
        for new in iter(lambda: str(rng.randint(max(13, 10 ** (digits - 1)), 10**digits - 1)), "")
        if new not in taken
    )
