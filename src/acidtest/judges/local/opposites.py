"""Opposites: pairs of words of which one stands for the other where a statement was turned round.

A short list of the usual ones, and prefixes that turn a word ("unsupported", "incomplete"). What is not
listed is not seen.
"""

import re
from typing import NamedTuple

from acidtest.text.kept import kept
from acidtest.text.words import words

_PAIRS = """
    increas* rais* rise rises rising rose risen grew grow* gain* | decreas* reduc* lower* fall falls falling fell fallen drop* declin* shrink* shrank lost lose*
    before prior earlier | after later
    above over exceed* | below under
    more | less fewer
    most highest maximum max largest greatest | least lowest minimum min smallest fewest
    first | last
    up | down
    on | off
    with | without
    enabl* activat* | disabl* deactivat*
    allow* permit* | forbid* forbad* forbidden prohibit* den* disallow*
    accept* approv* | reject* refus* declin*
    includ* | exclud*
    add adds added adding | remov* delet*
    start* begin* began begun open* | stop* end ends ended ending clos* finish*
    buy* bought purchas* | sell* sold
    win wins won winning | lose loses lost losing
    always | never
    all every everybody everyone | no none nobody
    succe* pass passes passed | fail*
    public | private
    internal | external
    north* | south*
    east* | west*
    left | right
    true correct right | false incorrect wrong untrue
    good better best | bad worse worst
    high higher | low lower
    early earlier | late later
    long longer | short shorter
    old older oldest | new newer newest young*
    same identical | different
    required mandatory obligatory | optional voluntary
    free | paid charged
    paid | unpaid
    safe | unsafe
    annual* year* | monthly weekly daily
    upgrad* | downgrad*
    import* | export*
    send* sent | receiv*
    employer* | employee*
    buyer* | seller*
    tenant* | landlord*
    plaintiff* | defendant*
    vor | nach
    mit | ohne
    steig* stieg* erhöh* | sink* sank* fiel* fall* senk*
    mehr | weniger
    mindestens | höchstens
    erlaub* | verbot* verbiet* untersag*
    avant | après
    avec | sans
    augment* | diminu* baiss*
    plus | moins
    antes | después depois
    con com | sin sem
    aumenta* | disminu* reduc*
    más mais | menos
"""
_NEGATING = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
_LEAST = 5
"""Letters of a word before which a prefix may turn it: "in" + "deed" does not."""


_SIDES = tuple(
    tuple(listed.split()) for line in _PAIRS.strip().splitlines() for listed in line.split("|")
)
"""The forms of each side; the opposite of side 2n is side 2n + 1."""

_FORMS = tuple(re.compile("|".join(form.replace("*", r"\w*") for form in side)) for side in _SIDES)
_BEGINS = 3
"""Letters by which most words are seen to be on no side: no `*` stands before them."""


def _by_beginning() -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for number, side in enumerate(_SIDES):
        for form in side:
            found.setdefault(form.rstrip("*")[:_BEGINS], set()).add(number)
    return {begins: tuple(sorted(sides)) for begins, sides in found.items()}


_BY_BEGINNING = _by_beginning()


class _Sided(NamedTuple):
    """The words of a text, and by side the first of them that is on it."""

    words: frozenset[str]
    sides: dict[int, str]


def opposed(claim: str, source: str) -> tuple[str, str] | None:
    """Return a word of a claim and the opposite that stands in its source instead; None without one.

    A word that the source has too, or whose opposite the claim has too, is opposed by nothing.
    """
    mine, theirs = _sided(claim), _sided(source)
    for side in sorted(mine.sides):
        other = side ^ 1
        if other in theirs.sides and side not in theirs.sides and other not in mine.sides:
            return mine.sides[side], theirs.sides[other]
    return _prefixed(mine.words, theirs.words)


@kept(most=128, longest=3_500)
def _sided(text: str) -> _Sided:
    said = words(text)
    sides: dict[int, str] = {}
    for word in said:
        for side in _BY_BEGINNING.get(word[:_BEGINS], ()):
            if side not in sides and _FORMS[side].fullmatch(word):
                sides[side] = word
    return _Sided(frozenset(said), sides)


def _prefixed(said: frozenset[str], there: frozenset[str]) -> tuple[str, str] | None:
    alone, instead = said - there, there - said
    for one, two in ((alone, instead), (instead, alone)):
        for word in sorted(word for word in one if word.startswith(_NEGATING)):
            for prefix in _NEGATING:
                bare = word.removeprefix(prefix)
                if bare != word and len(bare) >= _LEAST and bare in two:
                    return (word, bare) if one is alone else (bare, word)
    return None
