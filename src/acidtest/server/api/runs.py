"""Runs for programs: the list as `acidtest runs list --json` gives it, one as `acidtest runs show --json`."""

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from acidtest.comparison.diagnose import with_diagnoses
from acidtest.data.runs import RunInfo
from acidtest.errors import UsageError
from acidtest.run.assemble import load
from acidtest.server.render import AnyRequest, site_of
from acidtest.store.runs import Store


@get("/api/runs", sync_to_thread=True)
def list_runs(request: AnyRequest) -> list[RunInfo]:
    """List the runs, newest first."""
    return [run.info for run in site_of(request).open(Store).all_runs()]


@get("/api/runs/{run_id:str}", sync_to_thread=True)
def show_run(request: AnyRequest, run_id: FromPath[str]) -> Response[bytes]:
    """Return a run with its answers and scores, as its run file holds it."""
    store = site_of(request).open(Store)
    try:
        found = with_diagnoses(load(store, store.get(run_id)))
    except UsageError as error:
        raise NotFoundException(error.what) from error
    return Response(found.to_json(), media_type="application/json")


routes = [list_runs, show_run]
