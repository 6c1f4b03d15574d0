"""The bodies of OTLP's answers, in the encoding of the question.

They are few and small: written by hand, so that an answer needs no library.
"""

from typing import Literal

import msgspec

Encoding = Literal["protobuf", "json"]

CONTENT_TYPES: dict[Encoding, bytes] = {
    "protobuf": b"application/x-protobuf",
    "json": b"application/json",
}

_MOST = 500  # characters of a message


def taken(encoding: Encoding, refused: int, why: str) -> bytes:
    """Return an `ExportTraceServiceResponse`: empty, or a partial success where spans were refused."""
    if encoding == "json":
        if not refused:
            return b"{}"
        partial = {"rejectedSpans": str(refused), "errorMessage": why[:_MOST]}
        return msgspec.json.encode({"partialSuccess": partial})
    if not refused:
        return b""
    return _bytes(1, _number(1, refused) + _bytes(2, _text(why)))


def status(encoding: Encoding, code: int, message: str) -> bytes:
    """Return a `google.rpc.Status`.

    Args:
        encoding: How to write it.
        code: Of `google.rpc.Code`.
        message: What went wrong.
    """
    if encoding == "json":
        return msgspec.json.encode({"code": code, "message": message[:_MOST]})
    return _number(1, code) + _bytes(2, _text(message))


def _text(message: str) -> bytes:
    return message[:_MOST].encode("utf-8", "replace")


def _number(field: int, value: int) -> bytes:
    return bytes((field << 3,)) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return bytes((field << 3 | 2,)) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
