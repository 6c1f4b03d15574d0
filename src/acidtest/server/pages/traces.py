"""The list of traces: searched, filtered, a page at a time."""

from typing import Any

from litestar import Response, get

from acidtest.project.online_metrics import online_names
from acidtest.report.online_traces import trace_line
from acidtest.server.query import OWN, address
from acidtest.server.render import AnyRequest, page, site_of
from acidtest.server.trace_query import FIELDS, wanted
from acidtest.store.traces import TraceStore

ROWS = 50

_SHOWN = ("text", "feedback", "failed", "since", "through")
"""Fields that always stand there; the others are folded until one is used."""


@get("/traces", sync_to_thread=True, opt=OWN)
def traces(request: AnyRequest) -> Response[str]:
    """List traces, the newest first: those that fit all that is asked; none where that is not understood."""
    site = site_of(request)
    asked = wanted(request, site.config, limit=ROWS)
    store = site.open(TraceStore)
    shown, last = (
        ([], None)
        if asked.errors
        else store.page(asked.filter, after=asked.after, limit=asked.limit)
    )

    def link(more: dict[str, Any]) -> str:
        return address("/traces", {**asked.given, **more})

    return page(
        request,
        "traces.html.j2",
        status=400 if asked.errors else 200,
        title="Traces",
        lines=[trace_line(each) for each in shown],
        given=asked.given,
        errors=asked.errors,
        fields=FIELDS,
        folded=not any(name not in _SHOWN for name in (*asked.given, *asked.errors)),
        metrics=[
            (name, name) for name in sorted({*online_names(site.config), *_names(asked.given)})
        ],
        link=link,
        newest=link({}) if asked.after is not None else "",
        older=asked.next("/traces", last) if last else "",
        any_at_all=bool(shown or asked.given or store.listed(limit=1)),
    )


def _names(given: dict[str, str]) -> list[str]:
    return [given["metric"]] if "metric" in given else []


menu = ("Traces", "/traces", 7)
routes = [traces]
