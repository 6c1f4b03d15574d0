"""An answer with its claims marked, and passages with the quotes that claims rest on.

Claims come from the evidence of `faithfulness`: each names the number of its sentence, its verdict,
the passage and a quote. A sentence takes the gravest verdict of its claims; what no claim speaks of
stays plain.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult
from acidtest.report.clean import REPLACEMENT, clean, clip
from acidtest.text.sentences import spans

LONGEST_ANSWER = 20_000
LONGEST_CHUNK = 3_000
MOST_CLAIMS = 100

_GRAVEST = ("contradicted", "unsupported", "undecided", "supported")


class ClaimView(Struct, frozen=True, kw_only=True):
    """One claim as it is shown; `number` counts from 1 within the case."""

    number: int
    text: str
    verdict: str
    sentence: int | None = None
    passage: int | None = None
    quote: str = ""
    why: str = ""


class Piece(Struct, frozen=True):
    """A stretch of text, and how it is marked: a verdict, `quote`, or nothing."""

    text: str
    mark: str = ""
    claims: tuple[ClaimView, ...] = ()


def claims_of(case: CaseResult) -> tuple[ClaimView, ...]:
    """Return the claims of the answer with their verdicts, in order; none when none were judged."""
    for name in ("faithfulness", "faithfulness_binary"):
        outcome = case.scores.get(name)
        if isinstance(outcome, Score):
            records = [r for r in outcome.evidence[:MOST_CLAIMS] if isinstance(r, dict)]
            views = [
                _claim(n, record) for n, record in enumerate(records, 1) if "verdict" in record
            ]
            if views:
                return tuple(views)
    return ()


def _claim(number: int, record: dict[Any, Any]) -> ClaimView:
    return ClaimView(
        number=number,
        text=str(record.get("claim") or ""),
        verdict=str(record["verdict"]),
        sentence=_whole(record.get("sentence")),
        passage=_whole(record.get("passage")),
        quote=str(record.get("quote") or ""),
        why=str(record.get("why") or ""),
    )


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


def shown_answer(text: str) -> str:
    """Return an answer as it is shown, fit to be cut into sentences."""
    # Lone surrogates cannot be encoded, which the sentence splitter does; the length stays.
    return re.sub("[\ud800-\udfff]", REPLACEMENT, clip(text, LONGEST_ANSWER))


def marked_answer(text: str, claims: Sequence[ClaimView]) -> tuple[Piece, ...]:
    """Return the answer in pieces, a sentence each where claims speak of it."""
    shown = shown_answer(text)
    if not claims:
        return (Piece(shown),)
    by_sentence: dict[int, list[ClaimView]] = {}
    for claim in claims:
        if claim.sentence is not None:
            by_sentence.setdefault(claim.sentence, []).append(claim)
    pieces = []
    for number, (start, end) in enumerate(spans(shown), 1):
        said = tuple(by_sentence.get(number, ()))
        body = shown[start:end]
        trail = body[len(body.rstrip()) :]
        pieces.append(Piece(body.rstrip(), _gravest(said), said))
        pieces.append(Piece(trail))
    return tuple(pieces) or (Piece(shown),)


def _gravest(claims: Iterable[ClaimView]) -> str:
    verdicts = {claim.verdict for claim in claims}
    return next((verdict for verdict in _GRAVEST if verdict in verdicts), "")


def marked_passage(text: str, quotes: Iterable[str]) -> tuple[Piece, ...]:
    """Return a passage in pieces, with the quotes marked that stand in it (white space aside)."""
    text = clip(clean(text), LONGEST_CHUNK)
    found = sorted(filter(None, (_find(text, quote) for quote in quotes)))
    pieces = []
    at = 0
    for start, end in found:
        if start < at:
            continue
        pieces += [Piece(text[at:start]), Piece(text[start:end], "quote")]
        at = end
    pieces.append(Piece(text[at:]))
    return tuple(piece for piece in pieces if piece.text)


def _find(text: str, quote: str) -> tuple[int, int] | None:
    words = clean(quote).split()[:200]
    if not words:
        return None
    match = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return match.span() if match else None
