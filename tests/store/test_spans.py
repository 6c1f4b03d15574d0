import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, text

from acidtest.data.spans import Arrivals, Arrived
from acidtest.errors import StoreError
from acidtest.store.span_rows import rows_of
from acidtest.store.spans import SpanStore

TIMES = {"quiet_ms": 30_000, "ended_ms": 1000}


def arrived(span="s1", trace="t1", parent=None, end=20, body=b"body", name="rag", start=10):
    return Arrived(trace, span, parent, name, start, end, "protobuf", "o1", body)


def arrivals(*spans):
    return Arrivals(list(spans), {"o1": b'{"resource":{}}'})


def pending(store):
    with store._engine.connect() as connection:
        rows = connection.execute(
            text('SELECT trace_id, "first", "last", ended, due FROM pending_traces')
        )
        return {row[0]: (row[1], row[2], bool(row[3]), row[4]) for row in rows}


@pytest.fixture
def store(any_url):
    with SpanStore(any_url) as opened:
        yield opened


def test_what_goes_in_comes_out_by_trace_in_order_of_start(store):
    late, early = arrived("b", parent="a", start=7), arrived("a", start=5, body=b"\0\xff")
    store.add([arrivals(late, early), arrivals(arrived("c", "t2"))], now_ms=99, **TIMES)
    found = store.spans_of(["t1", "t3"])
    assert [span.span_id for span in found["t1"]] == ["a", "b"]
    assert found["t3"] == []
    first = found["t1"][0]
    assert first == ("t1", "a", None, "rag", 5, 20, 99, "protobuf", b"\0\xff", b'{"resource":{}}')


def test_more_spans_than_one_statement_takes(store):
    many = [arrived(f"s{n}", f"t{n % 7}", body=str(n).encode()) for n in range(1237)]
    store.add([arrivals(*many)], now_ms=1, **TIMES)
    found = store.spans_of([f"t{n}" for n in range(7)])
    assert {(s.span_id, s.body) for some in found.values() for s in some} == {
        (s.span_id, s.body) for s in many
    }


def test_of_a_giant_trace_as_much_is_read_as_may_be_held(store):
    many = [arrived(f"s{n:03}", start=n + 1, body=b"x" * 100) for n in range(700)]
    giant = arrived("giant", start=1, body=b"x" * 20_000)
    store.add([arrivals(giant, *many, arrived("else", "t2"))], now_ms=1, **TIMES)
    found, left_out = store.first_of("t1", most_bytes=10_050)
    assert ([span.span_id for span in found], left_out) == ([f"s{n:03}" for n in range(100)], 601)
    found, left_out = store.first_of("t1", most_bytes=10**9, most=601)
    assert [span.span_id for span in found] == ["giant", *(f"s{n:03}" for n in range(600))]
    assert left_out == 100
    assert store.first_of("t1", most_bytes=10**9)[0] == store.spans_of(["t1"])["t1"]
    assert store.first_of("t3", most_bytes=10**9) == ([], 0)


def test_the_same_again_changes_nothing_and_a_later_end_replaces(store):
    store.add([arrivals(arrived(end=0, body=b"running"))], now_ms=1, **TIMES)
    store.add([arrivals(arrived(end=30, body=b"ended"))], now_ms=2, **TIMES)
    store.add([arrivals(arrived(end=30, body=b"again"))], now_ms=3, **TIMES)
    store.add([arrivals(arrived(end=0, body=b"late"))], now_ms=4, **TIMES)
    (kept,) = store.spans_of(["t1"])["t1"]
    assert (kept.body, kept.received, kept.end_ns) == (b"ended", 2, 30)


def test_of_the_same_span_in_one_commit_the_later_end_stands(store):
    twice = [arrived(end=0, body=b"running"), arrived(end=9, body=b"ended"), arrived(end=1)]
    store.add([arrivals(*twice), arrivals(arrived(end=9, body=b"again"))], now_ms=1, **TIMES)
    (kept,) = store.spans_of(["t1"])["t1"]
    assert kept.body == b"ended"


