"""The answer to `faithfulness` and `context_recall`: every sentence is a claim, looked up in the passages."""

from collections.abc import Mapping
from typing import Any

from acidtest.judges.local.findings import findings
from acidtest.judges.local.remarks import remark
from acidtest.judges.local.rules import Thresholds, rule
from acidtest.judges.local.source import Source, source
from acidtest.judges.local.terms import squeezed, unmarked
from acidtest.text.language import guess
from acidtest.text.refusal import declined

_QUOTE = 300
"""Characters of a quote: enough to find the place."""


def answer(fields: Mapping[str, Any], cut: Thresholds) -> dict[str, Any]:
    """Rule on numbered sentences.

    Args:
        fields: `sentences` and `passages`.
        cut: Where the rules cut.
    """
    sentences: list[str] = fields["sentences"]
    index = source(tuple(fields["passages"]))
    language = guess("\n".join(sentences))
    return {
        "sentences": [
            {"sentence": number, "claims": _claims(sentence, index, language, cut)}
            for number, sentence in enumerate(sentences, start=1)
        ]
    }


def _claims(sentence: str, index: Source, language: str, cut: Thresholds) -> list[dict[str, Any]]:
    if remark(sentence) or declined(squeezed(sentence)).declined:
        return []
    found = findings(sentence, index, language)
    if not found.size:
        return []
    ruling, why = rule(found, cut)
    claim: dict[str, Any] = {"claim": unmarked(sentence), "verdict": ruling, "why": why}
    if found.window and ruling != "unsupported":
        claim |= {"passage": found.window.passage, "quote": found.window.text[:_QUOTE]}
    return [claim]
