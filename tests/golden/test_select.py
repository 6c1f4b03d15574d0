"""A part of a golden set keeps the version of the whole."""

import pytest

from acidtest.errors import UnknownName, UsageError
from acidtest.golden.load import load_golden
from acidtest.golden.select import select

GOLDEN = load_golden(
    [
        {"id": "a", "question": "a", "tags": ["easy"], "split": "test"},
        {"id": "b", "question": "b", "tags": ["hard", "easy"], "split": "dev", "response": "said"},
        {"id": "c", "question": "c", "tags": ["hard"], "split": "test", "response": "said"},
        {"id": "d", "question": "d"},
    ]
)


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({}, "abcd"),
        ({"tags": ["hard"]}, "bc"),
        ({"tags": ["hard", "easy"]}, "abc"),
        ({"split": "test"}, "ac"),
        ({"limit": 2}, "ab"),
        ({"limit": 99}, "abcd"),
        ({"tags": ["hard"], "limit": 1}, "b"),
        ({"tags": ["hard"], "split": "test"}, "c"),
    ],
)
def test_selects(options: dict[str, object], ids: str) -> None:
    part = select(GOLDEN, **options)
    assert "".join(case.id for case in part) == ids
    assert part.version == GOLDEN.version
    assert [a.case_id for a in part.recorded] == [c for c in ids if c in "bc"]


def test_refuses() -> None:
    with pytest.raises(UnknownName, match=r"unknown tag 'hrad'\. Did you mean 'hard'"):
        select(GOLDEN, tags=["hrad"])
    with pytest.raises(UnknownName, match="unknown split 'train'"):
        select(GOLDEN, split="train")
    for limit in (0, -1):
        with pytest.raises(UsageError, match="at least 1"):
            select(GOLDEN, limit=limit)
    with pytest.raises(UsageError, match="no case"):
        select(
            load_golden([{"question": "q", "tags": "x"}, {"question": "p", "split": "s"}]),
            tags=["x"],
            split="s",
        )
