import sys
from types import SimpleNamespace

import polars as pl
from hypothesis import given, settings
from tests.formats.cases import golden_sets

from acidtest.golden.load import load_golden
from acidtest.project.came_back import case_differences


@settings(max_examples=30)
@given(rows=golden_sets())
def test_a_golden_set_comes_back_from_its_frame(rows):
    golden = load_golden(rows)
    again = load_golden(golden.to_polars())
    rare = {"metadata"}  # texts that look like JSON
    for one, other in zip(golden, again, strict=True):
        assert set(case_differences(one, other)) <= rare


def test_a_frame_has_a_row_a_case_and_every_column():
    frame = load_golden([{"id": "a", "question": "Q?", "tags": ["x", "y"]}]).to_polars()
    assert frame.shape == (1, 13)
    assert frame.schema["tags"] == pl.List(pl.String)
    assert frame.filter(pl.col("tags").list.contains("x"))["id"].to_list() == ["a"]
    assert frame["relevant"].to_list() == [None]


def test_a_pandas_frame(monkeypatch):
    def frame(rows, columns):
        return [[row[name] for name in columns] for row in rows]

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=frame))
    golden = load_golden([{"id": "a", "question": "Q?", "relevant": ["c1"]}])
    assert golden.to_pandas()[0][:4] == ["a", "Q?", None, '{"c1":1}']
