"""Claims and their rulings: what a judge says of each claim, and the score that follows.

A text's sentences are numbered by us; for each the judge lists the claims it makes and rules on them
against the passages. Score = supported / decided, where decided leaves out what an abstaining judge
left open; nothing decided is a `Skip`. The counts behind the score are its `parts`: claims,
supported, unsupported, contradicted, undecided.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.asking import each_once, plain, shown

Ruling = Literal["supported", "unsupported", "contradicted", "undecided"]
RULINGS: tuple[Ruling, ...] = ("supported", "unsupported", "contradicted", "undecided")


class Claim(Struct, frozen=True, kw_only=True):
    """One claim of a sentence, ruled on.

    `passage` is the number of the passage that the ruling rests on, `quote` a short span that stands
    in it word for word (empty when none is given). `undecided` is for judges that abstain.
    """

    claim: str
    passage: int | None = None
    quote: str = ""
    why: str = ""
    verdict: Ruling


class Sentence(Struct, frozen=True, kw_only=True):
    """The claims of one numbered sentence; a sentence that claims nothing has none."""

    sentence: int
    claims: tuple[Claim, ...]


class Claims(Struct, frozen=True):
    """The reply: every sentence once."""

    sentences: tuple[Sentence, ...]


def check_claims(reply: Claims, fields: Mapping[str, Any]) -> str | None:
    """Say what is wrong with a reply to `sentences` and `passages`, or None."""
    texts: Sequence[str] = fields["passages"]
    complaint = each_once(
        (s.sentence for s in reply.sentences), len(fields["sentences"]), what="sentence"
    )
    if complaint is not None:
        return complaint
    return check_sources((claim for each in reply.sentences for claim in each.claims), texts)


class Sourced(Protocol):
    """What names the passage that it rests on."""

    @property
    def passage(self) -> int | None:
        """Its number; None when it rests on none."""

    @property
    def quote(self) -> str:
        """A span of it, or empty."""


def check_sources(rulings: Iterable[Sourced], texts: Sequence[str]) -> str | None:
    """Complain of a passage that does not exist and of a quote that does not stand in its passage."""
    seen: dict[int, str] = {}  # a passage may be long and quoted often
    for ruling in rulings:
        number = ruling.passage
        if number is not None and not 1 <= number <= len(texts):
            return f"there is no passage {number} (there are {len(texts)})"
        if not ruling.quote.strip():
            continue
        if number is None:
            return f"the quote {shown(ruling.quote, 60)} names no passage"
        if number not in seen:
            seen[number] = plain(texts[number - 1])
        if plain(ruling.quote) not in seen[number]:
            return f"the quote {shown(ruling.quote, 60)} is not in passage {number}"
    return None


def parts(rulings: Sequence[Ruling]) -> dict[str, float]:
    """Count the rulings under the names that every judged metric uses."""
    return {"claims": float(len(rulings))} | {r: float(rulings.count(r)) for r in RULINGS}


def score_claims(reply: Claims, *, of: str) -> Outcome:
    """Turn a reply into supported / decided claims.

    Args:
        reply: The checked reply.
        of: Whose claims they are, for the reasons: "answer" or "reference".
    """
    pairs = [(s.sentence, c) for s in sorted(reply.sentences, key=_number) for c in s.claims]
    counts = parts([claim.verdict for _, claim in pairs])
    if not pairs:
        return Skip(f"the {of} claims nothing")
    decided = counts["claims"] - counts["undecided"]
    if not decided:
        return Skip(f"undecided: the judge left every claim open ({len(pairs)})", counts)
    return Score(
        counts["supported"] / decided,
        reason=_reason(counts, [claim for _, claim in pairs]),
        evidence=tuple(record(claim, sentence) for sentence, claim in pairs),
        parts=counts,
    )


def all_unsupported(sentences: Sequence[str], *, why: str) -> Score:
    """Score sentences that nothing can support: 0, one claim a sentence, no judge asked."""
    claims = [
        (n, Claim(claim=text, verdict="unsupported", why=why))
        for n, text in enumerate(sentences, start=1)
    ]
    return Score(
        0.0,
        reason=why,
        evidence=tuple(record(claim, n) for n, claim in claims),
        parts=parts(["unsupported"] * len(claims)),
    )


def record(claim: Claim, sentence: int) -> dict[str, Any]:
    """Return the evidence record of one claim."""
    return {
        "claim": claim.claim,
        "sentence": sentence,
        "verdict": claim.verdict,
        "passage": claim.passage,
        "quote": claim.quote,
        "why": claim.why,
    }


def _reason(counts: Mapping[str, float], claims: Sequence[Claim]) -> str:
    decided = counts["claims"] - counts["undecided"]
    text = f"{counts['supported']:.0f} of {decided:.0f} claims supported"
    if counts["undecided"]:
        text += f", {counts['undecided']:.0f} left undecided"
    for verdict in ("contradicted", "unsupported"):
        first = next((c for c in claims if c.verdict == verdict), None)
        if first is not None:
            return f"{text}; {verdict}: {shown(first.claim)}"
    return text


def _number(sentence: Sentence) -> int:
    return sentence.sentence
