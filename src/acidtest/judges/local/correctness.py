"""The answer to `correctness`: does the answer hold the words of the reference?

A reference of a few words (a name, a number, a phrase) is there or it is not. A longer one can be said
in many ways: only an answer that holds every sentence of it by the rules for claims is called correct,
and none is called incorrect but one that shares nothing with it.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.judges.local.findings import Findings, findings
from acidtest.judges.local.remarks import remark
from acidtest.judges.local.rules import Thresholds, rule
from acidtest.judges.local.source import source
from acidtest.text.language import guess
from acidtest.text.sentences import sentences


def answer(fields: Mapping[str, Any], cut: Thresholds) -> dict[str, Any]:
    """Compare an answer with its reference.

    Args:
        fields: `reference` and `answer`.
        cut: Where the rules cut.
    """
    reference, said = str(fields["reference"]), str(fields["answer"])
    index = source((said,))
    language = guess(reference)
    statements = [s for s in sentences(reference) if not remark(s)] or [reference]
    found = [f for f in (findings(s, index, language) for s in statements) if f.size]
    if not found:
        return {"verdict": "undecided", "why": "the reference has no word to look for"}
    if sum(f.size for f in found) <= cut.short:
        verdict, why = _short(found)
    else:
        verdict, why = _long(found, cut)
    if verdict == "incorrect" and any(f.foreign for f in found):
        return {"verdict": "undecided", "why": "answer and reference are in different languages"}
    return {"verdict": verdict, "why": why}


def _short(found: list[Findings]) -> tuple[str, str]:
    missing = [word for f in found for word in f.missing]
    if all(f.share == 1 and not (f.stray_numbers or f.negation or f.denial) for f in found):
        return "correct", "it holds every word of the reference"
    if not any(f.share for f in found):
        return "incorrect", f"it holds no word of the reference ({', '.join(missing[:6])})"
    shown = ", ".join(missing[:6]) or "the words stand apart or negated"
    return "undecided", f"it holds a part of the reference; missing: {shown}"


def _long(found: list[Findings], cut: Thresholds) -> tuple[str, str]:
    rulings = [rule(f, cut) for f in found]
    if all(ruling == "supported" for ruling, _ in rulings):
        return "correct", "it holds every sentence of the reference"
    if not any(f.share for f in found):
        return "incorrect", "it shares no word with the reference"
    why = next(why for ruling, why in rulings if ruling != "supported")
    return "undecided", f"a sentence of the reference is not there word for word: {why}"
