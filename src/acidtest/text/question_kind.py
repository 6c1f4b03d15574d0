"""What kind of question a question is, as far as its words tell.

The kinds bear the names of the tags in the handbook. What words cannot tell is not guessed: whether the
corpus has an answer, whether a second chunk is needed, whether there is more than one reading. Cues are
known in English, German, French, Spanish, Italian, Portuguese and Dutch; identifiers, length, several
questions and history are told in any language.
"""

import re
from collections.abc import Mapping
from functools import cache

from acidtest.text.language import guess
from acidtest.text.scripts import UNSPACED

KINDS = (
    "lookup",
    "multi-part",
    "comparison",
    "follow-up",
    "identifier",
    "long",
    "yes-no",
    "how-to",
    "why",
    "quantity",
)
"""Every kind that is told; a question is of one or several, and of `lookup` when of no other."""

LONG_WORDS = 30
"""A question of this many words is long; half as many characters count where no spaces are written."""

_LOOK = 5_000
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_ASKS = re.compile(r"[?？؟;;]")
_SENTENCE = re.compile(r"[?？؟]\s+|[.!]\s+(?=\w)|[。！]\s*")
_IDENTIFIER = re.compile(
    r"""
    (?<![\w@])(?:
      [A-Za-z]{1,12}[-_#]?\d[\w.\-]*\d[\w]*        # E-4031, RFC2119, ISO27001, KB5034441
      | [A-Z]{1,6}-\d+                             # E-7, PR-12
      | (?:v|V)?\d+\.\d+(?:\.\d+)+                 # 2.14.1
      | 0x[0-9A-Fa-f]{2,}                          # 0x1F
      | [a-z]+(?:_[a-z0-9]+)+ | [A-Z]+(?:_[A-Z0-9]+)+   # snake_case, MAX_SIZE
      | [a-z]+[A-Z]\w*\(\)? | \w+\(\)              # getUser(
      | --[a-z][\w-]+                              # --flag
      | [\w-]+\.(?:py|js|ts|json|ya?ml|toml|xml|csv|exe|dll|conf|ini|log|sh|md)\b
      | §\s?\d+\w* | \#\d{2,}
      | [0-9a-fA-F]{8}-[0-9a-fA-F-]{9,27}          # UUID
      | \d{6,}                                     # 20012345
    )(?!\w) | `[^`]{1,80}`
    """,
    re.VERBOSE,
)
_YEAR_LIKE = re.compile(r"[A-Za-z]{1,2}\d{1,2}")  # Q1, H2, 5G, v2: common words

