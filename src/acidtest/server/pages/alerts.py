"""Alerts: those that are open and those that ended, with what they rest on."""

import asyncio
import time

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from acidtest.online.delivery import undelivered
from acidtest.project.golden_promote import who_and_when
from acidtest.report.clean import clip, one_line
from acidtest.report.online_alerts import alert_view
from acidtest.report.online_dashboard import moment
from acidtest.server.acknowledged import acknowledge, acknowledged
from acidtest.server.query import address
from acidtest.server.render import AnyRequest, page, site_of
from acidtest.store.alerts import Alerts
from acidtest.store.traces import TraceStore

MOST_OPEN = 100
MOST_ENDED = 50
_NAME = 80
_QUESTION = 240
_MOST_NAMED = 100
"""Traces whose question is shown; others show their id."""


@get("/alerts", sync_to_thread=True)
def alerts(request: AnyRequest) -> Response[str]:
    """Show the alerts, the newest first."""
    kept = site_of(request).open(Alerts)
    now = time.time_ns() // 1_000_000
    seen = {
        number: f"{each.by}, {moment(each.at_ms)} UTC"
        for number, each in acknowledged(kept).items()
    }
    lost = undelivered(kept)
    groups = [
        [
            alert_view(
                each.id,
                each.alert,
                now_ms=now,
                seen=seen.get(each.id, ""),
                untold=[
                    f"{one.to} at {moment(one.at_ms)} UTC: {one.error}"
                    for one in lost.get((each.alert.key, each.alert.state), ())
                ],
            )
            for each in kept.listed(state=state, limit=limit)
        ]
        for state, limit in (("open", MOST_OPEN), ("ended", MOST_ENDED))
    ]
    worst = [trace_id for view in groups[0] for trace_id in view.worst][:_MOST_NAMED]
    found = site_of(request).open(TraceStore).questions(list(dict.fromkeys(worst)))
    return page(
        request,
        "alerts.html.j2",
        questions={trace_id: _shown(text) for trace_id, text in found.items()},
        title="Alerts",
        groups=list(zip(("Open", "Ended"), groups, strict=True)),
        traces_of=lambda by, of: address("/traces", {by: of}) if by else "",
    )


def _shown(question: str) -> str:
    return clip(one_line(question), _QUESTION) or "(it tells no question)"


@post("/alerts/{number:int}/seen", status_code=200)
async def seen(request: AnyRequest, number: FromPath[int]) -> Redirect:
    """Note that somebody has seen an alert."""
    kept = site_of(request).open(Alerts)
    form = await request.form()
    by, _ = who_and_when(str(form.get("by") or "").strip()[:_NAME] or None)

    def put() -> None:
        if kept.get(number) is None:
            raise NotFoundException("There is no such alert.")
        acknowledge(kept, number, by, now_ms=time.time_ns() // 1_000_000)

    await asyncio.to_thread(put)
    return Redirect(f"/alerts#alert-{number}", status_code=303)


menu = ("Alerts", "/alerts", 8)
routes = [alerts, seen]
