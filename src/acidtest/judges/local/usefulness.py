"""The answer to `context_usefulness`: does a passage, alone, hold a sentence of the answer?"""

from collections.abc import Mapping
from typing import Any, Literal

from acidtest.judges.local.findings import Findings, findings
from acidtest.judges.local.remarks import remark
from acidtest.judges.local.rules import Thresholds
from acidtest.judges.local.source import source
from acidtest.text.kept import kept
from acidtest.text.language import guess
from acidtest.text.sentences import sentences

_SHORT = 4
"""Content words under which an answer says too little to be looked up without its question."""

Ruling = Literal["useful", "useless", "undecided"]


def answer(fields: Mapping[str, Any], cut: Thresholds) -> dict[str, Any]:
    """Rule on numbered passages.

    Args:
        fields: `question`, `answer` and `passages`.
        cut: Where the rules cut.
    """
    question, said = str(fields["question"]), str(fields["answer"])
    rulings = [
        (number, *rule(nearest(passage, said, question), cut))
        for number, passage in enumerate(fields["passages"], start=1)
    ]
    return {"passages": [{"passage": n, "verdict": v, "why": why} for n, v, why in rulings]}


def nearest(passage: str, said: str, question: str) -> Findings:
    """Return what is found in a passage of that sentence of the answer that is closest to it."""
    index = source((passage,))
    language = guess(said)
    found = [f for f in (findings(s, index, language) for s in _statements(said)) if f.size]
    if sum(f.size for f in found) < _SHORT:
        return findings(f"{question} {said}", index, language)
    return max(found, key=lambda f: f.close)


@kept(most=32, longest=20_000)
def _statements(said: str) -> tuple[str, ...]:
    return tuple(sentence for sentence in sentences(said) if not remark(sentence))


def rule(best: Findings, cut: Thresholds) -> tuple[Ruling, str]:
    """Return the ruling on a passage by its nearest sentence, and why."""
    why = f"{best.share:.0%} of the words of the answer's nearest sentence stand together in it"
    if best.close >= cut.useful:
        return "useful", why
    if best.close >= cut.useless:
        return "undecided", why
    if best.foreign:
        return "undecided", "answer and passage are in different languages"
    return "useless", why if best.share else "it shares no word with the answer"
