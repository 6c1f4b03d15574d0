"""The runs of the store, and one of them as its report shows it."""

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from acidtest.comparison.diagnose import with_diagnoses
from acidtest.comparison.scorecard import scorecard
from acidtest.errors import UsageError
from acidtest.report.html import MOST_CASES, run_view
from acidtest.run.assemble import load
from acidtest.server.render import AnyRequest, page, site_of
from acidtest.store.runs import Store

MOST_RUNS = 200


@get("/runs", sync_to_thread=True)
def runs(request: AnyRequest) -> Response[str]:
    """List the runs, newest first."""
    infos = [run.info for run in site_of(request).open(Store).all_runs()]
    shown, left_out = infos[:MOST_RUNS], len(infos[MOST_RUNS:])
    return page(request, "runs.html.j2", title="Runs", infos=shown, left_out=left_out)


@get("/runs/{run_id:str}", sync_to_thread=True)
def run(request: AnyRequest, run_id: FromPath[str]) -> Response[str]:
    """Show one run."""
    site = site_of(request)
    store = site.open(Store)
    try:
        found = with_diagnoses(load(store, store.get(run_id)))
    except UsageError as error:
        raise NotFoundException(error.what) from error
    view = run_view(found, scorecard(found, site.config.targets), "r1", MOST_CASES)
    return page(request, "run_page.html.j2", title=found.name, v=view, views=[view])


menu = ("Runs", "/runs", 10)
routes = [runs, run]
