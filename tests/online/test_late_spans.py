"""Spans come late, in any order, between any steps of several workers: in the end each trace is scored as it is."""

import random
import threading

import pytest

from acidtest.data.outcomes import Score
from acidtest.online.assemble import assemble_due, digest_of
from acidtest.online.config import OnlineConfig
from acidtest.online.rooms import open_rooms
from acidtest.store.spending import Limits
from acidtest.tracing.otlp.open import gathered
from acidtest.tracing.understand.trace import understand

CONFIG = OnlineConfig(sample=1.0, quiet_s=1.0, ended_s=0.5)
LIMITS = Limits(traces=10_000)
TRACES, WORKERS = 12, 3


class Shared:
    """What all workers share: the time, and what became of each job."""

    def __init__(self):
        self._lock, self._now = threading.Lock(), 1_000_000
        self.stored = []
        self.faults = []

    def now(self, more=0):
        with self._lock:
            self._now += 1 + more
            return self._now

    def told(self, trace_id, digest):
        with self._lock:
            self.stored.append((trace_id, digest))


def pieces(spans_of, chance):
    """Return the spans of all traces, some twice, and all of them in the order that they come in."""
    whole = {}
    for n in range(TRACES):
        name = f"t{n:02}"
        whole[name] = spans_of(name, answer=f"It lasts {n} years.", start_s=1_000 + n)
        if chance.random() < 0.3:
            whole[name] = [*whole[name], whole[name][-1]]  # one comes twice
    flat = [span for spans in whole.values() for span in spans]
    chance.shuffle(flat)
    return whole, flat


def one_worker(url, seed, shared, mine):
    chance = random.Random(seed)
    name = f"w{seed}"
    try:
        with open_rooms(url) as rooms:
            for _ in range(50):
                if mine and chance.random() < 0.5:
                    rooms.spans.add(
                        [gathered([mine.pop()])], now_ms=shared.now(), quiet_ms=1_000, ended_ms=500
                    )
                elif chance.random() < 0.5:
                    assemble_due(rooms, CONFIG, shared.now(700), limit=chance.randint(1, 5))
                else:
                    some_scoring(rooms, name, chance, shared)
            for span in mine:
                rooms.spans.add(
                    [gathered([span])], now_ms=shared.now(), quiet_ms=1_000, ended_ms=500
                )
    except BaseException as fault:  # noqa: BLE001 - told by the test
        shared.faults.append(fault)


def some_scoring(rooms, name, chance, shared):
    for job in rooms.jobs.lease(
        name, chance.randint(1, 4), 1.0, now_ms=shared.now(), attempts=1_000, limits=LIMITS
    ):
        stored = rooms.traces.trace(job.trace_id)
        if stored is None or stored.digest != job.digest or chance.random() < 0.2:
            continue  # another one; or the worker dies here
        outcome = chance.random()
        if outcome < 0.2:
            rooms.jobs.release([job], now_ms=shared.now(), limits=LIMITS)
        elif outcome < 0.4:
            rooms.jobs.failed(job, "away", now_ms=shared.now(), retry_ms=100, attempts=1_000)
        elif rooms.jobs.done(job, {"m": Score(1.0)}, now_ms=shared.now(chance.randint(0, 1_500))):
            shared.told(job.trace_id, job.digest)


@pytest.mark.parametrize("seed", range(3))
def test_in_the_end_each_trace_is_scored_once_as_it_is(any_url, spans_of, seed):
    chance, shared = random.Random(seed), Shared()
    whole, flat = pieces(spans_of, chance)
    with open_rooms(any_url) as rooms:
        rooms.traces.count()
        threads = [
            threading.Thread(
                target=one_worker, args=(any_url, seed * 10 + n, shared, flat[n::WORKERS])
            )
            for n in range(WORKERS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not shared.faults, shared.faults
        last = random.Random(0)
        while True:
            assembled = assemble_due(rooms, CONFIG, shared.now(5_000))
            some_scoring(rooms, "last", last, shared)
            queue = rooms.jobs.health(now_ms=shared.now())
            if not assembled and not queue.waiting and not queue.pending:
                break
        stored = {each.trace.id: each for each in rooms.traces.each()}
        assert set(stored) == set(whole)
        for name, each in stored.items():
            assert each.digest == digest_of(understand(whole[name]))
            assert each.scores["m"].digest == each.digest
        # No state of a trace was scored twice, and no score of one that it is no more is left.
        assert len(shared.stored) == len(set(shared.stored))
        days = rooms.spending.days()
        # Each state that was begun took one place: a trace of two spans has two at most.
        assert TRACES <= sum(day.traces for day in days) <= 2 * TRACES
