"""A dataset's examples, each with an input, an output and metadata, to rows of a golden set and back.

LangSmith, Langfuse and Phoenix hold datasets so, under names of their own. What their fields do not say is
kept under `acidtest` in the metadata, so that a golden set comes back whole.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.codec.names import CASE, fold
from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.formats.asked import answered, asked, predicted, worded
from acidtest.formats.beside import packed, unpacked
from acidtest.formats.cells import cell
from acidtest.formats.leave import chunks_left
from acidtest.formats.losses import Losses

QUESTION, ANSWER = "question", "answer"
"""What the parts of inputs and outputs are called that are written."""

_LABELS = {
    name: field
    for field in ("relevant", "relevant_docs", "evidence", "tags")
    for name in CASE[field]
    if name != "context"
}
_HELD = frozenset(("question", "reference"))


def example(
    row: Row,
    given: object,
    output: object,
    metadata: object,
    more: Mapping[str, Any],
    *,
    names: tuple[str, str],
) -> Row:
    """Return the row of a golden set.

    Args:
        row: Where it stands.
        given: The input.
        output: The expected output.
        metadata: What the tool keeps beside them.
        more: Fields of the case that the tool has of its own, such as `id` and `split`.
        names: What the tool calls input and output.

    Raises:
        DataError: The input holds no question.
    """
    question = asked(row, given, names[0])
    reference, beside = answered(output)
    values: dict[str, Any] = {"question": question.question}
    if question.history:
        values["history"] = list(question.history)
    inputs = dict(question.more)
    if reference is None and output is not None:
        reference = _expected_in(inputs)  # some put what is expected beside the question
    if reference is not None:
        values["reference"] = reference
    values |= _labels(beside)
    generated = next((k for k in inputs if predicted(k) and isinstance(inputs[k], str)), None)
    if generated is not None:
        values["generated_answer"] = inputs.pop(generated)
    kept, inner = unpacked(wrapped(metadata))
    values["metadata"] = {
        **({names[0]: inputs} if inputs else {}),
        **({names[1]: beside} if beside else {}),
        **kept,
    }
    filled = {name: value for name, value in more.items() if value is not None}
    return Row(where=row.where, values=values | filled | inner, error=row.error, flat=row.flat)


def part_of(row: Row, name: str, value: object) -> Any:
    """Return a part of an input, an output or metadata that has a column of its own.

    What is called a question or an answer is a text, whatever it looks like.
    """
    return value if worded(name) else cell(row, name, value)


def wrapped(metadata: object) -> dict[str, Any]:
    """Return metadata as a mapping, whatever it is."""
    if isinstance(metadata, dict):
        return metadata
    return {} if metadata is None else {"metadata": metadata}


def _expected_in(inputs: dict[str, Any]) -> str | None:
    for key, value in inputs.items():
        told = fold(key)
        known = any(
            told == name or told.endswith(f"_{name}") for name in (*CASE["reference"], "answer")
        )
        if known and isinstance(value, str) and not predicted(key):
            del inputs[key]
            return value
    return None


def _labels(beside: dict[str, Any]) -> dict[str, Any]:
    """Take the labels of a case out of what stands beside an answer."""
    found: dict[str, Any] = {}
    for key in list(beside):
        field = _LABELS.get(fold(key))
        if field is not None and field not in found and beside[key]:
            found[field] = beside.pop(key)
    return found


def expected(case: Case) -> dict[str, Any]:
    """Return the output of a case."""
    return {} if case.reference is None else {ANSWER: case.reference}


def metadata_of(case: Case, held: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the metadata of a case, with all that input, output and `held` do not say."""
    return packed(case, _HELD | set(held))


def answers_left(losses: Losses, answers: Mapping[str, Answer], why: str) -> None:
    """Count the answers: a dataset holds what is expected, not what was said."""
    for answer in answers.values():
        losses.add(ANSWER, why, answer.case_id)
        if answer.retrieved:
            chunks_left(losses, answer, (), why)
