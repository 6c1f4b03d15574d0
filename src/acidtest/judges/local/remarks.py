"""Remarks: sentences that claim nothing of the world - questions, headings, courtesies, offers of help.

They are told by their end (`?`, `:`), by their form (a heading, a line that is bold from end to end) and
by a short list of phrases per language. What is no remark may still be no claim; then it is judged
like one.
"""

import re

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
_HEADING = re.compile(
    r"\s*(?:#{1,6}\s|[-=_*]{3,}\s*\Z|\*\*[^*]{1,120}\*\*:?\s*\Z|__[^_]{1,120}__:?\s*\Z)"
)
_OPEN_END = re.compile(r"[?？؟:：][\s\"'”’»)\]*_]*\Z")
_LOOK = 400


def remark(sentence: str) -> bool:
    """Say whether a sentence claims nothing."""
    if _HEADING.match(sentence) or _OPEN_END.search(sentence[-20:]):
        return True
    return len(sentence) <= _LOOK and _COURTESY.search(sentence.strip()) is not None
