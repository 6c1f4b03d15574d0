"""Finding metrics by name: the files of this package, and plugins by entry point.

A plugin registers a `LabelMetric` or `CaseMetric` under the entry-point group `acidtest.metrics`.
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
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if module.ispkg:
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, LabelMetric | CaseMetric):
                found[value.name] = value
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


def find(text: str, *, where: str | None = None) -> Bound:
    """Return the metric that a name such as `recall@5` stands for.

    Raises:
        UnknownName: There is no such metric; the nearest one is suggested.
        UsageError: The name's settings are not the metric's.
    """
    name, _, k = split_name(text)
    metrics = known()
    if name not in metrics:
        error = UnknownName("metric", name, metrics, where=where)
        if k is not None and error.fix is not None and error.fix.startswith("Did you mean"):
            near = error.fix.removeprefix("Did you mean '").removesuffix("'?")
            raise UsageError(
                f"unknown metric {text!r}", where=where, fix=f"Did you mean '{near}@{k}'?"
            )
        raise error
    return bind(metrics[name], text)
