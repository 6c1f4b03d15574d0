"""Finding metrics by name: the files of this package, and plugins by entry point.

A metric is in the file of its name, or of the name's first words (`abstention_accuracy` in
`abstention.py`), so that a run imports the metrics that it scores and no others. A plugin registers a
`LabelMetric` or `CaseMetric` under the entry-point group `acidtest.metrics`; it comes before ours of the
same name.
"""

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from importlib.metadata import entry_points

from acidtest import metrics as package
from acidtest.errors import UnknownName, UsageError
from acidtest.metrics.bound import Bound, bind, split_name
from acidtest.metrics.declare import CaseMetric, LabelMetric, Metric


@functools.cache
def known() -> Mapping[str, Metric]:
    """Return every metric by its name."""
    found: dict[str, Metric] = {}
    for module in _files().values():
        found |= _metrics_in(module)
    return {**found, **_plugins()}


@functools.cache
def named(name: str) -> Metric | None:
    """Return the metric that bears a name, if any does; no other's file is imported."""
    plugin = _plugins().get(name)
    if plugin is not None:
        return plugin
    words = name.split("_")
    for end in range(len(words), 0, -1):
        module = _files().get("_".join(words[:end]))
        if module is not None:
            return _metrics_in(module).get(name)
    return None


def find(text: str, *, where: str | None = None) -> Bound:
    """Return the metric that a name such as `recall@5` stands for.

    Raises:
        UnknownName: There is no such metric; the nearest one is suggested.
        UsageError: The name's settings are not the metric's.
    """
    name, _, k = split_name(text)
    metric = named(name)
    if metric is None:
        error = UnknownName("metric", name, known(), where=where)
        if k is not None and error.fix is not None and error.fix.startswith("Did you mean"):
            near = error.fix.removeprefix("Did you mean '").removesuffix("'?")
            raise UsageError(
                f"unknown metric {text!r}", where=where, fix=f"Did you mean '{near}@{k}'?"
            )
        raise error
    return bind(metric, text)


@functools.cache
def _files() -> Mapping[str, str]:
    """Return the modules of this package by the last part of their names."""
    walked = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return {module.name.rpartition(".")[2]: module.name for module in walked if not module.ispkg}


def _metrics_in(module: str) -> dict[str, Metric]:
    values = vars(importlib.import_module(module)).values()
    return {value.name: value for value in values if isinstance(value, LabelMetric | CaseMetric)}


@functools.cache
def _plugins() -> Mapping[str, Metric]:
    found: dict[str, Metric] = {}
    for point in entry_points(group="acidtest.metrics"):
        value = point.load()
        if not isinstance(value, LabelMetric | CaseMetric):
            raise UsageError(
                f"entry point {point.name!r} is not a metric",
                where=point.value,
                fix="Decorate the function with acidtest.metric(...).",
            )
        found[value.name] = value
    return found
