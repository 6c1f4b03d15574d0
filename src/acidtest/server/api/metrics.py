"""`GET /metrics`: what the server has done and what waits, for Prometheus."""

import time
from collections.abc import Iterable, Mapping
from typing import get_args

from litestar import Response, get

from acidtest.errors import StoreError
from acidtest.server.exposition import CONTENT_TYPE, Series, by, single, text
from acidtest.server.query import OWN
from acidtest.server.render import AnyRequest, site_of
from acidtest.server.site import Site
from acidtest.store.depths import Depths
from acidtest.store.trace_job import State

EXPORTS = (200, 400, 401, 403, 405, 408, 413, 415, 500, 503)
OTHERS = (200, 303, 400, 401, 403, 404, 405, 413, 415, 422, 429, 500, 503)
"""Statuses of answers that are counted from the beginning."""

_UP = "1 while the store can be read; what waits in it is left out otherwise."


@get("/metrics", sync_to_thread=True, include_in_schema=False, opt=OWN)
def metrics(request: AnyRequest) -> Response[str]:
    """Return all numbers; those of a store that cannot be read are left out."""
    site = site_of(request)
    counters = site.counters
    return Response(
        text(
            [*_requests(site), *_depths(site)],
            {
                ("acidtest_export_seconds", "Time from an export request to its answer."): (
                    counters.export_seconds
                ),
                ("acidtest_commit_wait_seconds", "Time that spans waited to be on disk."): (
                    counters.commits
                ),
            },
        ),
        media_type=CONTENT_TYPE,
    )


def _requests(site: Site) -> list[Series]:
    counters, room = site.counters, site.room
    exports, others = counters.export_requests, counters.other_requests
    return [
        single(
            "acidtest_spans_accepted_total", "counter", "Spans stored.", counters.spans_accepted
        ),
        single(
            "acidtest_spans_refused_total",
            "counter",
            "Spans refused as invalid within requests that were taken.",
            counters.spans_refused,
        ),
        by(
            "acidtest_export_requests_total",
            "counter",
            "Export requests answered.",
            "status",
            _by_status(exports, EXPORTS),
        ),
        by(
            "acidtest_http_requests_total",
            "counter",
            "Other requests answered.",
            "status",
            _by_status(others, OTHERS),
        ),
        single(
            "acidtest_commits_failed_total",
            "counter",
            "Export requests that the store could not take.",
            counters.commits_failed,
        ),
        single(
            "acidtest_body_bytes", "gauge", "Bytes of requests that are held in memory.", room.taken
        ),
        single(
            "acidtest_body_bytes_limit", "gauge", "The most that may be held in memory.", room.size
        ),
        single("acidtest_requests_waiting", "gauge", "Requests that wait for room.", room.waiting),
        single("acidtest_uptime_seconds", "gauge", "Age.", time.time() - counters.started),
        single("process_cpu_seconds_total", "counter", "Processor time.", time.process_time()),
    ]


def _by_status(counted: Mapping[int, int], usual: Iterable[int]) -> dict[str, float]:
    # Usual ones are there before the first: what appears with a value has no rise that a rule could see.
    return {str(status): float(counted.get(status, 0)) for status in sorted({*usual, *counted})}


def _depths(site: Site) -> list[Series]:
    try:
        found = site.open(Depths).read(now_ms=time.time_ns() // 1_000_000)
    except StoreError:
        return [single("acidtest_store_up", "gauge", _UP, 0)]
    return [
        single("acidtest_store_up", "gauge", _UP, 1),
        single(
            "acidtest_traces_pending", "gauge", "Traces that wait to be assembled.", found.pending
        ),
        single("acidtest_traces_due", "gauge", "Those of them whose time has come.", found.due),
        by(
            "acidtest_jobs",
            "gauge",
            "Traces to be scored: waiting, given up, or left out for the day's budget.",
            "state",
            {state: float(found.jobs.get(state, 0)) for state in get_args(State)},
        ),
    ]


routes = [metrics]
