"""Asking a judge: the call that judged metrics share, and the checks on what came back.

The denominator is what was asked, never what came back: whatever is judged is numbered by us, and
every number must return exactly once.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.ports import Judge, Prompt, Reply
from acidtest.text.refusal import declined

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})


async def ask(judge: Judge, prompt: Prompt[Reply], fields: Mapping[str, Any]) -> Reply | Skip:
    """Ask one prompt and return the checked reply.

    Returns:
        The reply, or the judge's `Skip` when it cannot judge this.

    Raises:
        JudgeError: The reply fails the prompt's own check; `detail` is the raw reply.
    """
    verdict = await judge.ask(prompt, **fields)
    if isinstance(verdict, Skip):
        return verdict
    complaint = prompt.check(verdict.reply, fields) if prompt.check else None
    if complaint is not None:
        raise JudgeError(
            f"the judge's reply to {prompt.name!r} is not valid: {complaint}",
            where=f"judge {judge.model}",
            detail=verdict.raw or repr(verdict.reply),
        )
    return verdict.reply


def passages(chunks: Sequence[Chunk]) -> list[str]:
    """Return the texts of the chunks in ranked order; number n is the n-th, counted from 1."""
    return [chunk.text or "" for chunk in chunks]


def without_text(chunks: Sequence[Chunk]) -> bool:
    """Say whether chunks came, but none with a text (a pipeline that returns ids only)."""
    return bool(chunks) and all(chunk.text is None for chunk in chunks)


def unjudgeable(
    of: str, text: str, chunks: Sequence[Chunk], *, so: str = "it claims nothing"
) -> Skip | None:
    """Return why nobody need be asked about a text and its contexts, or None.

    Args:
        of: What the text is, for the reason: "answer" or "reference".
        text: One that is empty or declines has nothing to be judged.
        chunks: Such as come without any text cannot be judged by.
        so: What follows from its declining.
    """
    if not text.strip():
        return Skip(f"the {of} is empty")
    if declined(text).declined:
        return Skip(f"the {of} declines: {so}")
    if without_text(chunks):
        return Skip("the contexts came without text")
    return None


def each_once(numbers: Iterable[int], asked: int, *, what: str) -> str | None:
    """Complain unless the numbers are 1..asked, each exactly once."""
    said, expected = list(numbers), range(1, asked + 1)
    if said == list(expected):
        return None
    seen = Counter(said)
    missing = [n for n in expected if n not in seen]
    doubled = [n for n, times in seen.items() if times > 1]
    unknown = [n for n in seen if n not in expected]
    for fault, which in (("missing", missing), ("doubled", doubled), ("unknown", unknown)):
        if which:
            shown = ", ".join(map(str, sorted(which)[:10]))
            return f"{what} {shown} {fault} (asked: 1 to {asked})"
    return None


def plain(text: str) -> str:
    """Return a text for comparing quotes: one space, one case, one kind of quote mark."""
    return re.sub(r"\s+", " ", text.translate(_QUOTES)).strip().casefold()


def shown(text: str, limit: int = 120) -> str:
    """Return a text on one line, quoted and cut, for a reason."""
    line = " ".join(text.split())
    return json.dumps(line if len(line) <= limit else f"{line[: limit - 1]}…", ensure_ascii=False)
