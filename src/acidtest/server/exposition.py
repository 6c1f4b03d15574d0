"""Numbers as text for Prometheus (exposition format 0.0.4)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from acidtest.server.counters import BOUNDS_S, Durations

CONTENT_TYPE = "text/plain; version=0.0.4"


class Series(NamedTuple):
    """A metric with its values by labels; one without labels has the empty mapping's key, ()."""

    name: str
    kind: str
    help: str
    values: Mapping[tuple[tuple[str, str], ...], float]


def single(name: str, kind: str, told: str, value: float) -> Series:
    """Return a metric of one value."""
    return Series(name, kind, told, {(): value})


def by(name: str, kind: str, told: str, label: str, values: Mapping[str, float]) -> Series:
    """Return a metric with one label."""
    return Series(name, kind, told, {((label, key),): value for key, value in values.items()})


def text(series: Sequence[Series], histograms: Mapping[tuple[str, str], Durations]) -> str:
    """Write metrics.

    Args:
        series: Counters and gauges.
        histograms: Durations by name and help.
    """
    lines: list[str] = []
    for one in series:
        lines += _head(one.name, one.kind, one.help)
        lines += [
            f"{one.name}{_labels(labels)} {value:.15g}" for labels, value in one.values.items()
        ]
    for (name, told), durations in histograms.items():
        lines += _head(name, "histogram", told)
        counts = durations.cumulative()
        for bound, count in zip((*BOUNDS_S, "+Inf"), counts, strict=True):
            lines.append(f'{name}_bucket{{le="{bound}"}} {count}')
        lines += [f"{name}_sum {durations.total_s:.15g}", f"{name}_count {counts[-1]}"]
    return "\n".join(lines) + "\n"


def _head(name: str, kind: str, told: str) -> list[str]:
    return [f"# HELP {name} {told}", f"# TYPE {name} {kind}"]


def _labels(labels: tuple[tuple[str, str], ...]) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{key}="{_escaped(value)}"' for key, value in labels) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
