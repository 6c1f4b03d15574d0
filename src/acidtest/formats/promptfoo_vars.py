"""promptfoo's variables and assertions to the fields of a case.

A variable is text that promptfoo would put into a prompt. One that names a file (`file://...`) is not
read, and no assertion is ever run: both are counted as left behind. An assertion that holds the expected
answer (`equals`, `factuality`, `similar`, `context-recall`) gives the reference where no variable does, and
`is-refusal` says that the case must be declined where nothing labels it.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.codec.names import ANSWER_ANYWHERE, CASE, fold
from acidtest.codec.rows.row import Row, kind
from acidtest.formats.losses import Losses

FILE = "file://"
_QUESTIONS = (*CASE["question"], "prompt", "message", "user_message", "text")
_EXPECTED = ("equals", "factuality", "model-graded-factuality", "similar", "context-recall")
_REFUSAL = "is-refusal"
_LABELS = ("relevant", "relevant_docs", "evidence", "answerable")
_CODE = ("javascript", "python", "ruby", "webhook")
_KNOWN = {name: field for field, names in CASE.items() if field != "metadata" for name in names}
_OUTPUTS = frozenset(name for names in ANSWER_ANYWHERE.values() for name in names)


def fields(
    row: Row, given: Mapping[str, Any], asserts: list[Any], losses: Losses
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields of a case, and the variables that are none.

    Args:
        row: For the place of an error.
        given: The variables.
        asserts: The assertions of the test.
        losses: What is left behind is counted there.

    Raises:
        DataError: No variable is a question, or it has several values.
    """
    inline = {}
    for name, value in given.items():
        if isinstance(value, str) and value.startswith(FILE):
            losses.add(f"vars.{name}", "another file is named, and not read", row.where)
        else:
            inline[name] = value
    asked = _question(row, inline)
    found: dict[str, Any] = {"question": inline[asked]}
    more: dict[str, Any] = {}
    for name, value in inline.items():
        field = _KNOWN.get(fold(name))
        if name == asked or value is None:
            continue
        if field is None or field in found or fold(name) in _OUTPUTS:
            more[name] = value
        else:
            found[field] = value
    refused = [_is_refusal(one) for one in asserts]
    if any(refused) and not any(found.get(name) for name in _LABELS):
        found["answerable"] = False
        asserts = [one for one, told in zip(asserts, refused, strict=True) if not told]
    expected = _expected(row, asserts, inline, losses)
    if expected is not None:
        found.setdefault("reference", expected)
    return found, more


def _question(row: Row, given: Mapping[str, Any]) -> str:
    folded: dict[str, str] = {}
    for one in given:
        folded.setdefault(fold(one), one)
    name = next((folded[one] for one in _QUESTIONS if one in folded), None)
    if name is None and len(given) == 1:
        name = next(iter(given))
    if name is None:
        some = ", ".join(repr(one[:40]) for one in list(given)[:8]) or "none"
        raise row.fault(
            f"no variable is a question: there are {some}",
            field="vars",
            fix="Call the one that is asked: question.",
        )
    if not isinstance(given[name], str):
        raise row.fault(
            f"a question must be text, not {kind(given[name])}",
            field=f"vars.{name}",
            fix="A list stands for several tests: write a test for each.",
        )
    return name


def _expected(row: Row, asserts: list[Any], given: Mapping[str, Any], losses: Losses) -> str | None:
    found: dict[str, str] = {}
    for one in asserts:
        if not isinstance(one, dict) or not isinstance(one.get("type"), str):
            losses.add("assert", "not an assertion that is known", row.where)
            continue
        told, value = one["type"], one.get("value")
        name = _variable(value)
        if name is not None:
            value = given.get(name)
        coded = isinstance(one.get("value"), str) and one["value"].startswith(FILE)
        if told in _CODE or coded:
            losses.add(f"assert {told[:40]}", "code is never run here", row.where)
        elif told in _EXPECTED and isinstance(value, str) and value.strip():
            found.setdefault(told, value)
        else:
            losses.add(f"assert {told[:40]}", "a golden set has no assertions", row.where)
    best = next((told for told in _EXPECTED if told in found), None)
    for told in found:
        if told != best:
            losses.add(f"assert {told}", "another assertion gives the reference", row.where)
    return None if best is None else found[best]


def _is_refusal(one: object) -> bool:
    return isinstance(one, dict) and one.get("type") == _REFUSAL


def _variable(value: object) -> str | None:
    """Return the variable that a value of an assertion is, whole: `{{reference}}`."""
    if not isinstance(value, str):
        return None
    text = value.strip()
    if not (text.startswith("{{") and text.endswith("}}")):
        return None
    name = text[2:-2].strip()
    return name if name.isidentifier() else None
