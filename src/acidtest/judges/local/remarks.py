"""Remarks: sentences that claim nothing of the world - questions, headings, courtesies, offers of help.

They are told by their end (`?`, `:`), by their form (a heading, a line that is bold from end to end) and
by a short list of phrases per language. What is no remark may still be no claim; then it is judged
like one.
"""

import re

from acidtest.judges.local.terms import squeezed, unmarked
from acidtest.text.kept import kept
from acidtest.text.words import words

_PHRASES = (
    # English
    r"let me know|i hope (?:this|that|these|it)|feel free to|happy to help|glad to (?:help|assist)"
    r"|i(?:'|’)?(?:m| am) (?:so |very |really )?sorry|i apologi[sz]e|my apologies|apologies for|sorry (?:for|about|to hear)"
    r"|(?:do|if) you have (?:any )?(?:other|further|more|additional|specific) questions"
    r"|if you need (?:any )?(?:more|further|additional) (?:help|information|details|assistance)"
    r"|would you like (?:me )?to|how (?:can|may) i help|you(?:'|’)?re welcome|thank(?:s| you) for"
    r"|^(?:sure|certainly|of course|great question|good question|hello|hi|dear|best regards|kind regards)\b[^.]{0,60}$"
    r"|^(?:yes|no)?,?\s*(?:you(?:'|’)?re|you are|that(?:'|’)?s|that is) (?:right|correct|incorrect|wrong|true)[.!]?$"
    r"|^(?:here (?:is|are)|below (?:is|are)|the following|follow(?:ing)? these)\b[^.]{0,80}[:.]$"
    r"|let me (?:explain|walk you|help|clarify)"
    # German, French, Spanish, Italian, Portuguese, Dutch
    r"|ich hoffe, (?:das|dies)|gerne? (?:helfe|geschehen)|haben sie (?:noch )?weitere fragen|es tut mir leid|entschuldigung"
    r"|j(?:'|’)espère que|n(?:'|’)hésitez pas|je suis désolée?|avez-vous d(?:'|’)autres questions"
    r"|espero que (?:esto|te|le|isso|ajude)|no dud[ea]s? en|lo siento|si tiene(?:s)? más preguntas"
    r"|spero che (?:questo|ti|le)|non esit(?:are|i)|mi dispiace|se hai altre domande"
    r"|não hesite em|sinto muito|ik hoop dat|het spijt me|laat het me weten"
    # Russian, Chinese, Japanese, Korean
    r"|надеюсь, это|дайте знать|извините|если у вас есть (?:ещё |другие )?вопросы"
    r"|希望(?:这|這)?(?:对|對|些|能)|如有(?:任何|其他)?(?:疑问|疑問|问题|問題)|抱歉|对不起|請告訴我|请告诉我"
    r"|お役に立て|ご不明な点|申し訳|お知らせください|도움이 되(?:었|셨|길)|죄송|궁금한 점"
)
_COURTESY = re.compile(_PHRASES, re.IGNORECASE)
_BOLD = re.compile(r"(\*{1,3}|_{1,3})(?P<inside>(?!\1).{1,1000})\1:?")
_RULE = re.compile(r"#{1,6}|[-=_*]{3,}")
_HASH = re.compile(r"#{1,6}\s+")
_STOP = re.compile(r"[.!。！।۔][\"'”’»)\]*_]*\Z")
_OPEN_END = re.compile(r"[?？؟:：][\s\"'”’»)\]*_]*\Z")
_LOOK = 400
_TITLE = 6
"""Words up to which a line in bold type without a full stop is a heading."""


@kept(most=256, longest=2_000)
def remark(sentence: str) -> bool:
    """Say whether a sentence claims nothing."""
    line, text = squeezed(sentence), unmarked(sentence)
    if _OPEN_END.search(text[-20:]) or _RULE.fullmatch(line) or _heading(line):
        return True
    return len(text) <= _LOOK and _COURTESY.search(text) is not None


def _heading(text: str) -> bool:
    """Say whether a line is a heading: marked as one, or short and bold, and no sentence with a full stop."""
    if _HASH.match(text):
        return not _STOP.search(text)
    bold = _BOLD.fullmatch(text)
    if not bold or len(bold[1]) < 2:
        return False
    inside = bold["inside"].strip()
    return not _STOP.search(inside) and len(words(inside)) <= _TITLE
