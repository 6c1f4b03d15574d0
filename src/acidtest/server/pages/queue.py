"""The queue: what waits to be understood and scored, what gave up, what judging took, and what came in."""

import asyncio
import time

from litestar import Response, get, post
from litestar.response import Redirect

from acidtest.report.clean import clip
from acidtest.report.online_dashboard import duration, moment
from acidtest.server.query import OWN, address, asked, not_understood
from acidtest.server.render import AnyRequest, page, site_of
from acidtest.store.spending import Limits, Spending
from acidtest.store.trace_job import State
from acidtest.store.trace_jobs import TraceJobs

MOST_DEAD = 50
_DAYS = 14
_ERROR = 500
_STATES: tuple[State, ...] = ("dead", "out")


@get("/queue", sync_to_thread=True, opt=OWN)
def queue(request: AnyRequest) -> Response[str]:
    """Show how the queue is doing."""
    site = site_of(request)
    jobs, now = site.open(TraceJobs), time.time_ns() // 1_000_000
    online, counters = site.config.online, site.counters
    limits = Limits(
        usd=online.budget_usd_per_day, calls=online.calls_per_day, traces=online.traces_per_day
    )
    back = asked(request, "back").understood().get("back", "")
    if back and not (back.isascii() and back.isdigit()):
        raise not_understood({"back": "Write a number."})
    return page(
        request,
        "queue.html.j2",
        title="Queue",
        health=jobs.health(now_ms=now),
        dead=[
            (job, clip(job.error or "", _ERROR), moment(job.created))
            for job in jobs.listed("dead", limit=MOST_DEAD)
        ],
        days=site.open(Spending).days(_DAYS),
        limits=limits,
        counters=counters,
        failed={status: n for status, n in counters.export_requests.items() if status >= 400},
        room=site.room,
        age=duration(round(time.time() - counters.started) * 1000),
        lag=duration,
        back=back,
    )


@post("/queue/revive", status_code=200)
async def revive(request: AnyRequest) -> Redirect:
    """Put one job that gave up, or all in a state, back into the queue."""
    jobs = site_of(request).open(TraceJobs)
    form = await request.form()
    trace_id, state = str(form.get("trace") or ""), form.get("state")
    states = tuple(known for known in _STATES if known == state)

    def put() -> int:
        now = time.time_ns() // 1_000_000
        if trace_id:
            return jobs.revive([trace_id], now_ms=now, states=_STATES)
        return jobs.revive(now_ms=now, states=states) if states else 0

    back = await asyncio.to_thread(put)
    return Redirect(address("/queue", {"back": str(back)}), status_code=303)


menu = ("Queue", "/queue", 9)
routes = [queue, revive]
