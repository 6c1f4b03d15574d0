"""Opposites: pairs of words of which one stands for the other where a statement was turned round.

A short list of the usual ones, and prefixes that turn a word ("unsupported", "incomplete"). What is not
listed is not seen.
"""

import re

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


def _side(listed: str) -> re.Pattern[str]:
    forms = (form.replace("*", r"\w*") for form in listed.split())
    return re.compile(rf"(?<!\S)(?:{'|'.join(forms)})(?!\S)")


_SIDES = tuple(
    (_side(first), _side(second))
    for first, second in (line.split("|") for line in _PAIRS.strip().splitlines())
)


def opposed(claim: str, source: str) -> tuple[str, str] | None:
    """Return a word of a claim and the opposite that stands in its source instead; None without one.

    A word that the source has too, or whose opposite the claim has too, is opposed by nothing.
    """
    said, there = words(claim), words(source)
    mine, theirs = " ".join(said), " ".join(there)
    for first, second in _SIDES:
        for here, other in ((first, second), (second, first)):
            word = here.search(mine)
            if not word or here.search(theirs) or other.search(mine):
                continue
            instead = other.search(theirs)
            if instead:
                return word[0], instead[0]
    return _prefixed(set(said), set(there))


def _prefixed(said: set[str], there: set[str]) -> tuple[str, str] | None:
    for one, two in ((said, there), (there, said)):
        for word in sorted(one - two):
            for prefix in _NEGATING:
                bare = word.removeprefix(prefix)
                if bare != word and len(bare) >= _LEAST and bare in two - one:
                    return (word, bare) if one is said else (bare, word)
    return None
