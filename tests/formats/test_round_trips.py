"""acidtest -> a peer's format -> acidtest: what differs afterwards was told, and the rest is the same."""

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.formats.cases import golden_sets

from acidtest.data.exchange import Exchanged
from acidtest.errors import UsageError
from acidtest.formats.registry import FORMATS, format_named
from acidtest.golden.load import load_golden
from acidtest.project.came_back import came_back, case_differences, differing
from acidtest.project.convert import read_format

TABLES = (".csv", ".tsv")
WRITTEN = [
    (name, ending)
    for name in (
        *("acidtest", "ragas", "deepeval", "promptfoo"),
        *("langsmith", "langfuse", "phoenix", "beir", "datasets"),
    )
    for ending in format_named(name).endings
]
HOLDS_ALL = {"acidtest", "beir", "deepeval", "promptfoo", "langsmith", "langfuse", "phoenix"}


def differences(before, after):
    """Count, by field, the cases that came back otherwise."""
    assert len(before) == len(after)
    return Counter(
        name
        for one, other in zip(before, after, strict=True)
        for name in case_differences(one, other)
    )


def fields(losses):
    told = Counter()
    for loss in losses:
        told[loss.field.partition(".")[0]] += loss.count
    return told


def untold(before, after, told):
    """Return the fields of answers that came back otherwise and were not told."""
    place = {case.id: n for n, case in enumerate(after.golden)}
    came = {place[answer.case_id]: answer for answer in after.answers}
    ids = {case.id: n for n, case in enumerate(before.golden)}
    found = set()
    for answer in before.answers:
        other = came.get(ids[answer.case_id])
        if other is None:
            held = answer.text is not None or answer.retrieved is not None
            found |= {"answer"} if held else set()
        else:
            found |= {
                "answer" if f == "text" else f for f in differing(answer, other, but=("case_id",))
            }
    return found - told.keys() - ({"answer", "retrieved"} if "answers" in told else set())


@pytest.mark.parametrize(("name", "ending"), WRITTEN)
@settings(max_examples=15)
@given(rows=golden_sets())
def test_what_does_not_come_back_was_told(name, ending, rows):
    golden = load_golden(rows)
    before = Exchanged(golden=golden, outputs={"it": golden.recorded} if golden.recorded else {})
    form = format_named(name)
    assert form.write is not None
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / f"out{ending}")
        declared = form.write(before, path)
        after, losses, _ = came_back(
            before, path, form, declared, lambda p, f: read_format(p, f.name)
        )
    found = differences(golden, after.golden)
    assert found.keys() <= fields(losses).keys()
    assert form.outputs is False or untold(before, after, fields(losses)) == set()
    if ending not in TABLES:  # the writer itself knows, and counts right
        assert {field: n for field, n in found.items() if n > fields(declared)[field]} == {}
    if name in HOLDS_ALL:
        rare = {"metadata", "id"} if ending in TABLES else set()  # texts that look like JSON
        assert found.keys() <= fields(declared).keys() | rare


@settings(max_examples=15)
@given(rows=golden_sets())
def test_outputs_come_back_whole(rows):
    golden = load_golden(rows)
    exchanged = Exchanged(golden=golden, outputs={"it": golden.recorded} if golden.recorded else {})
    write = format_named("acidtest-outputs").write
    assert write is not None
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "out.jsonl")
        if not golden.recorded:
            with pytest.raises(UsageError, match="no outputs"):
                write(exchanged, path)
            return
        write(exchanged, path)
        assert read_format(path, "acidtest-outputs").answers == golden.recorded


def test_every_writer_is_sent_there_and_back():
    written = {name for name in FORMATS if format_named(name).write is not None}
    elsewhere = {"acidtest-outputs", "acidtest-run"}
    assert {name for name, _ in WRITTEN} <= written - elsewhere
