"""Canonical JSON and content hashes.

A content hash is `sha256:` and 64 hex digits over canonical JSON: keys sorted, no white space, UTF-8,
NFC left as it came.
"""

import hashlib
from typing import Any

import msgspec


def canonical(value: Any) -> bytes:
    """Return the one JSON text that stands for a value, whatever its key order was."""
    return msgspec.json.encode(msgspec.to_builtins(value), order="sorted")


def content_hash(value: Any) -> str:
    """Return the tagged hash of a value's canonical JSON."""
    return f"sha256:{hashlib.sha256(canonical(value)).hexdigest()}"
