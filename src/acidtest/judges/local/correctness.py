"""The answer to `correctness`: does the answer hold the words of the reference?

A reference of a few words (a name, a number, a phrase) is there or it is not. A longer one can be said
in many ways: only an answer that holds every sentence of it by the rules for claims is called correct,
and none is called incorrect but one that shares nothing with it.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.judges.local.findings import Findings, findings
from acidtest.judges.local.phrase import short
from acidtest.judges.local.remarks import remark
from acidtest.judges.local.rules import Thresholds, rule
from acidtest.judges.local.source import source
from acidtest.judges.local.terms import unmarked
from acidtest.text.language import guess
from acidtest.text.scripts import main_script
from acidtest.text.sentences import sentences
from acidtest.text.words import words

_MARKS = "\"'([{“‘«„"
_TELLS = 5
"""Words from which on a text's language can be told from its function words."""


def answer(fields: Mapping[str, Any], cut: Thresholds) -> dict[str, Any]:
    """Compare an answer with its reference.

    Args:
        fields: `reference`, `answer` and, if there is one, `question`.
        cut: Where the rules cut.
    """
    reference, said = str(fields["reference"]), str(fields["answer"])
    question = str(fields.get("question", ""))
    index = source((said,))
    language = guess(reference)
    statements = [s for s in sentences(reference) if not remark(s)] or [reference]
    looked_up = [(s, findings(s, index, language)) for s in statements]
    found = [f for _, f in looked_up if f.size]
    if not found:
        return {"verdict": "undecided", "why": "the reference has no word to look for"}
    if sum(f.size for f in found) <= cut.short:
        verdict, why = short(reference, said, question)
        foreign = _foreign(question, reference, said)
    else:
        verdict, why = _long(found, _unheld([s for s, _ in looked_up], found), cut)
        foreign = any(f.foreign for f in found)
    if verdict == "incorrect" and foreign:
        return {"verdict": "undecided", "why": "answer and reference are in different languages"}
    return {"verdict": verdict, "why": why}


def _foreign(question: str, reference: str, said: str) -> bool:
    """Say whether an answer is in another language, as far as its length lets that be told."""
    if main_script(reference) != main_script(said):
        return True
    return len(words(said)) >= _TELLS and guess(f"{question} {reference}") != guess(said)


def _unheld(statements: list[str], found: list[Findings]) -> str | None:
    """Return a word with a capital that the answer has nowhere: it may be the name that all hangs on."""
    said = [word for statement in statements for word in unmarked(statement).split()]
    capitals = {w for word in said if word.lstrip(_MARKS)[:1].isupper() for w in words(word)}
    return next((word for f in found for word in f.missing if word in capitals), None)


def _long(found: list[Findings], unheld: str | None, cut: Thresholds) -> tuple[str, str]:
    rulings = [rule(f, cut) for f in found]
    if all(ruling == "supported" for ruling, _ in rulings):
        if unheld:
            return "undecided", f'it has not "{unheld[:60]}" of the reference, which may be a name'
        return "correct", "it holds every sentence of the reference"
    if not any(f.share for f in found):
        return "incorrect", "it shares no word with the reference"
    why = next(why for ruling, why in rulings if ruling != "supported")
    return "undecided", f"a sentence of the reference is not there word for word: {why}"