_COMPARES = {
    "en": r"differ(?:s|ence|ences|ent from)?|compar(?:e[sd]?|ed|ison|ing)|versus|vs\.?|"
    r"(?:better|worse|cheaper|faster|slower|larger|smaller|longer|shorter|higher|lower|more|less|fewer) "
    r"than(?! \W?\d)|which (?:one )?\w+ .{0,30}(?:better|best|worse|more|less)|pros and cons|"
    r"advantages and disadvantages|advantages? .{0,40} over|the same(?: thing| as)|as opposed to",
    "de": r"unterschied(?:e|en)?|unterscheide[nt]|vergleich\w*|versus|vs\.?|besser|gegenüber|"
    r"(?:mehr|weniger|größer|kleiner|schneller|langsamer|günstiger|teurer) als|im gegensatz zu",
    "fr": r"différences?|compar\w+|versus|vs\.?|meilleure?|par rapport à|(?:plus|moins) \w+ que",
    "es": r"diferencias?|compar\w+|versus|vs\.?|mejor|frente a|(?:más|menos) \w+ que",
    "it": r"differenz[ae]|confront\w+|versus|vs\.?|migliore|rispetto a|(?:più|meno) \w+ (?:di|che)",
    "pt": r"diferenças?|compar\w+|versus|vs\.?|melhor|em relação a|(?:mais|menos) \w+ (?:do )?que",
    "nl": r"verschil(?:len)?|vergelijk\w*|versus|vs\.?|beter|ten opzichte van|(?:meer|minder|groter|"
    r"kleiner|sneller|goedkoper|duurder) dan",
}
_HOW_TO = {
    "en": r"how (?:do|can|could|should|would|to|might|does (?:one|someone)) |(?:what are the )?steps (?:to|for)|"
    r"what is the (?:best )?way to|how (?:is|are) .{1,60} (?:done|set up|configured|installed)",
    "de": r"wie (?:kann|könnte|muss|soll|sollte|geht|mache|richte|stelle|lege|bekomme|erhalte|komme|"
    r"installiere|ändere|lösche|kündige|\w+e ich)|schritte",
    "fr": r"comment |quelles? (?:est la|sont les) (?:démarche|étapes?|procédures?)",
    "es": r"cómo |como (?:puedo|se|hago)|pasos para",
    "it": r"come (?:si|posso|faccio|devo|fare)|passaggi per",
    "pt": r"como (?:posso|se|faço|devo|fazer)|passos para",
    "nl": r"hoe (?:kan|moet|kun|doe|werkt|stel|krijg|\w+ ik)|stappen",
}
_WHY = {
    "en": r"why|how come|for what reason|what (?:is|are|was|were) the (?:reason|cause)s?|what caused",
    "de": r"warum|weshalb|wieso|weswegen|aus welchem grund|was ist der grund",
    "fr": r"pourquoi|pour quelle raison|quelle est la cause",
    "es": r"por qué|por que razón|cuál es la (?:razón|causa)",
    "it": r"perché|per quale motivo|qual è (?:il motivo|la causa)",
    "pt": r"por ?qu[eê]|por que motivo|qual é (?:o motivo|a causa)",
    "nl": r"waarom|wat is de reden",
}
_QUANTITY = {
    "en": r"how (?:many|much|long|often|far|old|big|large|high|fast|soon|late)|when|what (?:year|date|"
    r"time|day|percentage|price|cost|number|amount|rate|share)|what (?:is|are|was) the (?:\w+ ){0,3}"
    r"(?:price|cost|number|amount|limit|deadline|date|rate|fee|size|length|duration|maximum|minimum)",
    "de": r"wie ?viele?|wie (?:lange|oft|hoch|groß|alt|weit|teuer)|wann|bis wann|seit wann|welche[rs]? "
    r"(?:jahr|datum|preis|betrag|frist)",
    "fr": r"combien|quand|à quelle (?:date|heure|fréquence)|quel(?:le)? est (?:le|la|l['’]) ?(?:prix|coût|"
    r"montant|date|durée|limite|taux|délai)",
    "es": r"cuánt[oa]s?|cuándo|a qué hora|cuál es (?:el|la) (?:precio|coste|costo|fecha|límite|plazo)",
    "it": r"quant[oaie]|quando|a che ora|qual è (?:il|la) (?:prezzo|costo|data|durata|limite)",
    "pt": r"quant[oa]s?|quando|a que horas|qual é (?:o|a) (?:preço|custo|data|limite|prazo)",
    "nl": r"hoeveel|hoe (?:lang|vaak|hoog|groot|oud|ver|duur)|wanneer",
}
_YES_NO = {
    "en": r"(?:is|are|was|were|am|do|does|did|can|could|may|might|will|would|shall|should|must|has|have|"
    r"had|is there|are there|isn['’]t|aren['’]t|don['’]t|doesn['’]t|can['’]t|won['’]t)\b",
    "de": r"(?:ist|sind|war|waren|bin|hat|haben|habe|hatte|kann|können|konnte|darf|dürfen|muss|müssen|"
    r"soll|sollte|sollten|wird|werden|würde|gibt es|gilt|geht|muß|brauche|braucht)\b",
    "fr": r"(?:est-ce|est-il|est-elle|sont-ils|sont-elles|puis-je|peut-on|peut-il|peux-tu|pouvez-vous|"
    r"dois-je|doit-on|faut-il|y a-t-il|a-t-il|a-t-elle|ai-je|avez-vous)\b",
    "es": r"¿?\s*(?:es|son|está|están|hay|puedo|puede|pueden|se puede|debo|debe|tiene|tengo|existe|hace "
    r"falta|es posible)\b",
    "it": r"(?:è|sono|posso|può|possono|si può|devo|deve|c['’]è|ci sono|esiste|ha|hanno|è possibile)\b",
    "pt": r"(?:é|são|está|estão|há|posso|pode|podem|devo|deve|tem|têm|existe|é possível)\b",
    "nl": r"(?:is|zijn|was|waren|kan|kunnen|kun|mag|mogen|moet|moeten|heeft|hebben|heb|wordt|worden|"
    r"bestaat|zijn er|is er)\b",
}
_FOLLOWS = {
    "en": r"(?:and|but|so|or|also|what about|how about|what else|why not|then|same for|in that case)\b|"
    r".{0,40}\b(?:the (?:former|latter|previous one)|you (?:just )?(?:said|mentioned))\b",
    "de": r"(?:und|aber|oder|also|auch|dann|was ist mit|wie sieht es (?:mit|bei)|in diesem fall)\b",
    "fr": r"(?:et|mais|ou|alors|aussi|dans ce cas|qu['’]en est-il)\b",
    "es": r"¿?\s*(?:y|pero|o|entonces|también|en ese caso|qué pasa con)\b",
    "it": r"(?:e|ma|o|allora|anche|in tal caso|che dire)\b",
    "pt": r"(?:e|mas|ou|então|também|nesse caso|e quanto)\b",
    "nl": r"(?:en|maar|of|dus|ook|dan|hoe zit het met|in dat geval)\b",
}
_JOINS = {
    "en": r"\band (?:also )?(?:how|what|when|where|who|which|why|is|are|does|do|can|will|should)\b|"
    r"\b(?:as well as|and also|in addition)\b",
    "de": r"\bund (?:auch )?(?:wie|was|wann|wo|wer|welche[rsn]?|warum|ist|sind|kann|muss|gibt)\b|\bsowie\b",
    "fr": r"\bet (?:aussi )?(?:comment|qu\w*|quand|où|pourquoi|combien|est-ce)\b|\bainsi que\b",
    "es": r"\by (?:también )?(?:cómo|qué|cuándo|dónde|quién|cuál|cuánt\w+|por qué)\b|\basí como\b",
    "it": r"\be (?:anche )?(?:come|cosa|quando|dove|chi|quale|quant\w+|perché)\b|\bnonché\b",
    "pt": r"\be (?:também )?(?:como|o que|quando|onde|quem|qual|quant\w+|por que)\b|\bbem como\b",
    "nl": r"\ben (?:ook )?(?:hoe|wat|wanneer|waar|wie|welke|waarom|is|kan|moet)\b|\balsmede\b",
}