def test_a_trace_is_due_after_its_root_ended_or_a_quiet_time(store):
    store.add([arrivals(arrived("b", parent="a"))], now_ms=100, **TIMES)
    assert pending(store) == {"t1": (100, 100, False, 30_100)}
    store.add([arrivals(arrived("a"))], now_ms=200, **TIMES)
    assert pending(store) == {"t1": (100, 200, True, 1200)}
    store.add([arrivals(arrived("c", parent="a"))], now_ms=300, **TIMES)
    assert pending(store) == {"t1": (100, 300, True, 1300)}


def test_a_root_that_still_runs_ends_nothing(store):
    store.add([arrivals(arrived("a", end=0))], now_ms=100, **TIMES)
    assert pending(store) == {"t1": (100, 100, False, 30_100)}


def test_something_that_comes_in_the_same_millisecond_is_seen(store):
    for span in "abc":
        store.add([arrivals(arrived(span))], now_ms=100, **TIMES)
    assert pending(store)["t1"][1] == 102


def test_nothing_is_stored_for_nothing(store):
    store.add([Arrivals([], {"o1": b"{}"}, 3, "why")], now_ms=1, **TIMES)
    assert pending(store) == {}


def test_names_and_times_that_no_database_takes_are_mended(store):
    names = ["nul\0", "half\ud800", "n" * 500, "\U0001f600" * 300]
    spans = [arrived(f"s{n}", name=name, end=2**64 - 1, start=-5) for n, name in enumerate(names)]
    store.add([arrivals(*spans)], now_ms=1, **TIMES)
    kept = {s.span_id: s for s in store.spans_of(["t1"])["t1"]}
    assert [kept[f"s{n}"].name for n in range(4)] == [
        "nul\ufffd",
        "half\ufffd",
        "n" * 200,
        "\U0001f600" * 200,
    ]
    assert {(s.start_ns, s.end_ns) for s in kept.values()} == {(0, 2**63 - 1)}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(0, 3))))
def test_rows_hold_each_span_once_sorted_with_its_latest_end(ends):
    spans = [arrived(span, trace, end=end) for span, trace, end in ends]
    rows = rows_of([arrivals(*spans)], now_ms=1, **TIMES)
    latest = {}
    for span, trace, end in ends:
        latest[trace, span] = max(end, latest.get((trace, span), 0))
    assert {(row[0], row[1]): row[5] for row in rows.spans} == latest
    assert [row[:2] for row in rows.spans] == sorted(latest)


WRITER = textwrap.dedent(
    """
    import sys
    from acidtest.data.spans import Arrivals, Arrived
    from acidtest.store.spans import SpanStore

    url, who = sys.argv[1:]
    with SpanStore(url) as store:
        for batch in range(12):
            shared = [Arrived(f"t{n}", "root", None, "rag", 1, 2, "json", "o", b"{}") for n in range(20)]
            own = [Arrived(f"t{n}", f"{who}-{batch}", "root", "step", 1, 2, "json", "o", b"{}") for n in range(20)]
            given = [Arrivals(shared if batch % 2 else shared[::-1], {"o": b"{}"}), Arrivals(own, {})]
            store.add(given, now_ms=batch, quiet_ms=1, ended_ms=1)
    """
)


def test_several_processes_store_at_once(any_url):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, any_url, str(n)], stderr=subprocess.PIPE)
        for n in range(3)
    ]
    for writer in writers:
        _, told = writer.communicate(timeout=60)
        assert (writer.returncode, told) == (0, b"")
    with SpanStore(any_url) as store:
        found = store.spans_of([f"t{n}" for n in range(20)])
        assert len(pending(store)) == 20
    assert {len(some) for some in found.values()} == {1 + 3 * 12}


