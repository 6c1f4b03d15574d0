"""Harmless words: those that a question may have or lack and still ask the same.

Articles, the present of "be", "do" and "can", pronouns of who asks, light prepositions, politeness. What
turns a question round is not among them: question words, negations, past and future, "must" and "may",
"from" and "to", "before" and "after", "with" and "without".
"""

from acidtest.text.language import guess
from acidtest.text.stopwords import STOPWORDS

HARMLESS: dict[str, frozenset[str]] = {
    language: frozenset(listed.split())
    for language, listed in {
        "en": """a an the do does is are am be being can could i you we my your our me us one of for in on at
            please kindly tell hi hello hey there s re m and just actually exactly currently so way""",
        "de": """der die das den dem des ein eine einen einem einer eines ist sind bin bitte ich man wir sie
            du mein meine meinen meinem meiner unser unsere dein ihr ihre kann können denn eigentlich
            genau im in am an für hallo mal""",
        "fr": """le la les l un une des du de d est sont s il vous plaît je j on nous mon ma mes notre nos
            votre vos puis peut pouvez pour en dans bonjour ce que c qu t""",
        "es": """el la los las un una unos unas de del es son está están por favor yo mi mis tu su sus
            nuestro nuestra puedo se puede en para hola""",
        "it": """il lo la i gli le l un uno una di del della dei delle d è sono per favore io mio mia miei
            posso si può in nel nella ciao""",
        "pt": """o a os as um uma uns umas de do da dos das é são está estão por favor eu meu minha meus
            posso se pode em no na para olá""",
        "nl": """de het een is zijn ben ik je u we wij mijn ons onze uw jouw kan kunnen in op aan voor van
            alstublieft hallo""",
    }.items()
}

PARTICLES = (
    "请问",
    "請問",
    "一下",
    "吗",
    "嗎",
    "呢",
    "啊",
    "的",
    "ですか",
    "ますか",
    "でしょうか",
    "ください",
    "ครับ",
    "ค่ะ",
    "คะ",
)
"""What is polite or only asks, in scripts without spaces."""

DIRECTED = frozenset(
    [
        "to",
        "from",
        "into",
        "onto",
        "than",
        "before",
        "after",
        "by",
        "over",
        "under",
        "between",
        "vs",
        "versus",
        "von",
        "vom",
        "zu",
        "zum",
        "zur",
        "nach",
        "vor",
        "als",
        "zwischen",
        "à",
        "vers",
        "avant",
        "après",
        "depuis",
        "par",
        "a",
        "al",
        "desde",
        "hasta",
        "antes",
        "después",
        "entre",
        "da",
        "dal",
        "prima",
        "dopo",
        "até",
        "para",
        "naar",
        "tot",
        "voor",
    ]
)
"""Words beside which order matters: from X to Y is not from Y to X."""

_ENGLISH = frozenset(
    "the what how does which when where why who my your you and are with since that this has should".split()  # noqa: SIM905
)

_TURNING = """no not never without except excluding unless only neither nor none cannot nothing nobody non nicht
    kein keine keinen ohne nie nur außer pas jamais sans sauf sin nunca excepto senza mai sem niet geen zonder"""
WEIGHTY = frozenset().union(*STOPWORDS.values()) | frozenset(_TURNING.split())
"""Small words that say much: one more of them, and another question is asked."""


def harmless(tokens: list[str], text: str) -> frozenset[str]:
    """Return the harmless words of the language that a question is in; none where no list is known.

    Args:
        tokens: Its words, case-folded.
        text: The question.
    """
    if not _ENGLISH.isdisjoint(tokens):
        return HARMLESS["en"]  # nearly all, and guessing costs as much as all the rest
    return HARMLESS.get(guess(text), frozenset())
