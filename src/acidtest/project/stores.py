"""Which store a command uses, and finding a run in it."""

import os
from pathlib import Path

from acidtest.codec.runs import file_of, load_run
from acidtest.comparison.diagnose import with_diagnoses
from acidtest.data.runs import Run
from acidtest.errors import UnknownName, UsageError
from acidtest.project.config import Config
from acidtest.run.assemble import load
from acidtest.store.names import path_of
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store

DEFAULT = Path(".acidtest") / "store.db"


def store_url(config: Config, given: str | None = None) -> str:
    """Return the store's URL: as given, else ACIDTEST_STORE, else configured, else beside the file."""
    chosen = given or os.environ.get("ACIDTEST_STORE")
    if chosen:
        return chosen
    folder = Path(config.folder)
    if config.store.url:
        url = config.store.url
        return url if "://" in url or Path(url).is_absolute() else str(folder / url)
    return str(folder / DEFAULT)


def existing_url(config: Config, given: str | None = None) -> str | None:
    """Return the store's URL; None where there is none yet, and none is made."""
    url = store_url(config, given)
    path = path_of(url)
    return None if path is not None and not path.exists() else url


def open_store(config: Config, given: str | None = None) -> Store:
    """Open the store, making it where it is not there yet."""
    return Store(store_url(config, given))


def open_existing(config: Config, given: str | None = None) -> Store | None:
    """Open the store for reading; None when there is none yet, and none is made."""
    url = existing_url(config, given)
    return None if url is None else Store(url)


def pick(store: Store | None, name: str) -> StoredRun:
    """Return the stored run of an id, a unique beginning of one, a name (its newest), or `latest`.

    The latest is the newest that found its contexts itself: not one half of a crossing.

    A damaged run is found by its id, as far as anything can be told of it: it can be deleted.

    Raises:
        UsageError: There is no run yet.
        UnknownName: None of that name.
    """
    runs = store.all_runs() if store is not None else []
    damaged = store.damaged() if store is not None else []
    if store is None or not (runs or damaged):
        raise UsageError("the store holds no run yet", fix="Make one: acidtest run")
    own = [
        run for run in runs if not run.info.contexts_from
    ]  # what crossings left is no evaluation
    if name == "latest" and own:
        return own[0]
    for run in runs:
        if name in (run.info.id, run.info.name):
            return run
    by_id = {run.info.id: run for run in runs}
    begun = [i for i in (*by_id, *damaged) if i.startswith(name)]
    if name in damaged or len(begun) == 1:
        found = name if name in damaged else begun[0]
        return by_id.get(found) or store.outline(found)
    known = {*by_id, *damaged, *(run.info.name for run in runs), "latest"}
    raise UnknownName("run", name, known)


def _picked(store: Store | None, name: str) -> StoredRun:
    """Return a stored run; who names a file that is none is told so, not that no run is called that."""
    try:
        return pick(store, name)
    except UsageError as error:
        if not Path(name).is_file():
            raise
        raise UsageError(
            "this file is no run",
            where=name,
            fix="A run is a .json file that acidtest run --json has written, or one of the store: an id, "
            "a name or `latest`. Recorded outputs are given with --outputs.",
        ) from error


def find_run(config: Config, name: str, given: str | None = None) -> Run:
    """Return a run by id, name, `latest` or the path of its JSON file, with its diagnoses."""
    if file_of(name):
        return with_diagnoses(load_run(name))
    store = open_existing(config, given)
    try:
        stored = _picked(store, name)
        if store is None:
            raise UsageError("the store holds no run yet", fix="Make one: acidtest run")
        # Read again: what `pick` says of a damaged run is no run.
        return with_diagnoses(load(store, store.get(stored.info.id)))
    finally:
        if store is not None:
            store.close()
