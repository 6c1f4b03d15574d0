"""Anchor files: what is written is read back, and what is broken is told by line."""

import pytest

from acidtest.data.answers import Answer
from acidtest.data.golden import Case, Turn
from acidtest.data.outcomes import Score
from acidtest.data.runs import JudgeRef
from acidtest.errors import BadData, FormatTooNew, UsageError
from acidtest.project.anchoring.files import append_look, read_anchor, write_anchor
from acidtest.project.anchoring.records import (
    Anchor,
    Header,
    Judged,
    Kept,
    Look,
    Recorded,
    Source,
)

BY = Judged(name="m", judge=JudgeRef(model="m", fingerprint="sha256:1"), asked="sha256:1")
ANCHOR = Anchor(
    header=Header(
        created="2026-11-30T00:00:00Z",
        source=Source(id="r", name="n", golden="sha256:2"),
        by=BY,
        metrics={"faithfulness": "1"},
        repeat=2,
    ),
    cases=(
        Kept(
            case=Case(id="a", question="why?\n\u2028", history=(Turn("user", "hello"),)),
            answer=Answer(case_id="a", text="so", retrieved=()),
            verdicts={"faithfulness": Recorded(verdict=Score(0.5, "half"), repeats=(0.5,))},
        ),
    ),
)
LOOK = Look(created="2026-12-01T00:00:00Z", by=BY, values={"faithfulness": {"a": 0.5}})


def test_there_and_back(tmp_path):
    path = tmp_path / "deep" / "anchor.jsonl"
    write_anchor(path, ANCHOR, replace=False)
    append_look(path, LOOK)
    found = read_anchor(path)
    assert found == Anchor(header=ANCHOR.header, cases=ANCHOR.cases, looks=(LOOK,))
    assert len(path.read_bytes().splitlines()) == 3


def test_a_last_line_without_an_end_is_not_run_into(tmp_path):
    path = tmp_path / "anchor.jsonl"
    write_anchor(path, ANCHOR, replace=False)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    append_look(path, LOOK)
    assert read_anchor(path).looks == (LOOK,)


@pytest.mark.parametrize(
    ("change", "told", "kind"),
    [
        (lambda lines: [*lines, '{"kind":"run","created":7}'], "anchor.jsonl:3", BadData),
        (lambda lines: [*lines, "{torn"], "anchor.jsonl:3", BadData),
        (lambda lines: [*lines, lines[1]], "case 'a' is there twice", BadData),
        (lambda lines: lines[:1], "it holds no case", BadData),
        (lambda lines: lines[1:], "this is no anchor file", BadData),
        (
            lambda lines: [lines[0].replace('"version":1', '"version":9'), lines[1]],
            "9",
            FormatTooNew,
        ),
        (
            lambda lines: [lines[0].replace('"repeat":2', '"repeat":"x"'), lines[1]],
            "jsonl:1",
            BadData,
        ),
        (
            lambda lines: [
                lines[0].replace('"metrics":{"faithfulness":"1"}', '"metrics":{}'),
                lines[1],
            ],
            "jsonl:1: this line is not what acidtest wrote: it names no metric",
            BadData,
        ),
        (
            lambda lines: [lines[0].replace('"faithfulness"', '"other"'), lines[1]],
            "no case has a verdict of 'other'",
            BadData,
        ),
        (lambda _: [""], "empty", BadData),
    ],
)
def test_what_is_broken_is_told(tmp_path, change, told, kind):
    path = tmp_path / "anchor.jsonl"
    write_anchor(path, ANCHOR, replace=False)
    path.write_text("\n".join(change(path.read_text(encoding="utf-8").split("\n")[:-1])))
    with pytest.raises(kind) as raised:
        read_anchor(path)
    assert told in str(raised.value)


def test_an_anchor_is_not_written_over(tmp_path):
    path = tmp_path / "anchor.jsonl"
    write_anchor(path, ANCHOR, replace=False)
    with pytest.raises(UsageError, match="--replace"):
        write_anchor(path, ANCHOR, replace=False)
