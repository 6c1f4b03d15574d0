import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest

from acidtest.store.owner import SILENCE, alive, birth, now, ownership


def ago(**parts):
    return (datetime.now(UTC) - timedelta(**parts)).isoformat()


@pytest.fixture
def host():
    with ownership() as owner:
        return owner.split(":")[0]


def test_an_owner_of_this_process_is_alive_while_it_is_at_work():
    with ownership() as one:
        with ownership() as other:
            assert one != other
            assert alive(one)
            assert alive(other)
        assert not alive(other)
        assert alive(one)
        assert not alive(one.rpartition(":")[0])
    assert not alive(one)


def test_an_owner_that_is_gone(host):
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert not alive(f"{host}:{child.pid}:{birth(os.getpid())}:token", now())
    assert not alive(None)


def test_an_owner_whose_number_another_process_has(host):
    parent = os.getppid()
    assert alive(f"{host}:{parent}:{birth(parent)}:token")
    assert alive(f"{host}:{parent}:{birth(parent)}")
    assert not alive(f"{host}:{parent}:12:token")


def test_an_owner_that_waits_for_burial(host):
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    owner = f"{host}:{child.pid}:{birth(child.pid)}:token"
    assert alive(owner)
    child.kill()
    while birth(child.pid) != "gone":
        time.sleep(0.01)
    assert not alive(owner)
    child.communicate()


@pytest.mark.parametrize("owner", ["another-host:1:1:token", "another-host:1:1"])
def test_an_owner_on_another_host_is_believed_for_ten_minutes(owner):
    assert timedelta(minutes=10) == SILENCE
    assert alive(owner, now())
    assert alive(owner, ago(minutes=9))
    assert alive(owner, ago(minutes=-1))
    assert not alive(owner, ago(minutes=11))
    assert not alive(owner, ago(days=-1))
    for odd in (None, "", "soon", "2026-13-45", "2020-01-01T00:00:00", "\ud800"):
        assert not alive(owner, odd)


@pytest.mark.parametrize(
    "rest",
    [
        "",
        ":",
        "::",
        ":::",
        ":1",
        ":x:1:t",
        ":-1:1:t",
        ":0:1:t",
        ":1:2:3:4:5",
        ":²:1:t",
        ":\ud800:1:t",
    ]
    + [":" + "9" * n + ":1:t" for n in (7, 9, 10, 30, 5000)],
)
def test_odd_owners_are_nobody(host, rest):
    assert not alive(host + rest, now())
