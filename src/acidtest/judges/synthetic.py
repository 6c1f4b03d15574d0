"""Replies that nobody gave: valid for a prompt, so that a metric goes on as it would after a real one.

They are built from the reply's schema alone, for any prompt: lists as long as what was numbered, items
with their numbers, words of the closed lists, quotes left empty. Their values mean nothing; only what a
metric asks next, and how long a real reply would be, is read from them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from acidtest.judges.schema import Schema, schema
from acidtest.ports import Prompt, Reply

PATHS = 6
"""Replies that differ: in every closed list the words take turns, so that a list of two and one of
three meet in all their combinations; numbers take the top and the bottom of their scale in turn."""

WORDS_A_TEXT = 15
"""A claim, a reason or a quote; prompts ask for one short sentence or a few words."""

CLAIMS_A_SENTENCE = 1.5

_TOKENS_A_WORD = 4 / 3
_TOKENS_A_MEMBER = 5  # its name in quotes, colon, comma
_DEEP = 8
_MOST_ITEMS = 100
_TEXT = "It is so, as the text in front of us says in so many plain words."
_EXCERPT = re.compile(r"[^\W\d_].{0,59}")


class _Way(NamedTuple):
    """How the values are chosen: which words, which text, how long a list of unknown length.

    With `apart`, texts of a list end in their number, since real ones differ.
    """

    path: int
    text: str
    items: int
    apart: bool


def synthetic(prompt: Prompt[Reply], fields: Mapping[str, Any], path: int) -> Reply | None:
    """Return a reply that its schema and `prompt.check` accept; None when none was found.

    Args:
        prompt: What is asked.
        fields: Of what; they may hold anything.
        path: Which of the `PATHS`.
    """
    form = schema(prompt, fields)
    for way in _ways(fields, path):
        try:
            reply = msgspec.convert(_value(form, form.get("$defs", {}), way), prompt.reply)
            if prompt.check is None or prompt.check(reply, fields) is None:
                return reply
        except Exception:  # noqa: BLE001, S112 - an own check may raise anything; the next way may do
            continue
    return None


def reply_tokens(form: Schema, fields: Mapping[str, Any]) -> float:
    """Return about how many tokens a reply of a form has.

    Texts have 15 words, lists the length that was asked for, and lists inside lists (the claims of a
    sentence) 1.5 items; a word has 4/3 of a token and every member of an object 5 for its name and
    punctuation. Reasoning that a model does not show is not in it.
    """
    items = next(iter(_counts(fields)), CLAIMS_A_SENTENCE)
    return _tokens(form, form.get("$defs", {}), items, 0)


def _ways(fields: Mapping[str, Any], path: int) -> Iterator[_Way]:
    lengths = [1, *_counts(fields), 0]
    for text in (_TEXT, *_excerpts(fields)):
        for items in dict.fromkeys(lengths):
            for apart in (True, False):
                yield _Way(path, text, items, apart)


def _counts(fields: Mapping[str, Any]) -> list[int]:
    return [
        n
        for n in fields.values()
        if isinstance(n, int) and not isinstance(n, bool) and 0 < n <= _MOST_ITEMS
    ][:3]


def _excerpts(fields: Mapping[str, Any]) -> list[str]:
    """Return how the texts of the fields begin: what must be in their language or stand in them."""
    found = (_EXCERPT.search(text) for text in fields.values() if isinstance(text, str))
    return [match[0] for match in found if match][:4]


def _value(node: Schema, defs: Schema, way: _Way, name: str = "", n: int = 0, deep: int = 0) -> Any:
    """Return a value for a node; `n` is its number in the list that it stands in, 0 outside lists."""
    node = _resolved(node, defs, deep)
    kind = node.get("type")
    if kind == "object":
        members = node.get("properties", {}).items()
        return {key: _value(each, defs, way, key, n, deep + 1) for key, each in members}
    if kind == "array":
        return _items(node, defs, way, name, deep)
    return _scalar(node, way, name, n)


def _resolved(node: Schema, defs: Schema, deep: int) -> Schema:
    """Return what a reference or a choice stands for: something rather than null, but not for ever."""
    while "$ref" in node or "anyOf" in node:
        if "$ref" in node:
            node = defs[node["$ref"].rpartition("/")[2]]
        else:
            options = sorted(node["anyOf"], key=lambda each: each.get("type") == "null")
            node = options[-1 if deep > _DEEP else 0]
    return node


def _items(node: Schema, defs: Schema, way: _Way, name: str, deep: int) -> list[Any]:
    if "prefixItems" in node:
        return [_value(each, defs, way, name, 0, deep + 1) for each in node["prefixItems"]]
    free = 0 if deep > _DEEP else min(way.items, 1) if deep > 1 else way.items
    count = node.get("minItems", free)
    inner = node.get("items") or {}
    return [_value(inner, defs, way, name, n, deep + 1) for n in range(1, count + 1)]


def _scalar(node: Schema, way: _Way, name: str, n: int) -> Any:
    kind = node.get("type")
    if node.get("enum"):
        return node["enum"][way.path % len(node["enum"])]
    if kind == "string":
        return "" if "quote" in name else f"{way.text} {n}" if n and way.apart else way.text
    top = way.path % 2 == 0
    if kind == "boolean":
        return top
    if kind == "integer":
        return n or int(node.get("maximum", 1) if top else node.get("minimum", 0))
    if kind == "number":
        return float(node.get("maximum", 1) if top else node.get("minimum", 0))
    return None


def _tokens(node: Schema, defs: Schema, items: float, deep: int) -> float:
    if deep > _DEEP:
        return 0.0
    node = _resolved(node, defs, deep)
    kind = node.get("type")
    if kind == "object":
        members = node.get("properties", {}).values()
        return 2 + sum(_TOKENS_A_MEMBER + _tokens(each, defs, items, deep + 1) for each in members)
    if kind == "array":
        count = node.get("minItems", items if deep <= 1 else CLAIMS_A_SENTENCE)
        return 2 + float(count) * _tokens(node.get("items") or {}, defs, items, deep + 1)
    return WORDS_A_TEXT * _TOKENS_A_WORD if kind == "string" and "enum" not in node else 2.0
