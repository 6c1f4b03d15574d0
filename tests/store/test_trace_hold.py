"""A trace that is understood again just as its scores are stored is not put in the queue once more."""

import threading

from acidtest.data.outcomes import Score
from acidtest.data.traces import Trace
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_results import TraceResults
from acidtest.store.trace_saving import Understood
from acidtest.store.traces import TraceStore


def test_who_saves_a_trace_waits_for_its_scores(any_url, monkeypatch):
    one = Understood(trace=Trace(id="t1", question="How?", answer="So."), digest="d", why="sample")
    storing, go_on = threading.Event(), threading.Event()
    scores = TraceResults._scores

    def slowly(self, *given):
        storing.set()
        go_on.wait(20)
        scores(self, *given)

    monkeypatch.setattr(TraceResults, "_scores", slowly)
    with TraceStore(any_url) as store, TraceJobs(any_url) as jobs:
        store.save([one], now_ms=1)
        (job,) = jobs.lease("w", 1, 60, now_ms=2)
        done = []
        scoring = threading.Thread(
            target=lambda: done.append(jobs.done(job, {"m": Score(1.0)}, now_ms=3))
        )
        saving = threading.Thread(target=store.save, args=([one],), kwargs={"now_ms": 4})
        scoring.start()
        assert storing.wait(20)
        saving.start()
        saving.join(0.3)  # it has come to where it waits
        go_on.set()
        scoring.join()
        saving.join()
        assert done == [True]
        assert jobs.jobs(["t1"]) == {}
        assert store.trace("t1").scores["m"].digest == "d"
