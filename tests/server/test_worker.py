import threading

import pytest

from acidtest.errors import StoreError
from acidtest.server import worker
from acidtest.server.counters import Counters
from acidtest.server.worker import share, working


def test_the_worker_works_until_the_server_ends():
    began, ended = threading.Event(), threading.Event()

    def work(stop):
        began.set()
        stop.wait(30)
        ended.set()

    with working(work):
        assert began.wait(10)
        assert not ended.is_set()
    assert ended.is_set()


@pytest.mark.parametrize("error", [StoreError("the disk is full"), ValueError("a bug")])
def test_what_fails_in_it_is_told_and_it_begins_anew(monkeypatch, capsys, error):
    monkeypatch.setattr(worker, "_RESTART_S", 0.01)
    times, enough = [], threading.Event()

    def work(_stop):
        times.append(1)
        if len(times) > 2:
            enough.set()
        raise error

    with working(work):
        assert enough.wait(10)
    told = capsys.readouterr().err
    assert str(error) in told
    assert ("Traceback" in told) == isinstance(error, ValueError)


def test_much_coming_in_leaves_the_worker_little(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("acidtest.server.counters.time.monotonic", lambda: clock[0])
    counters = Counters()
    assert share(counters) == 1.0
    for _ in range(200):
        clock[0] += 0.01
        counters.took(64, 0)
    assert share(counters) == 0.005
    clock[0] += 30
    assert share(counters) == 1.0
    for _ in range(20):
        clock[0] += 0.2
        counters.took(64, 0)
    assert share(counters) == 0.7
    counters.in_flight = 4
    assert share(counters) == 0.005
