"""`GET /metrics`: what the server has done and what waits, for Prometheus."""

import time

from litestar import Response, get

from acidtest.errors import StoreError
from acidtest.server.exposition import CONTENT_TYPE, Series, by, single, text
from acidtest.server.render import AnyRequest, site_of
from acidtest.server.site import Site
from acidtest.store.depths import Depths


@get("/metrics", sync_to_thread=True, include_in_schema=False)
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
    exports = {str(status): float(n) for status, n in sorted(counters.export_requests.items())}
    others = {str(status): float(n) for status, n in sorted(counters.other_requests.items())}
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
            exports,
        ),
        by(
            "acidtest_http_requests_total",
            "counter",
            "Other requests answered.",
            "status",
            others,
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


def _depths(site: Site) -> list[Series]:
    try:
        found = site.open(Depths).read(now_ms=time.time_ns() // 1_000_000)
    except StoreError:
        return []
    return [
        single(
            "acidtest_traces_pending", "gauge", "Traces that wait to be assembled.", found.pending
        ),
        single("acidtest_traces_due", "gauge", "Those of them whose time has come.", found.due),
        by(
            "acidtest_jobs",
            "gauge",
            "Traces that wait to be scored, by state.",
            "state",
            {state: float(n) for state, n in sorted(found.jobs.items())},
        ),
    ]


routes = [metrics]
