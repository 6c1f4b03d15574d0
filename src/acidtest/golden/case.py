"""One row of a golden set to a `Case`, and the answer that it may carry.

`answer` in a golden set is ambiguous: it is read as the generated one where the row has a field for
the reference too (filled or null) or retrieved contexts; alone it is an error that asks which.
"""

from typing import Any

from acidtest.codec.answers import FIELDS, answer
from acidtest.codec.fields import Given, lookup, pick
from acidtest.codec.names import ANSWER_ANYWHERE, CARRIED, CASE, fold
from acidtest.codec.rows.plain import plain
from acidtest.codec.rows.row import Row, shown
from acidtest.codec.values import flag, identifier, text
from acidtest.data.answers import Answer
from acidtest.data.golden import Case, Turn
from acidtest.golden import parts
from acidtest.golden.abstain import settle
from acidtest.golden.ids import NO_ID
from acidtest.golden.labels import grades

_AMBIGUOUS = "answer"
_KNOWN = lookup(
    CASE, ANSWER_ANYWHERE, {"answer": (_AMBIGUOUS,)}, {name: (name,) for name in CARRIED}
)
_WORDS = ("group", "split", "source")


def read_case(row: Row) -> tuple[Case, Answer | None]:
    """Return the case of one row, and the recorded answer where the row fills one in.

    A case without an id has `NO_ID`.

    Raises:
        DataError: A field is unknown, missing, filled twice or not what it should be; the message
            names file, line and field.
    """
    fields = pick(row, _KNOWN)
    _refuse_ambiguous(row, fields)
    if "question" not in fields:
        raise row.fault(
            "has no question",
            fix="Every case needs one; the field may be called question, query, user_input or input.",
        )
    question = text(row, fields["question"])
    said = parts.history(row, fields["history"]) if "history" in fields else ()
    case_id = identifier(row, fields["id"]) if "id" in fields else NO_ID
    case = _case(row, fields, case_id, question, said)
    # Templates leave outputs empty: only what is filled was recorded.
    recorded = {name: given for name, given in fields.items() if name in FIELDS and _filled(given)}
    return case, answer(row, recorded, case_id) if recorded else None


def _case(
    row: Row, fields: dict[str, Given], case_id: str, question: str, history: tuple[Turn, ...]
) -> Case:
    reference, alternatives = (
        parts.reference(row, fields["reference"]) if "reference" in fields else (None, [])
    )
    evidence = parts.evidence(row, fields["evidence"]) if "evidence" in fields else ()
    answerable, relevant, relevant_docs = settle(
        row,
        said=flag(row, fields["answerable"]) if "answerable" in fields else None,
        reference=reference,
        relevant=grades(row, fields["relevant"]) if "relevant" in fields else None,
        relevant_docs=grades(row, fields["relevant_docs"]) if "relevant_docs" in fields else None,
        evidence=evidence,
    )
    words = {name: identifier(row, fields[name]) for name in _WORDS if name in fields}
    return Case(
        id=case_id,
        question=question,
        reference=reference,
        relevant=relevant,
        relevant_docs=relevant_docs,
        evidence=evidence,
        answerable=answerable,
        tags=parts.tags(row, fields["tags"]) if "tags" in fields else (),
        history=history,
        metadata=_metadata(row, fields, alternatives),
        **words,
    )


def _refuse_ambiguous(row: Row, fields: dict[str, Given]) -> None:
    given = fields.get(_AMBIGUOUS)
    if given is None or fold(given.name) != _AMBIGUOUS:
        return
    names = {_KNOWN[fold(name)] for name in row.values}
    if "reference" not in names and not {"retrieved", "retrieved_ids"} & fields.keys():
        raise row.fault(
            "may be the expected or the generated answer",
            field=given.name,
            fix="Call it reference (expected) or generated_answer (what a pipeline said).",
        )


def _filled(given: Given) -> bool:
    return given.value not in ("", [], {})


def _metadata(row: Row, fields: dict[str, Given], alternatives: list[str]) -> dict[str, Any]:
    found = parts.metadata(row, fields["metadata"]) if "metadata" in fields else {}
    more = {name: fields[name].value for name in CARRIED if name in fields}
    more = plain(more, row.where, row.error)
    if alternatives:
        more["references"] = alternatives
    for name, value in more.items():
        if name in found and found[name] != value:
            raise row.fault(
                f"metadata has {shown(name)} too, with another value", field=name, fix="Keep one."
            )
    return found | more
