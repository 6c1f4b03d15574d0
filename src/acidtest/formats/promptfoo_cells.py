"""promptfoo's tests in the columns of a table, and assertions written in one cell."""

import re
from collections.abc import Mapping
from typing import Any

from acidtest.codec.rows.row import Row
from acidtest.formats.cells import cell
from acidtest.formats.losses import Losses
from acidtest.formats.promptfoo_vars import FILE

_ASSERTION = re.compile(
    r"(?P<type>(?:not-)?[a-z][a-z:-]*?)(?:\(\d+(?:\.\d+)?\))?:(?P<value>.*)", re.DOTALL
)
_OLD = {"fn": "javascript", "eval": "javascript", "grade": "llm-rubric"}
_TYPES = frozenset(
    (
        *("answer-relevance", "bleu", "classifier", "contains", "contains-all", "contains-any"),
        *("contains-json", "context-faithfulness", "context-recall", "context-relevance", "cost"),
        *("equals", "factuality", "g-eval", "icontains", "icontains-all", "icontains-any"),
        *("is-json", "javascript", "latency", "levenshtein", "llm-rubric", "python", "regex"),
        *("rouge-n", "similar", "starts-with", "webhook", "model-graded-closedqa", "is-refusal"),
    )
)
_METADATA = "__metadata:"
_COMMA = re.compile(r"(?<!\\),")


def from_cells(row: Row, losses: Losses) -> dict[str, Any]:
    """Return the test of a row: columns are variables, those that start with `__` promptfoo's own."""
    test: dict[str, Any] = {"vars": {}, "assert": [], "metadata": {}}
    for name, value in row.values.items():
        if not name.startswith("__"):
            test["vars"][name] = value
        elif value is None:
            continue
        elif name.startswith("__expected"):
            test["assert"].append(_assertion(value))
        elif name in ("__description", "__providerOutput"):
            test[name[2:]] = value
        elif name.startswith(_METADATA):
            key = name.removeprefix(_METADATA)
            test["metadata"][key.removesuffix("[]")] = _metadata(row, key, value)
        else:
            losses.add(name, "how promptfoo runs a test says nothing of the case", row.where)
    return test


def _metadata(row: Row, key: str, value: str) -> Any:
    """Return a cell of metadata: a list where the column's name ends in [], else text or JSON."""
    if key.endswith("[]"):
        return [part.strip().replace("\\,", ",") for part in _COMMA.split(value)]
    return cell(row, key, value)


def _assertion(given: str) -> dict[str, str]:
    """Return the assertion that a cell writes as `type:value`; a bare text is what must come out."""
    if given.startswith(FILE):
        return {"type": "python" if ".py" in given else "javascript", "value": given}
    parts = _ASSERTION.fullmatch(given)
    told = parts["type"] if parts else ""
    told = _OLD.get(told, told)
    if parts and told.removeprefix("not-") in _TYPES:
        return {"type": told, "value": parts["value"].strip()}
    bare = given.strip()
    if bare in _TYPES:
        return {"type": bare, "value": ""}
    return {"type": "equals", "value": given}


def to_cells(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a test."""
    row = dict(test["vars"])
    for number, one in enumerate(test.get("assert", ()), start=1):
        row[f"__expected{number}"] = (
            f"{one['type']}:{one['value']}" if "value" in one else one["type"]
        )
    row["__description"] = test["description"]
    if "providerOutput" in test:
        row["__providerOutput"] = test["providerOutput"]
    return row | {f"{_METADATA}{name}": value for name, value in test.get("metadata", {}).items()}
