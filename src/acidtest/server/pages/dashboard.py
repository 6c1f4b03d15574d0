"""The dashboard: how the live system does, day by day, of all traces or of a slice."""

import time
from collections.abc import Mapping
from typing import Any

from litestar import Response, get

from acidtest.online.look import read_state
from acidtest.online.observed import Left, observed
from acidtest.online.overview import SLICES, Daily, Overview, overview, sliced, values_of
from acidtest.online.readings import DAY_MS
from acidtest.report.figures import count
from acidtest.report.online_chart import Chart, columns
from acidtest.report.online_dashboard import Tile, day, tile
from acidtest.report.reference_words import told_by
from acidtest.server.briefly import Briefly
from acidtest.server.query import OWN, Asked, address, asked, day_ms
from acidtest.server.render import AnyRequest, page, site_of
from acidtest.server.site import Site
from acidtest.store.alerts import Alerts
from acidtest.store.trace_figures import TraceFigures

SPANS = (7, 14, 30, 90)
"""Days that can be looked at."""

_USUAL = 14
_MOST_TRACES = 100_000
_MOST_VALUES = 50
_KEPT_S = 60.0

_kept = Briefly(_KEPT_S)


@get("/", sync_to_thread=True, opt=OWN)
def dashboard(request: AnyRequest) -> Response[str]:
    """Show how the live system does."""
    site = site_of(request)
    given, errors = _asked(request)
    status = 400 if errors else 200
    latest = site.open(TraceFigures).latest()
    shown: dict[str, Any] = {
        "title": "Live system",
        "alerts": _open_alerts(site),
        "given": given,
        "errors": errors,
        "status": status,
    }
    if latest is None:
        host = request.headers.get("host", "127.0.0.1:7373")
        address_ = f"{request.scope['scheme']}://{host}"
        locked = bool(site.settings.token)
        shown |= {"empty": True, "address": address_, "locked": locked}
        return page(request, "dashboard.html.j2", **shown)
    span = _span({n: value for n, value in given.items() if n not in errors}, latest)
    wanted = {by: given[by] for by in ("tag", *SLICES) if by in given}
    key = (site.settings.store, span, tuple(wanted.items()))
    made = _kept.get(key, lambda: _made(site, span, wanted))
    return page(
        request,
        "dashboard.html.j2",
        empty=False,
        spans=[(str(days), str(days)) for days in SPANS],
        days=(span[1] - span[0]) // DAY_MS,
        since=day(span[0]),
        until=day(span[1] - 1),
        old=span[1] + DAY_MS < _now() and "until" not in given,
        wanted=wanted,
        told_by={} if wanted else told_by(read_state(site.open(Alerts)).references),
        all_of=address("/", {k: v for k, v in given.items() if k in ("days", "until")}),
        traces_of=lambda more: address("/traces", {**wanted, **more}),
        **made,
        **shown,
    )


def _asked(request: AnyRequest) -> Asked:
    """Return what is asked for, and what of it is not understood."""
    given, errors = asked(request, "days", "until", "tag", *SLICES)
    if "days" in given and given["days"] not in map(str, SPANS):
        errors.setdefault("days", f"Write one of {', '.join(map(str, SPANS))}.")
    if "until" in given and day_ms(given["until"]) is None:
        errors.setdefault("until", "Write a day: 2026-11-30.")
    return Asked(given, errors)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _open_alerts(site: Site) -> list[Any]:
    return site.open(Alerts).listed(state="open", limit=20)


def _span(given: Mapping[str, str], latest: int) -> tuple[int, int]:
    """Return the time to look at, whole days of UTC; what is old and all there is, is looked at where it is."""
    days = int(given.get("days", _USUAL))
    last = day_ms(given.get("until", ""))
    if last is None:
        today = _now() // DAY_MS * DAY_MS
        last = today if latest >= today - (days - 1) * DAY_MS else latest // DAY_MS * DAY_MS
    until = last + DAY_MS
    return max(until - days * DAY_MS, 0), until


def _made(site: Site, span: tuple[int, int], wanted: Mapping[str, str]) -> dict[str, Any]:
    since_ms, until_ms = span
    figures = site.open(TraceFigures)
    seen = observed(
        figures, site.config.online, since_ms=since_ms, until_ms=until_ms, limit=_MOST_TRACES
    )
    tagged = figures.tagged(wanted["tag"], since_ms, until_ms) if "tag" in wanted else None
    some = sliced(seen, {by: wanted[by] for by in SLICES if by in wanted}, tagged)
    found = overview(seen, some, since_ms=since_ms, until_ms=until_ms)
    return {
        "view": found,
        "share": site.config.online.sample,
        "counts": _counts(found),
        "scores": [_tile(q, found) for q in found.quantities if q.kind == "score"],
        "others": [_tile(q, found) for q in found.quantities if q.kind != "score"],
        "choices": [
            *((by, values_of(seen, by, most=_MOST_VALUES)) for by in SLICES),
            ("tag", figures.tags(since_ms, until_ms, limit=_MOST_VALUES)),
        ],
        "most": _MOST_TRACES,
    }


def _tile(quantity: Daily, found: Overview) -> Tile:
    lead = next(iter(quantity.whole.values()))
    if quantity.scored:
        note = f"from {lead.n:,} scored of {found.traces:,} traces"
    else:
        note = f"from {lead.n:,} traces" if lead.n != found.traces else f"all {lead.n:,} traces"
    if quantity.unscored:
        note += f"; {quantity.unscored:,} skipped or failed"
    if quantity.left is not None:
        note += f". {_left_out(quantity.left)}"
    return tile(
        quantity.name,
        quantity.kind,
        list(quantity.whole.items()),
        list(quantity.days.items()),
        [d.begins_ms for d in found.days],
        note,
        broken_ms=quantity.left.since_ms if quantity.left is not None else None,
    )


def _left_out(left: Left) -> str:
    other = ("another judge", "another version of the metric")
    which = " and ".join(
        name for name, is_it in zip(other, (left.judge, left.version), strict=True) if is_it
    )
    return (
        f"Since {day(left.since_ms)} it is scored by {which}: "
        f"{count(left.n, 'earlier score')} cannot be compared, and are left out"
    )


def _counts(found: Overview) -> Chart:
    n = [float(d.traces) for d in found.days]
    texts = [f"{day(d.begins_ms)}: {d.traces:,} traces, {d.scored:,} scored" for d in found.days]
    scored = [float(d.scored) for d in found.days]
    return columns("Traces by day, and how many are scored", n, scored, texts, f"{max(n):,.0f}")


menu = ("Live", "/", 5)
routes = [dashboard]
