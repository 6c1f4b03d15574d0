"""The digest: what a week asked that the golden set lacks, what failed alike, what moved; and cases of it."""

import asyncio
import time
from pathlib import Path
from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from acidtest.errors import AcidtestError, StoreError, UsageError
from acidtest.golden.grow.promote import Ruling
from acidtest.online.digest import WEEK_MS
from acidtest.online.digest_words import INTO
from acidtest.online.readings import DAY_MS
from acidtest.online.weekly import read_weekly
from acidtest.project.digest import digest_in
from acidtest.project.golden_promote import Promotion, who_and_when
from acidtest.project.traces_promote import promote_traces
from acidtest.report.figures import count
from acidtest.report.online_dashboard import day, moment
from acidtest.server.briefly import Briefly
from acidtest.server.digest_view import DigestView, digest_view
from acidtest.server.query import OWN, address, asked, day_ms
from acidtest.server.render import AnyRequest, page, site_of
from acidtest.server.site import Site
from acidtest.server.trace_forms import golden_file
from acidtest.store.alerts import Alerts
from acidtest.store.trace_readings import TraceReadings

_KEPT_S = 900.0
_MOST = 20
"""Traces of one form."""

_kept = Briefly(_KEPT_S)


@get("/digest", sync_to_thread=True, opt=OWN)
def digest(request: AnyRequest) -> Response[str]:
    """Show what seven days brought."""
    given, errors = asked(request, "until", "done")
    if "until" in given and _last(given["until"]) is None:
        errors.setdefault("until", "Write a day that has begun: 2026-11-30.")
    if errors:
        return page(
            request, "digest.html.j2", status=400, title="The week", given=given, errors=errors
        )
    return _page(request, given.get("until", ""), done=given.get("done", ""))


@post("/digest/golden", status_code=200)
async def golden(request: AnyRequest) -> Response[str] | Redirect:
    """Put traces of a group into the golden set, where they wait for a person's review."""
    site, form = site_of(request), await request.form()
    ids = [str(value) for value in form.getall("trace", [])]
    until = str(form.get("until") or "")
    until = until if _last(until) is not None else ""
    by, when = who_and_when(None)

    def put() -> Response[str] | Redirect:
        try:
            path = golden_file(site.config)
            if path is None:
                raise UsageError('No golden set is configured. Write golden = "golden.jsonl".')
            if not 0 < len(ids) <= _MOST:
                raise UsageError(f"Choose from 1 to {_MOST} traces.")
            ruling = Ruling(by=by, when=when)
            made = promote_traces(
                site.config,
                ids,
                ruling,
                path,
                replace=form.get("replace") == "yes",
                store=site.settings.store,
            )
        except StoreError:
            raise
        except AcidtestError as error:
            return _page(request, until, wrong=str(error), status=422)
        return Redirect(address("/digest", {"until": until, "done": _said(made)}), status_code=303)

    return await asyncio.to_thread(put)


def _said(made: Promotion) -> str:
    return str(len({*made.added, *made.replaced}))


def _page(
    request: AnyRequest, until: str, *, done: str = "", wrong: str = "", status: int = 200
) -> Response[str]:
    site = site_of(request)
    last = _last(until)
    end = time.time_ns() // 1_000_000 if last is None else last + DAY_MS
    path = golden_file(site.config)
    shown: dict[str, Any] = {}
    try:
        view, end = _kept.get((site.settings.store, until, _stamp(path)), lambda: _made(site, end))
        shown = {"view": view}
    except StoreError:
        raise
    except AcidtestError as error:
        shown = {"fault": str(error)}
    added = int(done) if done.isascii() and done.isdigit() and len(done) < 3 else 0
    return page(
        request,
        "digest.html.j2",
        status=status,
        title="The week",
        given={"until": until} if until else {},
        errors={},
        since=day(end - WEEK_MS) if until else moment(end - WEEK_MS),
        until=day(end - 1) if until else moment(end),
        before=address("/digest", {"until": day(end - WEEK_MS - 1)}),
        golden=path,
        command=f"acidtest traces digest --until {day(end)}" if until else "acidtest traces digest",
        done=f"{count(added, 'case')} now in the golden set, to be reviewed there."
        if added
        else "",
        wrong=wrong,
        week=site.config.online.alerts.digest,
        sent=[
            (each.to, moment(each.at_ms), each.error)
            for each in read_weekly(site.open(Alerts)).sent
        ],
        **shown,
    )


def _last(text: str) -> int | None:
    """Return when a day begins; None where it is none, or has not begun."""
    found = day_ms(text)
    return None if found is None or found > time.time_ns() // 1_000_000 else found


def _made(site: Site, end_ms: int) -> tuple[DigestView, int]:
    rows = site.open(TraceReadings)
    found = digest_in(rows, site.config, since_ms=end_ms - WEEK_MS, until_ms=end_ms)
    return digest_view(found, into=golden_file(site.config) or INTO), end_ms


def _stamp(path: str | None) -> tuple[int, int] | None:
    """Return what changes when the golden set does: then what it lacks is counted anew."""
    try:
        told = Path(path).stat() if path is not None else None
    except OSError:
        return None
    return None if told is None else (told.st_mtime_ns, told.st_size)


menu = ("Digest", "/digest", 9)
routes = [digest, golden]
