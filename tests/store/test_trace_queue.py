"""Whatever workers do and however they die: each state of a trace is scored once, and none is forgotten."""

import tempfile

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from acidtest.data.outcomes import Score
from acidtest.data.traces import Trace
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_saving import Understood
from acidtest.store.traces import TraceStore

IDS = [f"t{n}" for n in range(4)]
WORKERS = ["a", "b", "c"]
ATTEMPTS = 4
LEASE_S = 5


class Queue(RuleBasedStateMachine):
    """Workers on one store, by a clock that somebody else turns."""

    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        url = f"{self.folder.name}/q.db"
        self.store, self.jobs = TraceStore(url), TraceJobs(url)
        self.now = 0
        self.digests = {}
        self.held = []
        self.scored = {}

    @rule(trace_id=st.sampled_from(IDS), digest=st.sampled_from(["d1", "d2"]))
    def save(self, trace_id, digest):
        if self.digests.get(trace_id) != digest:
            self.scored.pop(trace_id, None)
        self.digests[trace_id] = digest
        one = Understood(trace=Trace(id=trace_id), digest=digest, why="sample")
        self.store.save([one], now_ms=self.now)

    @rule(worker=st.sampled_from(WORKERS), n=st.integers(1, 3))
    def lease(self, worker, n):
        some = self.jobs.lease(worker, n, LEASE_S, now_ms=self.now, attempts=ATTEMPTS)
        for job in some:
            assert job.digest == self.digests[job.trace_id]
            assert job.trace_id not in self.scored
            rivals = [j for j in self.held if j.trace_id == job.trace_id and j.leased > self.now]
            assert all(j.digest != job.digest for j in rivals)
        self.held += some

    @rule(seconds=st.integers(1, 7))
    def wait(self, seconds):
        self.now += seconds * 1000

    @rule(data=st.data())
    def done(self, data):
        if not self.held:
            return
        job = self.held.pop(data.draw(st.integers(0, len(self.held) - 1)))
        value = len(self.scored) / 8
        if self.jobs.done(job, {"m": Score(value)}, now_ms=self.now):
            assert job.digest == self.digests[job.trace_id]
            assert job.trace_id not in self.scored
            self.scored[job.trace_id] = value

    @rule(data=st.data(), how=st.sampled_from(["failed", "release", "renew", "killed"]))
    def end_otherwise(self, data, how):
        if not self.held:
            return
        place = data.draw(st.integers(0, len(self.held) - 1))
        if how == "renew":
            job = self.held[place]
            self.jobs.renew([job], LEASE_S, now_ms=self.now)
            renewed = self.jobs.jobs([job.trace_id]).get(job.trace_id)
            if renewed is not None and (renewed.worker, renewed.attempts, renewed.digest) == (
                job.worker,
                job.attempts,
                job.digest,
            ):
                self.held[place] = renewed
            return
        job = self.held.pop(place)
        if how == "failed":
            self.jobs.failed(job, "x", now_ms=self.now, retry_ms=1000, attempts=ATTEMPTS)
        elif how == "release":
            self.jobs.release([job], now_ms=self.now)

    @invariant()
    def each_is_scored_or_in_the_queue(self):
        if not hasattr(self, "store"):
            return
        stored = self.store.get(IDS)
        in_queue = self.jobs.jobs(IDS)
        assert set(stored) == set(self.digests)
        for trace_id, digest in self.digests.items():
            scores = stored[trace_id].scores
            if trace_id in self.scored:
                assert scores["m"].outcome.value == self.scored[trace_id]
                assert scores["m"].digest == digest
                assert trace_id not in in_queue
            else:
                assert scores == {}
                assert in_queue[trace_id].digest == digest

    def teardown(self):
        if hasattr(self, "store"):
            self.store.close()
            self.jobs.close()
            self.folder.cleanup()


TestQueue = Queue.TestCase
TestQueue.settings = settings(max_examples=6, stateful_step_count=25, deadline=None)