KILLED = textwrap.dedent(
    """
    import sys
    from acidtest.data.spans import Arrivals, Arrived
    from acidtest.store.spans import SpanStore

    store = SpanStore(sys.argv[1])
    for n in range(10**9):
        spans = [Arrived(f"t{n}", f"s{k}", None, "rag", 1, 2, "json", "o", b"x" * 3000) for k in range(30)]
        store.add([Arrivals(spans, {"o": b"{}"})], now_ms=n, quiet_ms=1, ended_ms=1)
        print(n, flush=True)
    """
)


def test_whoever_is_killed_has_stored_what_he_said_and_no_half_of_the_rest(any_url):
    writer = subprocess.Popen(
        [sys.executable, "-c", KILLED, any_url], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout.readline() == "0\n"
    time.sleep(0.15)
    writer.send_signal(signal.SIGKILL)
    said = 1 + len(writer.communicate()[0].splitlines())
    with SpanStore(any_url) as store:
        found = store.spans_of([f"t{n}" for n in range(said + 2)])
    counts = [len(found[f"t{n}"]) for n in range(said + 2)]
    assert counts[:said] == [30] * said
    assert set(counts[said:]) <= {0, 30}


def test_a_full_disk_refuses_and_the_next_one_works_once_there_is_room(tmp_path):
    with SpanStore(str(tmp_path / "s.db")) as store:
        engine = store._engine
        with engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 4}")
        with pytest.raises(StoreError, match="full") as caught:
            store.add([arrivals(arrived(body=os.urandom(100_000)))], now_ms=1, **TIMES)
        assert caught.value.passing
        assert "Free some space" in str(caught.value)
        assert store.spans_of(["t1"]) == {"t1": []}
        store.add([arrivals(arrived("small"))], now_ms=2, **TIMES)
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count=100000")
        store.add([arrivals(arrived(body=os.urandom(100_000)))], now_ms=3, **TIMES)
        assert {s.span_id for s in store.spans_of(["t1"])["t1"]} == {"s1", "small"}


def test_a_table_that_is_gone_is_no_passing_fault(any_url):
    with SpanStore(any_url) as store:
        with store._engine.begin() as connection:
            connection.execute(text("DROP TABLE spans"))
        with pytest.raises(StoreError) as caught:
            store.add([arrivals(arrived())], now_ms=1, **TIMES)
    assert not caught.value.passing


def test_a_server_that_cannot_be_reached_is_a_passing_fault(tmp_path):
    with pytest.raises(StoreError, match="Check that the database server runs") as caught:
        SpanStore(f"postgresql://nobody:secret@/none?host={tmp_path}")
    assert caught.value.passing
    assert "secret" not in str(caught.value)


def test_a_store_of_the_revision_before_traces_is_upgraded(any_url):
    from alembic import command
    from alembic.config import Config

    import acidtest.store.migrate as migrating

    url = any_url if "://" in any_url else f"sqlite:///{any_url}"
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    config = Config()
    config.set_main_option("script_location", str(migrating._MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        connection.execute(
            text("INSERT INTO verdicts (key, model, created, body) VALUES ('k', 'm', 'c', :body)"),
            {"body": b"{}"},
        )
    engine.dispose()
    with SpanStore(any_url) as store:
        store.add([arrivals(arrived())], now_ms=1, **TIMES)
        assert len(store.spans_of(["t1"])["t1"]) == 1
        with store._engine.connect() as connection:
            (row,) = connection.execute(text("SELECT key, body FROM verdicts")).all()
    assert (row[0], bytes(row[1])) == ("k", b"{}")


@pytest.mark.usefixtures("real_migrations")
def test_many_may_open_a_new_postgres_store_at_once(postgres_url):
    code = "import sys\nfrom acidtest.store.spans import SpanStore\nSpanStore(sys.argv[1]).close()"
    openers = [
        subprocess.Popen([sys.executable, "-c", code, postgres_url], stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    for opener in openers:
        _, told = opener.communicate(timeout=60)
        assert (opener.returncode, told) == (0, b"")
