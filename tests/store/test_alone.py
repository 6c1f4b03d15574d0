"""What two programs do at the same moment, which must see each other: opening alerts, making and deleting runs."""

import threading

import pytest
from sqlalchemy import event

from acidtest.data.golden import Case
from acidtest.data.runs import GoldenRef, Ref, RunInfo
from acidtest.data.watching import Alert
from acidtest.store.alerts import Alerts
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store

CASES = (Case(id="a", question="A?"),)


def run(name, created, status="running"):
    return StoredRun(
        info=RunInfo(
            id=name,
            name="n",
            created=created,
            status=status,
            mode="live",
            golden=GoldenRef(path="g", version="sha256:v", cases=1),
            pipeline=Ref(name="n", fingerprint="f"),
        ),
        specs=(),
        case_ids=("a",),
        plan_hash="p",
    )


@pytest.fixture
def beside(any_url):
    """Call something of a store, and another as the first one is about to commit; return what came of each."""

    def both(kind, first, second):
        about_to, go_on, came = threading.Event(), threading.Event(), {}
        with kind(any_url) as one, kind(any_url) as other:

            def waiting(_connection):
                about_to.set()
                assert go_on.wait(20)

            event.listen(one._engine, "commit", waiting)
            threads = [
                threading.Thread(target=lambda: came.update(first=first(one))),
                threading.Thread(target=lambda: came.update(second=second(other))),
            ]
            threads[0].start()
            assert about_to.wait(20)
            threads[1].start()
            threads[1].join(0.5)  # it has come to where it waits
            go_on.set()
            for thread in threads:
                thread.join(20)
        return came["first"], came["second"]

    return both


def test_one_alert_of_a_key_is_open_whoever_opens_it(beside, any_url):
    def save(kept):
        kept.save([Alert(key="k", state="open", opened_ms=1, title="K")])

    beside(Alerts, save, save)
    with Alerts(any_url) as kept:
        assert len(kept.listed()) == 1


def test_of_two_that_start_a_run_one_sees_the_other(beside, any_url):
    with Store(any_url) as store:
        store.create(run("r0", "2026-01-01", "finished"), CASES)

    def start(name):
        return lambda store: store.create(
            run(name, "2026-01-02"), CASES, rivals=lambda other: other.info.status == "running"
        )

    first, second = beside(Store, start("r1"), start("r2"))
    assert first is None
    assert second is not None
    assert second.info.id == "r1"


def test_a_run_that_starts_keeps_its_cases_when_the_last_before_it_is_deleted(beside, any_url):
    new = run("r1", "2026-01-02")
    with Store(any_url) as store:
        store.create(run("r0", "2026-01-01", "finished"), CASES)
    beside(Store, lambda store: store.create(new, CASES), lambda store: store.delete("r0"))
    with Store(any_url) as store:
        assert store.cases(store.get("r1")) == list(CASES)
        assert [each.info.id for each in store.all_runs()] == ["r1"]