def question_kinds(question: str, *, follows: bool = False) -> tuple[str, ...]:
    """Return the kinds that a question is of, in the order of `KINDS`; never none.

    Args:
        question: The question, in any language.
        follows: There are earlier turns: then it is a follow-up whatever its words say. Without them
            only an opening such as "And for students?" tells one.
    """
    text = question[:_LOOK].strip()
    folded = " ".join(text.casefold().split())
    language = guess(text)
    found = {
        "multi-part": _parts(text) > 1 or _cue(_JOINS, language, folded),
        "comparison": _cue(_COMPARES, language, folded, whole=True),
        "follow-up": follows or (_short(folded) and _opens(_FOLLOWS, language, folded)),
        "identifier": _names_something(text),
        "long": _length(text) >= LONG_WORDS,
        "yes-no": _opens(_YES_NO, language, _last(folded)),
        "how-to": _cue(_HOW_TO, language, folded, whole=True, end=False),
        "why": _cue(_WHY, language, folded, whole=True),
        "quantity": _cue(_QUANTITY, language, folded, whole=True),
    }
    kinds = tuple(kind for kind in KINDS if found.get(kind))
    return kinds or _in_any_language(folded) or ("lookup",)


def _in_any_language(folded: str) -> tuple[str, ...]:
    # A few words are little to tell a language by; the word that opens the question is a better sign.
    opening = folded.lstrip("¿ ")
    return tuple(kind for kind, cues in _OPENINGS.items() if _compiled(cues).match(opening))


def _any_of(cues: Mapping[str, str]) -> str:
    return "|".join(rf"(?:{pattern})\b" for pattern in cues.values())


_OPENINGS = {"how-to": _any_of(_HOW_TO), "why": _any_of(_WHY), "quantity": _any_of(_QUANTITY)}


def _cue(
    cues: dict[str, str], language: str, text: str, *, whole: bool = False, end: bool = True
) -> bool:
    pattern = cues.get(language)
    if pattern is None:
        return False
    if whole:
        pattern = rf"(?<!\w)(?:{pattern})" + (r"(?!\w)" if end else "")
    return _compiled(pattern).search(text) is not None


def _opens(cues: dict[str, str], language: str, text: str) -> bool:
    pattern = cues.get(language)
    return pattern is not None and _compiled(pattern).match(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile one of the tables above when it is first needed: nobody needs those of all languages."""
    return re.compile(pattern)


def _parts(text: str) -> int:
    return sum(1 for part in re.split(r"[?？؟]+", text)[:-1] if _WORD.search(part))


def _last(folded: str) -> str:
    # The question itself, after what may be told before it.
    pieces = [piece for piece in _SENTENCE.split(folded) if _WORD.search(piece)]
    return pieces[-1].lstrip("¿ \"'«“(") if pieces else folded


def _short(folded: str) -> bool:
    return _length(folded) <= 12


def _length(text: str) -> int:
    unspaced = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))) + unspaced // 2


def _names_something(text: str) -> bool:
    return any(not _YEAR_LIKE.fullmatch(match[0]) for match in _IDENTIFIER.finditer(text))
