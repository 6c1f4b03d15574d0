"""Rules that choose traces which are always scored, and why a trace was chosen."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from acidtest.data.answers import Chunk
from acidtest.data.traces import Trace
from acidtest.online.config import OnlineConfig
from acidtest.online.sample import sampled

SAMPLE = "sample"

_PRIORITY = {"thumbs-down": 1, "error": 2, "tag": 2, "model": 2, SAMPLE: 5}
_USUAL = 3
_ENOUGH = 40
"""Latencies from which on it can be said what is slow here."""

_SHOWN = 60
"""Characters of a name that a reason shows."""


class Seen(NamedTuple):
    """What rules know besides the trace.

    `declined` says whether the answer declines, `slow_ms` what slow is (None: not known), `new` which of the
    trace's documents no trace had before.
    """

    declined: bool = False
    slow_ms: float | None = None
    new: AbstractSet[str] = frozenset()


class Choice(NamedTuple):
    """Why a trace is scored, and how urgently (smaller first)."""

    why: str
    priority: int


def choose(trace: Trace, config: OnlineConfig, seen: Seen) -> Choice | None:
    """Return why a trace is scored, all reasons in one; None where it is not."""
    reasons: dict[str, str] = {}
    for rule in config.always:
        why = _said(rule, trace, seen)
        if why is not None:
            reasons[rule] = why
    if sampled(trace.id, config.sample):
        reasons[SAMPLE] = SAMPLE
    if not reasons:
        return None
    priority = min(_PRIORITY.get(rule.partition(":")[0], _USUAL) for rule in reasons)
    return Choice("; ".join(reasons.values()), priority)


def _said(rule: str, trace: Trace, seen: Seen) -> str | None:
    """Return what a rule says of a trace; None where it does not hold."""
    kind, _, name = rule.partition(":")
    if kind == "tag":
        return f"tag {name}" if name in trace.tags else None
    if kind == "model":
        return f"model {name}" if name == trace.model else None
    return _RULES[rule](trace, seen)


def _thumbs_down(trace: Trace, _seen: Seen) -> str | None:
    return "thumbs-down" if any(given.good is False for given in trace.feedback) else None


def _error(trace: Trace, _seen: Seen) -> str | None:
    return "error" if trace.error is not None else None


def _abstained(_trace: Trace, seen: Seen) -> str | None:
    return "abstained" if seen.declined else None


def _slow(trace: Trace, seen: Seen) -> str | None:
    total = trace.latency_ms.total if trace.latency_ms else None
    if total is None or seen.slow_ms is None or not total > seen.slow_ms:
        return None
    return f"slow: {total:,.0f} ms is over {seen.slow_ms:,.0f} ms"


def _new_document(trace: Trace, seen: Seen) -> str | None:
    names = [n for n in document_names(trace) if document_hash(n) in seen.new]
    return f"new document: {_line(names[0])}" if names else None


_RULES: Mapping[str, Callable[[Trace, Seen], str | None]] = {
    "thumbs-down": _thumbs_down,
    "error": _error,
    "abstained": _abstained,
    "slow": _slow,
    "new-document": _new_document,
}


def slow_over(latencies: Sequence[float]) -> float | None:
    """Return the 95th percentile of the latest latencies; None where they are fewer than 40."""
    if len(latencies) < _ENOUGH:
        return None
    return sorted(latencies)[len(latencies) * 95 // 100]


def document_names(trace: Trace) -> list[str]:
    """Return the documents that a trace retrieved, each once: by document, else source, else chunk."""
    names = (_document(chunk) for chunk in trace.retrieved or ())
    return [name for name in dict.fromkeys(names) if name]


def document_hash(name: str) -> str:
    """Return what a document is remembered by."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()


def _document(chunk: Chunk) -> str | None:
    return chunk.doc_id or chunk.source or chunk.id


def _line(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name[:_SHOWN])
