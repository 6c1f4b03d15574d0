"""Writers of one file in this process wait for each other without sleeping."""

import threading
import time

import pytest
from sqlalchemy.engine import make_url

from acidtest.errors import StoreError
from acidtest.store.names import file_of
from acidtest.store.spending import Spending
from acidtest.store.turns import Turn


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "s.db")


def test_one_writes_at_a_time_and_the_next_is_woken_at_once(file, tmp_path):
    first, other = Turn(file, 9), Turn(file_of(make_url(f"sqlite:///{tmp_path}/./s.db")), 9)
    woken = []

    def waits():
        other.take()
        woken.append(time.perf_counter())
        other.give()

    first.take()
    thread = threading.Thread(target=waits)
    thread.start()
    time.sleep(0.05)
    assert woken == []
    given = time.perf_counter()
    first.give()
    thread.join()
    assert woken[0] >= given


def test_one_that_has_it_gets_it_again_and_others_only_when_it_is_all_given(file):
    outer, inner, other = Turn(file, 9), Turn(file, 9), Turn(file, 0.01)
    outer.take()
    inner.take()
    inner.give()
    thread = threading.Thread(target=other.take)
    thread.start()
    thread.join()
    assert not other._held  # it waited for as long as it may
    outer.give()
    again = Turn(file, 9)
    thread = threading.Thread(target=lambda: (again.take(), again.give()))
    thread.start()
    thread.join()


@pytest.mark.parametrize("url", ["sqlite://", "postgresql+psycopg://u@127.0.0.1/x"])
def test_other_databases_need_none(url):
    turn = Turn(file_of(make_url(url)), 9)
    turn.take()
    assert not turn._held
    turn.give()


def test_what_fails_gives_its_turn_back(tmp_path):
    url = str(tmp_path / "s.db")
    with Spending(url) as spending:
        with pytest.raises(ZeroDivisionError), spending._begin():
            raise ZeroDivisionError
        with pytest.raises(StoreError), spending._begin() as connection:
            connection.exec_driver_sql("SELECT * FROM nowhere")
        done = []
        thread = threading.Thread(target=lambda: done.append(spending.took(now_ms=1, calls=1)))
        thread.start()
        thread.join(5)
        assert done == [None]
