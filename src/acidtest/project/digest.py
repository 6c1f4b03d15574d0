"""The digest of a store's live traces against the configured golden set."""

from pathlib import Path

from msgspec.structs import replace

from acidtest.data.digest import Digest
from acidtest.golden.load import load_golden
from acidtest.online.digest import digest
from acidtest.online.digest_told import digest_parcel
from acidtest.online.digest_words import INTO
from acidtest.online.look import readings_of
from acidtest.online.notify import Parcel
from acidtest.online.reading import read
from acidtest.online.readings import DAY_MS
from acidtest.online.weekly import Make
from acidtest.project.config import Config
from acidtest.project.online_metrics import fewer_is_better, of_retrieval
from acidtest.project.traces import opened_traces
from acidtest.store.trace_readings import TraceReadings


def digest_of(
    config: Config,
    *,
    since_ms: int,
    until_ms: int,
    golden: str | None = None,
    store: str | None = None,
) -> Digest:
    """Return what a span of time brought, held against the golden set and the span before.

    Args:
        config: The configuration.
        since_ms: The beginning.
        until_ms: The end, excluded.
        golden: The golden set; by default the configured one. Without any, all that is asked is lacking.
        store: The store's URL.

    Raises:
        UsageError: There is no store yet, or it fails.
        BadGolden: The set cannot be read.
    """
    with opened_traces(config, store) as traces, TraceReadings(traces.url) as rows:
        return digest_in(rows, config, since_ms=since_ms, until_ms=until_ms, golden=golden)


def digest_in(
    rows: TraceReadings,
    config: Config,
    *,
    since_ms: int,
    until_ms: int,
    golden: str | None = None,
) -> Digest:
    """Return the digest of a store that is open; see `digest_of`."""
    path = golden_path(config, golden)
    if golden is None and path is not None and not Path(path).exists():
        path = None  # the first case that is put into it makes it
    asked = [] if path is None else [case.question for case in load_golden(path)]
    span = until_ms - since_ms
    readings = readings_of(read(rows, [(since_ms - span, until_ms)]), config.online)
    found = digest(
        readings,
        asked,
        until_ms=until_ms,
        span_ms=span,
        lower_is_better=fewer_is_better(config),
        of_retrieval=of_retrieval(config),
    )
    return replace(found, traces=rows.count(since_ms, until_ms))


def digest_sent(config: Config, url: str) -> Make:
    """Return what makes the digest that a worker sends.

    Args:
        config: The configuration.
        url: The store.
    """

    def make(since_ms: int, until_ms: int) -> Parcel | None:
        with TraceReadings(url) as rows:
            first, last = (2 * since_ms - until_ms) // DAY_MS, until_ms // DAY_MS
            if not any(first <= day < last for day, _ in rows.days()):
                return None  # nobody wants to hear every week that there is nothing
            found = digest_in(rows, config, since_ms=since_ms, until_ms=until_ms)
        return digest_parcel(found, into=golden_path(config) or INTO)

    return make


def golden_path(config: Config, given: str | None = None) -> str | None:
    """Return the path of the golden set: as given, else as configured; None where there is none."""
    if given is not None or config.golden is None:
        return given
    return str(Path(config.folder) / config.golden)
