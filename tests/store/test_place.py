import pytest

from acidtest.data.spans import Arrivals, Arrived
from acidtest.errors import StoreError
from acidtest.store.depths import Depths
from acidtest.store.spans import SpanStore

TIMES = {"now_ms": 1, "quiet_ms": 1, "ended_ms": 1}


def some(span):
    return [Arrivals([Arrived("t", span, None, "n", 1, 2, "protobuf", "o", b"x")], {"o": b"{}"})]


def test_what_goes_into_a_store_that_is_gone_is_not_said_to_be_stored(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with SpanStore("s.db") as store, Depths("s.db") as depths:
        monkeypatch.chdir("/")  # where it is does not depend on where somebody goes
        store.add(some("s1"), **TIMES)
        depths.ping()
        (tmp_path / "s.db").rename(tmp_path / "moved.db")
        for _ in range(2):
            with pytest.raises(StoreError, match="moved or deleted") as caught:
                store.add(some("s2"), **TIMES)
            assert caught.value.passing
            with pytest.raises(StoreError, match="moved or deleted"):
                depths.ping()
        with SpanStore(str(tmp_path / "s.db")), pytest.raises(StoreError, match="moved or deleted"):
            store.add(some("s2"), **TIMES)  # another one in its place is not ours
        for name in ("s.db", "s.db-wal", "s.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / "moved.db").rename(tmp_path / "s.db")
        store.add(some("s3"), **TIMES)
        depths.ping()


def test_a_store_in_memory_is_never_gone():
    with SpanStore("sqlite://") as store:
        store.add(some("s1"), **TIMES)
        assert len(store.spans_of(["t"])["t"]) == 1
