"""promptfoo: the tests of a configuration or of a file of tests, in YAML, JSON, JSON lines and CSV.

In CSV the columns are variables; those that start with `__` are promptfoo's own: `__expected`,
`__description`, `__providerOutput`, `__metadata:KEY`. No file that a test names is read, nothing is run.
"""

import re
from collections.abc import Mapping
from typing import Any

from acidtest.atomic import write_whole
from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.formats.beside import packed
from acidtest.formats.beside import unpacked as taken_out
from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.leave import fields_left, scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.promptfoo_cells import from_cells, to_cells
from acidtest.formats.promptfoo_vars import FILE, fields
from acidtest.formats.source import Source
from acidtest.formats.write_rows import ending_of, json_text, table_text, yaml_text

_READ = ("vars", "assert", "description", "metadata", "providerOutput")
_HELD = frozenset(("question", "reference"))
_ENDINGS = (".yaml", ".json", ".jsonl", ".csv")
_TEMPLATE = re.compile(r"\{[{%#]")


def _sniff(source: Source) -> Likeness:
    if any(key.startswith("__expected") for key in source.keys):
        return 2
    tests = _listed(source.document) if source.form in ("yaml", "json") else source.head
    if isinstance(tests, str):
        return 2
    first = tests[0] if tests else None
    if isinstance(first, str):
        return 2 if first.startswith(FILE) else 0
    return 2 if isinstance(first, dict) and isinstance(first.get("vars"), dict) else 0


def _listed(document: object) -> Any:
    return document.get("tests") if isinstance(document, dict) else document


def _read(source: Source) -> Found:
    losses = Losses()
    if source.form in ("csv", "tsv"):
        rows = [_case(row, from_cells(row, losses), losses) for row in source.rows]
    else:
        rows = _tests(source, losses)
    found = tuple(row for row in rows if row is not None)
    if not found:
        raise source.fault(
            "no test has its variables in this file", fix="Convert the file of them."
        )
    return Found(rows=found, losses=losses.told())


def _tests(source: Source, losses: Losses) -> list[Row | None]:
    if source.form == "jsonl":
        return [_case(row, row.values, losses) for row in source.rows]
    document = source.document
    tests = _listed(document)
    if isinstance(tests, str):
        raise source.fault(
            f"the tests are in another file: {tests[:200]!r}",
            at="tests",
            fix="Convert that file.",
        )
    shared = document.get("defaultTest") if isinstance(document, dict) else None
    default = shared if isinstance(shared, dict) else {}
    for _ in _assertions(default):
        losses.add(
            "defaultTest.assert", "a golden set has no assertions", f"{source.path}: defaultTest"
        )
    inline = []
    for number, test in enumerate(tests if isinstance(tests, list) else (), start=1):
        if isinstance(test, str):
            losses.add(
                "tests", "another file is named, and not read", f"{source.path}: test {number}"
            )
        else:
            inline.append(test)
    given_to_all = default.get("vars")
    variables: dict[str, Any] = given_to_all if isinstance(given_to_all, dict) else {}
    found = []
    for row in source.under(inline, "test"):
        given = row.values.get("vars")
        values = (
            {**row.values, "vars": {**variables, **given}}
            if isinstance(given, dict)
            else row.values
        )
        found.append(_case(row, values, losses))
    return found


def _assertions(test: Mapping[str, Any]) -> list[Any]:
    """Return the assertions of a test, those of sets among them."""
    found = []
    given = test.get("assert")
    for one in given if isinstance(given, list) else ():
        inner = one.get("assert") if isinstance(one, dict) else None
        found += inner if isinstance(inner, list) else [one]
    return found


def _case(row: Row, test: Mapping[str, Any], losses: Losses) -> Row | None:
    given = test.get("vars")
    if not isinstance(given, dict):
        losses.add("vars", "they are in another file, which is not read", row.where)
        return None
    values, more = fields(row, given, _assertions(test), losses)
    metadata = test.get("metadata")
    metadata, inner = taken_out(metadata if isinstance(metadata, dict) else {})
    values |= inner
    description = test.get("description")
    if isinstance(description, str) and description != inner.get("id"):
        more["description"] = description
    if test.get("providerOutput") is not None:
        values["generated_answer"] = test["providerOutput"]
    for name, value in test.items():
        if name not in _READ and value not in (None, {}, []):
            losses.add(name, "how promptfoo runs a test says nothing of the case", row.where)
    values["metadata"] = {**more, **metadata}
    return Row(where=row.where, values=values, error=row.error, flat=row.flat)


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no questions to write, and a test needs one",
            fix="Give a file that has questions.",
        )
    suffix = ending_of(path, _ENDINGS)
    answers = {answer.case_id: answer for answer in exchanged.answers}
    losses = Losses()
    tests = [_test(case, answers.get(case.id), losses) for case in exchanged.golden]
    if suffix == ".csv":
        content = table_text([to_cells(test) for test in tests])
    elif suffix == ".yaml":
        content = yaml_text(tests)
    elif suffix == ".json":
        content = json_text(tests)
    else:
        content = b"".join(json_text(test).replace(b"\n", b"") + b"\n" for test in tests)
    write_whole(path, content)
    fields_left(losses, exchanged.answers, ("case_id", "text"), "promptfoo has no place for it")
    scores_left(losses, exchanged, "promptfoo's tests hold no scores")
    return losses.told()


def _test(case: Case, answer: Answer | None, losses: Losses) -> dict[str, Any]:
    variables = {"question": case.question}
    test: dict[str, Any] = {"description": case.id, "vars": variables}
    if case.reference is not None:
        variables["reference"] = case.reference
    if not case.answerable:
        test["assert"] = [{"type": "is-refusal"}]
    elif case.reference is not None:
        test["assert"] = [{"type": "factuality", "value": "{{reference}}"}]
    metadata = packed(case, _HELD)
    if metadata:
        test["metadata"] = metadata
    if answer is not None and answer.text is not None:
        test["providerOutput"] = answer.text
    for name, text in variables.items():
        if _TEMPLATE.search(text) or text.startswith(FILE):
            losses.add(name, "promptfoo takes {{, {% and file:// for its own", case.id)
    return test


FORMAT = Format(
    name="promptfoo", sniff=_sniff, read=_read, write=_write, endings=_ENDINGS, outputs=True
)
