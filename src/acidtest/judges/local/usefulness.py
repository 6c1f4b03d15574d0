"""The answer to `context_usefulness`: does a passage, alone, hold a sentence of the answer?"""

from collections.abc import Mapping
from typing import Any

from acidtest.judges.local.findings import Findings, findings
from acidtest.judges.local.remarks import remark
from acidtest.judges.local.rules import Thresholds
from acidtest.judges.local.source import source
from acidtest.text.language import guess
from acidtest.text.sentences import sentences

_SHORT = 4
"""Content words under which an answer says too little to be looked up without its question."""


def answer(fields: Mapping[str, Any], cut: Thresholds) -> dict[str, Any]:
    """Rule on numbered passages.

    Args:
        fields: `question`, `answer` and `passages`.
        cut: Where the rules cut.
    """
    said = str(fields["answer"])
    language = guess(said)
    statements = [s for s in sentences(said) if not remark(s)]
    question = str(fields["question"])
    return {
        "passages": [
            _ruling(number, passage, statements, question, language, cut)
            for number, passage in enumerate(fields["passages"], start=1)
        ]
    }


def _ruling(
    number: int, passage: str, statements: list[str], question: str, language: str, cut: Thresholds
) -> dict[str, Any]:
    ruled = {"passage": number}
    if not passage.strip():
        return {**ruled, "verdict": "useless", "why": "it is empty"}
    index = source((passage,))
    found = [f for f in (findings(s, index, language) for s in statements) if f.size]
    if sum(f.size for f in found) < _SHORT:
        found = [findings(f"{question} {' '.join(statements)}", index, language)]
    best = max(found, key=lambda f: f.share)
    verdict, why = _rule(best, cut)
    return {**ruled, "verdict": verdict, "why": why}


def _rule(best: Findings, cut: Thresholds) -> tuple[str, str]:
    words = f"{best.share:.0%} of the words of the answer's nearest sentence stand together in it"
    if best.share >= cut.useful:
        return "useful", words
    if best.share >= cut.useless:
        return "undecided", words
    if best.foreign:
        return "undecided", "answer and passage are in different languages"
    return "useless", words if best.share else "it shares no word with the answer"
