"""YAML to rows, by the core schema of YAML 1.2: only true, false, null and plain numbers are not text.

So `no`, `007` and `2024-01-01` stay the text that they look like. Tags, merge keys and doubled keys
are refused; anchors are read as long as the expanded document stays small.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml
from yaml.reader import ReaderError

from acidtest.codec.rows.fault import LineFault
from acidtest.codec.rows.jsonlist import LISTS

MAX_NODES = 5_000_000
MAX_DEPTH = 60
_TAG = "tag:yaml.org,2002:"
_NULL = re.compile(r"(?:~|null|Null|NULL|)")
_BOOL = re.compile(r"(?:true|True|TRUE|false|False|FALSE)")
_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(
    r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+][0-9]{1,2})?"
)  # 1e5 is text in YAML 1.1


def items(text: str) -> Iterator[tuple[int, Any]]:
    """Yield line and value of each member of a YAML list, or of the list in a YAML mapping.

    Raises:
        LineFault: It is not YAML, or not a list of rows.
    """
    root = _compose(text)
    if root is None:
        return
    if isinstance(root, yaml.MappingNode):
        root = _find_list(root)
    if not isinstance(root, yaml.SequenceNode):
        raise LineFault("not a list of rows", line=_line(root), fix="Start each row with '- '.")
    budget = [MAX_NODES]
    for node in root.value:
        yield _line(node), _build(node, budget, 0)


def document(text: str) -> Any:
    """Return the value of a whole YAML document, whatever its shape.

    Raises:
        LineFault: It is not YAML, has tags, or grows too large.
    """
    root = _compose(text)
    return None if root is None else _build(root, [MAX_NODES], 0)


def _compose(text: str) -> Any:
    # BaseLoader's composer gives every plain scalar the tag str; types are told apart in `_scalar`.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        raise LineFault(
            f"not YAML: {fault.problem or fault.context}",
            line=mark.line + 1 if mark else 1,
            fix="Check indentation and quotes; texts with ': ' or '#' need quotes.",
        ) from fault
    except ReaderError as fault:
        raise LineFault(
            "not YAML: a control character is in the text",
            line=text.count("\n", 0, fault.position) + 1,
            fix='Write it as an escape in double quotes, such as "\\x07".',
        ) from fault
    except (yaml.YAMLError, RecursionError, ValueError) as fault:
        raise LineFault("not YAML that can be read") from fault
    _check_size(root)
    return root


def _check_size(root: Any) -> None:
    """Refuse a document whose anchors, written out, grow too large, before any of it is built."""
    if root is not None and _size(root, {}, 0) > MAX_NODES:
        raise _too_large(root)


def _size(node: Any, known: dict[int, int], depth: int) -> int:
    # Each node is counted once, however often it is named; one inside itself is endless.
    if isinstance(node, yaml.ScalarNode):
        return 1
    if depth > MAX_DEPTH:
        return MAX_NODES + 1
    size = known.get(id(node))
    if size is None:
        known[id(node)] = MAX_NODES + 1
        inner = (
            (part for pair in node.value for part in pair)
            if isinstance(node, yaml.MappingNode)
            else node.value
        )
        size = known[id(node)] = 1 + sum(_size(part, known, depth + 1) for part in inner)
    return size


def _too_large(node: Any) -> LineFault:
    return LineFault(
        "the document grows too large or nests too deep",
        line=_line(node),
        fix="Write repeated parts out instead of using anchors.",
    )


def _find_list(root: Any) -> Any:
    pairs = [(key.value, value) for key, value in root.value if isinstance(key.value, str)]
    found = [
        (key, value)
        for key, value in pairs
        if key in LISTS and isinstance(value, yaml.SequenceNode)
    ]
    if len(found) == 1:
        return found[0][1]
    if found:
        what = f"the mapping holds several lists: {', '.join(key for key, _ in found)}"
    else:
        named = ", ".join(repr(key[:40]) for key, _ in pairs[:8]) or "nothing"
        what = f"a mapping without a list of rows: it has {named}, and none of {', '.join(LISTS)}"
    raise LineFault(what, line=_line(root))


def _build(node: Any, budget: list[int], depth: int) -> Any:
    budget[0] -= 1
    if budget[0] < 0 or depth > MAX_DEPTH:
        raise _too_large(node)
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if isinstance(node, yaml.SequenceNode):
        _plain_tag(node, "seq")
        return [_build(member, budget, depth + 1) for member in node.value]
    _plain_tag(node, "map")
    built: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise LineFault("a key must be plain text", line=_line(key))
        if key.value in built:
            raise LineFault(f"the key {key.value[:60]!r} is given twice", line=_line(key))
        built[key.value] = _build(value, budget, depth + 1)
    return built


def _scalar(node: Any) -> Any:
    _plain_tag(node, "str")
    text: str = node.value
    if node.style:
        return text
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text.lower() == "true"
    if _INT.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _plain_tag(node: Any, name: str) -> None:
    if node.tag not in (f"{_TAG}{name}", "!", None, ""):
        raise LineFault(
            f"the tag {node.tag[:60]!r} is not read", line=_line(node), fix="Remove the tag."
        )


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1
