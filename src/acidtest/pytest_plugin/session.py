"""What one pytest session knows: configuration, golden set, baseline, and the runs that it made."""

import os
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from acidtest.codec.json import content_hash
from acidtest.codec.runs import decode_run, file_of
from acidtest.data.golden import GoldenSet
from acidtest.data.runs import Run
from acidtest.errors import AcidtestError, UsageError
from acidtest.golden.load import load_golden
from acidtest.judges.identity import identity_of
from acidtest.project.config import Config, find_config, load_config
from acidtest.project.evaluate import evaluate
from acidtest.project.stores import find_run
from acidtest.pytest_plugin.meant import meant
from acidtest.pytest_plugin.share import once

Baseline = Run | str | os.PathLike[str]
"""A run, or what names one: a file, an id, a name, `latest`."""

SETTINGS = (
    "pipeline", "metrics", "judge", "embedder", "mode", "name", "options", "repeat", "concurrency",
    "budget_usd", "budget_tokens", "unanswerable",
)  # fmt: skip
"""What `@pytest.mark.acidtest` takes: arguments of `acidtest.evaluate`, with the same meaning."""


class Session:
    """Everything is found when it is first asked for, and kept.

    Args:
        pytest_config: The session's configuration, with the options of the command line.
    """

    def __init__(self, pytest_config: pytest.Config) -> None:
        self.pytest_config = pytest_config
        self.pipeline_fixtures: dict[pytest.FixtureDef[Any], int] = {}
        self.runs: dict[str, Run] = {}
        self.told: list[str] = []

    @property
    def worker(self) -> str | None:
        """The name of the session that this worker of pytest-xdist belongs to; None where it is none."""
        given: dict[str, str] = getattr(self.pytest_config, "workerinput", {})
        return given.get("testrunuid")

    @cached_property
    def config(self) -> Config:
        """The configuration: as pytest's names it, else from where pytest was started, else its root."""
        named: str = self.pytest_config.getini("acidtest_config")
        if named:
            return load_config(self.root / named)
        found = find_config(self.started) or find_config(self.root)
        return load_config(found) if found else Config(folder=str(self.started))

    @property
    def started(self) -> Path:
        """The folder that paths of options start from; tests may change the working folder."""
        return self.pytest_config.invocation_params.dir

    @property
    def root(self) -> Path:
        """The folder that paths in pytest's configuration start from."""
        file = self.pytest_config.inipath
        return file.parent if file else self.pytest_config.rootpath

    @cached_property
    def golden(self) -> GoldenSet:
        """The configured golden set.

        Raises:
            UsageError: None is named.
            BadGolden: It cannot be read.
        """
        option: str | None = self.pytest_config.getoption("acidtest_golden")
        key: str = self.pytest_config.getini("acidtest_golden")
        if option:
            return load_golden(self.started / option)
        if key:
            return load_golden(self.root / key)
        if self.config.golden:
            return load_golden(Path(self.config.folder) / self.config.golden)
        raise UsageError(
            "no golden set is named",
            fix="Give your own fixture 'golden', acidtest_golden in pytest's configuration, or an "
            "acidtest.toml.",
        )

    @property
    def baseline(self) -> Run | None:
        """The run of --acidtest-baseline, or of pytest's configuration.

        Raises:
            AcidtestError: There is no such run, or it cannot be read.
        """
        if isinstance(self._baseline, AcidtestError):
            raise self._baseline
        return self._baseline

    @cached_property
    def _baseline(self) -> Run | AcidtestError | None:
        """The baseline, or why there is none: a test that does not need it is not to fail for it."""
        name = self._baseline_name
        try:
            return self.find(name) if name else None
        except AcidtestError as error:
            return error

    @property
    def _baseline_name(self) -> str:
        given: dict[str, str] = getattr(self.pytest_config, "workerinput", {})
        option: str | None = self.pytest_config.getoption("acidtest_baseline")
        key: str = self.pytest_config.getini("acidtest_baseline")
        if option:
            key, base = option, self.started
        else:
            base = self.root
        return given.get("acidtest_baseline") or (str(base / key) if file_of(key) else key)

    @property
    def baseline_for_workers(self) -> str:
        """What workers are to take; not `latest`, which may be a run of this session by then."""
        name, found = self._baseline_name, self._baseline
        return found.id if isinstance(found, Run) and os.sep not in name else name

    def find(self, name: str | os.PathLike[str]) -> Run:
        """Return a run by file, id, name, or `latest`.

        Raises:
            AcidtestError: There is no such run, or it cannot be read.
        """
        return find_run(self.config, os.fspath(name), self.store)

    @property
    def store(self) -> str | None:
        """The store of the command line."""
        given: str | None = self.pytest_config.getoption("acidtest_store")
        return str(self.started / given) if given and "://" not in given else given

    def run(self, item: pytest.Item, pipeline: Any, golden: Any) -> Run:
        """Return the run that a test asks for; the same run is made once, by one worker.

        Args:
            item: The test, with its markers.
            pipeline: What the fixture gives; None for the configured pipeline.
            golden: What the fixture gives.

        Raises:
            AcidtestError: Bad input; a pipeline that throws fails its case only.
        """
        _ = self._baseline  # looked up before there is a run of this session: it may be `latest`
        golden = load_golden(golden)
        marked, places = _marked(item)
        if "pipeline" in marked:
            pipeline = marked.pop("pipeline")
        elif pipeline is not None and not isinstance(pipeline, str):
            places += self._made_at(pipeline)
        settings = self._defaults() | marked
        named = pipeline is None or isinstance(pipeline, str)
        key = content_hash(
            {
                "pipeline": pipeline if named else identity_of(pipeline, ""),
                "golden": [golden.version, [case.id for case in golden]],
                "settings": {name: _plain(value) for name, value in sorted(settings.items())},
                "places": places,
            }
        ).rpartition(":")[2]
        if key not in self.runs:
            self.runs[key] = self._joined(key, pipeline, golden, settings)
        return self.runs[key]

    def _joined(self, key: str, pipeline: Any, golden: GoldenSet, settings: dict[str, Any]) -> Run:
        def made() -> Run:
            return evaluate(
                meant(
                    pipeline, golden, self.config, self._chosen, self.told.append, base=self.started
                ),
                golden,
                store=self.store,
                config=self.config,
                told=self.told.append,
                **settings,
            )

        if self.worker is None:
            return made()
        # The worker that makes it reads it, too: tests see the same run in each.
        written = once(self.worker, key, lambda: made().to_json())
        return decode_run(written, where="the run of another worker")

    @property
    def _chosen(self) -> tuple[str, Path] | None:
        """The pipeline that the command line or pytest's configuration names, and where it is looked for."""
        option: str | None = self.pytest_config.getoption("acidtest_pipeline")
        key: str = self.pytest_config.getini("acidtest_pipeline")
        if option:
            return option, self.started
        return (key, self.root) if key else None

    def _defaults(self) -> dict[str, Any]:
        metrics: list[str] = self.pytest_config.getini("acidtest_metrics")
        judge: str | None = self.pytest_config.getoption("acidtest_judge")
        return {"metrics": metrics or ["fast"], "judge": judge}

    def _made_at(self, pipeline: Any) -> list[str]:
        """Return which fixture made a pipeline, and from which of its parameters."""
        return [
            f"{fixture.baseid}::{fixture.func.__module__}.{fixture.func.__qualname__}[{index}]"
            for fixture, index in self.pipeline_fixtures.items()
            if fixture.cached_result is not None and fixture.cached_result[0] is pipeline
        ]


def _marked(item: pytest.Item) -> tuple[dict[str, Any], list[str]]:
    """Return what a test's markers set, the nearest first, and where they set what has no name.

    Objects of one name and code may differ in what they hold: they are told apart by their markers.
    """
    settings: dict[str, Any] = {}
    places: list[str] = []
    for node, mark in item.iter_markers_with_node("acidtest"):
        if mark.args or not set(mark.kwargs) <= set(SETTINGS):
            strange = [repr(a) for a in mark.args] + [k for k in mark.kwargs if k not in SETTINGS]
            raise UsageError(
                f"the marker acidtest does not take {', '.join(strange)[:200]}",
                where=item.nodeid,
                fix=f"It takes by name: {', '.join(SETTINGS)}.",
            )
        new = {name: value for name, value in mark.kwargs.items() if name not in settings}
        places += [f"{node.nodeid} {name}" for name, value in new.items() if not _is_plain(value)]
        settings |= new
    return settings, places


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(_is_plain(item) for item in value)
    return value is None or isinstance(value, str | int | float | bool)


def _plain(value: Any) -> Any:
    """Return a setting as text, the same in every process."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return repr(value) if _is_plain(value) else identity_of(value, "")
