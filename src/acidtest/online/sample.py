"""Sampling: a share of the traces, chosen by their ids.

The same trace is chosen by every process, on every machine, in every version, and what is chosen at one
share is chosen at each larger one.
"""

import hashlib

_WHOLE = 2**64


def position(trace_id: str) -> float:
    """Return where a trace stands between 0 and 1, evenly spread whatever ids look like.

    The first 8 bytes of SHA-256 of the id in UTF-8, as a big-endian number, divided by 2**64.
    """
    return _number(trace_id) / _WHOLE


def sampled(trace_id: str, share: float) -> bool:
    """Say whether a trace is in a share, from 0 (none) to 1 (all): whether it stands below it."""
    return _number(trace_id) < share * _WHOLE


def _number(trace_id: str) -> int:
    digest = hashlib.sha256(trace_id.encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:8], "big")
