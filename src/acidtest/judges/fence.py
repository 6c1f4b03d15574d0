"""Fences: every field of a prompt stands between markers that nothing inside it can forge.

A field's marker is a hash of the field's own text with a counter. The counter is raised until the
marker occurs in no field of the prompt, so whatever an attacker plants, also the marker that the text
would have had, it is never the marker in use. Being a hash, it is the same at every repeat: caches hit,
runs resume, and a provider's prompt cache serves equal beginnings.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

import msgspec

from acidtest.text.surrogates import without_halves

MARKER = 8
"""Hex digits of a marker: few tokens; it is safe because it is looked for, not because it is long."""

_HEX = re.compile(rb"(?=([0-9a-f]{%d}))" % MARKER)
_INVISIBLE = bytes(set(range(32)) - set(b"\t\n\r")) + b"\x7f"
_CONTROL_TOKENS = re.compile(
    r"<(?=[|｜][^<>\s]{1,60}[|｜]>)"  # <|im_start|>, <|eot_id|>, <｜User｜>
    r"|<(?=/?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn)>)"
    r"|<(?=</?SYS>>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])"
)
_of_one_case = lru_cache(maxsize=16)
"""Several prompts ask about the same passages, mostly one after the other."""


def texts(value: Any) -> tuple[str, ...] | str:
    """Return a field as it is shown: one text, or the items of a numbered list.

    Two things are changed, because no server can be trusted with them: half a surrogate pair, which
    no wire carries, becomes U+FFFD, and a chat template's control token gets a space after its first
    character, because servers read it as the end of the turn wherever it stands.
    """
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return _all_clean(tuple(item if isinstance(item, str) else _json(item) for item in value))
    return _clean(_json(value))


def markers(fields: Mapping[str, tuple[str, ...] | str]) -> dict[str, str]:
    """Return the marker of every field; none occurs in any field, however it is written.

    Upper case, look-alike digits and invisible characters between them count as an occurrence.
    """
    everything = b"\n".join(_plain(value) for value in fields.values())
    taken = _occurs_in(everything)
    return {name: _marker(value, taken) for name, value in fields.items()}


def fenced(name: str, value: tuple[str, ...] | str, marker: str) -> str:
    """Return a field between its markers; the items of a list are numbered from 1.

    `passages` of two items are `<passage 1 MARK>`, text, `</passage 1 MARK>`, and so on.
    """
    if isinstance(value, str):
        return _block(f"{name} {marker}", value)
    if not value:
        return _block(f"{name} {marker}", "(none)")
    one = name.removesuffix("s")
    return "\n".join(_block(f"{one} {n} {marker}", item) for n, item in enumerate(value, start=1))


def _block(tag: str, text: str) -> str:
    return f"<{tag}>\n{text}\n</{tag}>"


def _items(value: tuple[str, ...] | str) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        yield from value


def _marker(value: tuple[str, ...] | str, taken: Callable[[bytes], bool]) -> str:
    digest, first = _digest(value)
    if not taken(first.encode()):
        return first
    return next(code for code in _codes(digest) if not taken(code.encode()))


@_of_one_case
def _digest(value: tuple[str, ...] | str) -> tuple[Any, str]:
    """Return the hash of a field, to be counted on, and the first marker that it gives."""
    digest = hashlib.sha256()
    for text in _items(value):
        data = text.encode()
        digest.update(b"%d:" % len(data) + data)  # lengths, so that ["ab"] is not ["a", "b"]
    return digest, next(_codes(digest))


def _codes(digest: Any) -> Iterator[str]:
    for counter in count():
        again = digest.copy()
        again.update(b"#%d" % counter)
        yield again.hexdigest()[:MARKER]


def _occurs_in(text: bytes) -> Callable[[bytes], bool]:
    """Return the question "does it occur?"; its cost stays linear when thousands are planted."""
    planted: set[bytes] = set()

    def occurs(marker: bytes) -> bool:
        if not planted:
            if marker not in text:
                return False
            planted.update(_HEX.findall(text))
        return marker in planted

    return occurs


@_of_one_case
def _plain(value: tuple[str, ...] | str) -> bytes:
    """Return what a reader may take texts for, as far as markers go: lower-case ASCII."""
    text = value if isinstance(value, str) else "\n".join(value)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return text.encode("ascii", "ignore").lower().translate(None, _INVISIBLE)


@_of_one_case
def _all_clean(items: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_clean, items))


def _clean(text: str) -> str:
    text = without_halves(text)
    if "<" in text or "[" in text:
        return _CONTROL_TOKENS.sub(lambda found: f"{found[0]} ", text)
    return text


def _json(value: Any) -> str:
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False)
