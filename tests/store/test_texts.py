"""What is looked for may hold anything; no driver's own error comes out."""

import pytest

from acidtest.errors import UsageError
from acidtest.store.alerts import Alerts
from acidtest.store.runs import Store
from acidtest.store.spans import SpanStore
from acidtest.store.trace_filter import TraceFilter
from acidtest.store.trace_jobs import TraceJobs
from acidtest.store.trace_lookup import TraceLookup, Which
from acidtest.store.traces import TraceStore

ODD = ["\udcff\udcfe", "a\0b", "\0", "\ud800", "%_\\", "'\"--", "\U0001f9ea" * 500]


@pytest.mark.parametrize("odd", ODD)
def test_nothing_is_found_by_odd_names(any_url, odd):
    with TraceStore(any_url) as traces:
        assert traces.get([odd]) == {}
        for name in ("text", "service", "model", "session", "user", "tag", "metric"):
            assert traces.listed(TraceFilter(**{name: odd})) == []
        assert traces.listed(after=(1, odd)) == []
        assert traces.feedback([odd]) == {}
        assert traces.delete([odd]) == 0
    with TraceLookup(any_url) as lookup:
        assert lookup.beginning(odd) == []
        assert lookup.held(Which(trace_ids=(odd,))).traces == 0
        assert lookup.held(Which(users=(odd,))).traces == 0
    with TraceJobs(any_url) as jobs:
        assert jobs.jobs([odd]) == {}
        assert jobs.revive([odd], now_ms=1) == 0
    with SpanStore(any_url) as spans:
        assert spans.spans_of([odd]) == {odd: []}
    with Store(any_url) as store, pytest.raises(UsageError):
        store.get(odd)


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30, 77])
def test_no_alert_has_a_number_that_no_database_holds(any_url, number):
    with Alerts(any_url) as alerts:
        assert alerts.get(number) is None
