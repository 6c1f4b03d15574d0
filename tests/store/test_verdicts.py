"""The cache of judgements as a whole: counted by model, deleted by model and date, its file shrunk."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from acidtest.errors import StoreError
from acidtest.store.runs import Store
from acidtest.store.verdicts import Kept, Verdicts


def row(key, model, created, size=10):
    body = b'"' + b"x" * (size - 2) + b'"'
    return {"key": key, "model": model, "created": created, "body": body}


ROWS = [
    row("a", "small", "2026-10-01T08:00:00+00:00", 100),
    row("b", "small", "2026-11-01T00:00:00+00:00", 200),
    row("c", "large", "2026-11-15T12:30:00+00:00", 5000),
]


@pytest.fixture
def url(tmp_path):
    path = str(tmp_path / "store.db")
    with Store(path) as store:
        store.save_verdicts(ROWS)
    return path


def test_each_model_with_number_size_and_dates(url):
    with Verdicts(url) as verdicts:
        assert verdicts.by_model() == [
            Kept(
                model="large",
                verdicts=1,
                bytes=5000,
                oldest=ROWS[2]["created"],
                newest=ROWS[2]["created"],
            ),
            Kept(
                model="small",
                verdicts=2,
                bytes=300,
                oldest=ROWS[0]["created"],
                newest=ROWS[1]["created"],
            ),
        ]


@pytest.mark.parametrize(
    ("models", "before", "left"),
    [
        (["small"], None, {"c"}),
        (["small", "large"], None, set()),
        (["nobody"], None, {"a", "b", "c"}),
        (None, None, set()),
        (None, datetime(2026, 11, 1, tzinfo=UTC), {"b", "c"}),  # not what is kept at that moment
        (None, datetime(2026, 11, 1, 0, 0, 1, tzinfo=UTC), {"c"}),
        # The same moment as midnight in UTC, told elsewhere.
        (None, datetime(2026, 11, 1, 2, tzinfo=timezone(timedelta(hours=2))), {"b", "c"}),
        (["large"], datetime(2026, 11, 1, tzinfo=UTC), {"a", "b", "c"}),
    ],
)
def test_what_is_chosen_is_deleted_and_nothing_else(url, models, before, left):
    with Verdicts(url) as verdicts:
        chosen = sum(kept.verdicts for kept in verdicts.by_model(models, before))
        assert verdicts.delete(models, before) == chosen == 3 - len(left)
    with Store(url) as store:
        assert set(store.verdicts(list("abc"))) == left


def test_shrinking_gives_the_room_of_deleted_verdicts_back(tmp_path):
    path = tmp_path / "store.db"
    with Store(str(path)) as store:
        store.save_verdicts(
            [row(str(n), "m", "2026-11-01T00:00:00+00:00", 10_000) for n in range(200)]
        )
        store.save_verdicts([row("keep", "other", "2026-11-01T00:00:00+00:00")])
    with Verdicts(str(path)) as verdicts:
        assert verdicts.delete(["m"]) == 200
        before = verdicts.space()
        assert before.free > 1_900_000
        verdicts.shrink()
        after = verdicts.space()
        assert after.free == 0
        assert after.file < before.file - 1_900_000
        assert path.stat().st_size == after.file
    with Store(str(path)) as store:
        assert "keep" in store.verdicts(["keep"])


def test_shrinking_waits_for_nobody_forever(url, monkeypatch):
    monkeypatch.setattr("acidtest.store.schema._PATIENCE", 0.05)
    with Store(url) as other, Verdicts(url) as verdicts, other._engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM verdicts")
        with pytest.raises(StoreError, match="locked"):
            verdicts.shrink()
    with Store(url) as store:
        assert store.verdicts(["a"]) == {}


def test_a_file_that_is_no_store(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("hello " * 200)
    with pytest.raises(StoreError, match="not a database"):
        Verdicts(str(path))
