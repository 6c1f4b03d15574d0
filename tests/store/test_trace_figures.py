"""Figures of traces as columns, on SQLite and PostgreSQL alike."""

import numpy as np
import pytest

from acidtest.data.answers import Latency, Usage
from acidtest.data.traces import Feedback, Trace
from acidtest.errors import StoreError
from acidtest.store import database
from acidtest.store.trace_figures import TraceFigures
from acidtest.store.traces import TraceStore

MS = 1_000_000


@pytest.fixture
def figures(empty_url, monkeypatch):
    monkeypatch.setattr(database, "_RAW_AT_ONCE", 2)  # several pieces
    made = [
        Trace(id="c", started_ns=3 * MS, model="m2", session="s", abstained=False),
        Trace(id="a", started_ns=1 * MS, model="m1", session="s", error="boom", abstained=True),
        Trace(id="b", started_ns=1 * MS, latency_ms=Latency(total=2.5), usage=Usage(cost_usd=0.5)),
        Trace(id="e", started_ns=9 * MS, model="m1", tags=("x",)),
        Trace(id="d", started_ns=5 * MS, feedback=(Feedback(good=False),), tags=("x", "y")),
    ]
    with TraceStore(empty_url) as store:
        store.save([(trace, "d") for trace in made], now_ms=9)
    with TraceFigures(empty_url) as opened:
        yield opened


def test_columns_are_in_the_order_of_time(figures):
    found = figures.figures(0, 9)
    assert (found.ids, found.started.tolist(), found.cut) == (list("abcd"), [1, 1, 3, 5], False)
    assert [found.model.names[n] for n in found.model.numbers] == ["m1", None, "m2", None]
    assert [found.session.names[n] for n in found.session.numbers] == ["s", None, "s", None]
    nan = np.nan
    for name, values in {
        "failed": [1, 0, 0, 0],
        "abstained": [1, nan, 0, nan],
        "feedback": [nan, nan, nan, -1],
        "latency_ms": [nan, 2.5, nan, nan],
        "cost_usd": [nan, 0.5, nan, nan],
    }.items():
        assert np.array_equal(getattr(found, name), values, equal_nan=True), name


@pytest.mark.parametrize(("limit", "ids"), [(5, "abcde"), (4, "bcde"), (1, "e")])
def test_of_too_many_the_newest_are_read(figures, limit, ids):
    found = figures.figures(0, 10, limit=limit)
    assert (found.ids, found.cut) == (list(ids), limit < 5)
    assert len(found.started) == len(found.failed) == len(found.model.numbers) == limit


def test_where_there_is_nothing_columns_are_empty(figures):
    found = figures.figures(100, 200)
    assert (found.ids, found.cut, len(found.started), len(found.service.numbers)) == (
        [],
        False,
        0,
        0,
    )
    assert list(figures.scores(0, 10)) == []


def test_tags_are_counted(figures):
    assert figures.tags(0, 10, limit=5) == [("x", 2), ("y", 1)]
    assert figures.tagged("x", 0, 9) == {"d"}
    assert figures.latest() == 9


def test_what_goes_wrong_is_told_in_words(tmp_path):
    with TraceFigures(str(tmp_path / "s.db")) as opened:
        with opened._begin() as connection:
            connection.exec_driver_sql("DROP TABLE trace_scores")
        with pytest.raises(StoreError, match="no such table"):
            list(opened.scores(0, 1))
