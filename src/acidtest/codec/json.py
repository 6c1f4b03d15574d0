"""Canonical JSON and content hashes.

A content hash is `sha256:` and 64 hex digits over canonical JSON: keys sorted, no white space, UTF-8,
NFC left as it came. Halves of surrogate pairs, which UTF-8 cannot hold, count as U+FFFD.
"""

import hashlib
from typing import Any

import msgspec

from acidtest.text.surrogates import without_halves_in


def canonical(value: Any) -> bytes:
    """Return the one JSON text that stands for a value, whatever its key order was."""
    built = msgspec.to_builtins(value)
    try:
        return msgspec.json.encode(built, order="sorted")
    except UnicodeEncodeError:
        return msgspec.json.encode(without_halves_in(built), order="sorted")


def content_hash(value: Any) -> str:
    """Return the tagged hash of a value's canonical JSON."""
    return f"sha256:{hashlib.sha256(canonical(value)).hexdigest()}"
