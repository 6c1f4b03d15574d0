"""A metric with its settings: what a name such as `recall@5` or `ndcg(gain=exp)@10` stands for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from acidtest.data.outcomes import MetricSpec
from acidtest.errors import UsageError
from acidtest.metrics.declare import LabelMetric, Metric, Setting

Ranking = Literal["retrieved", "candidates"]
_OF = Setting("retrieved", Ranking)


@dataclass(frozen=True)
class Bound:
    """A metric with its settings: what a name such as `recall@5` stands for.

    A label metric can look at the first-stage candidates instead of what reached the generator:
    `recall(of=candidates)@20` says whether a reranker was fed well enough.
    """

    metric: Metric
    values: Mapping[str, Any]
    of: Ranking = "retrieved"

    @cached_property
    def name(self) -> str:
        """The identity: `recall@5`, `ndcg(gain=exp)@10`, `faithfulness`."""
        named = {key: v for key, v in self.values.items() if key != "k"}
        if self.of != "retrieved":
            named["of"] = self.of
        inner = ",".join(f"{key}={named[key]}" for key in sorted(named))
        k = self.values.get("k")
        return (
            f"{self.metric.name}{f'({inner})' if inner else ''}{f'@{k}' if k is not None else ''}"
        )

    @property
    def spec(self) -> MetricSpec:
        """The record of this metric that a run keeps."""
        m = self.metric
        return MetricSpec(
            name=self.name,
            stage=m.stage,
            direction=m.direction,
            cost=m.cost,
            version=m.full_version,
        )


def bind(metric: Metric, text: str) -> Bound:
    """Turn a name with settings into a metric with settings.

    Args:
        metric: The metric that `split_name(text)` names.
        text: `NAME[(key=value,...)][@k]`.

    Raises:
        UsageError: A setting that the metric lacks, or a value of the wrong kind.
    """
    _, inner, k = split_name(text)
    given: dict[str, Any] = {}
    for part in filter(None, (p.strip() for p in (inner or "").split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(
                f"{part!r} is not key=value", where=f"metric {text!r}", fix="Write NAME(key=value)."
            )
        given[key.strip()] = value.strip()
    if k is not None:
        given["k"] = k
    settings = (
        {**metric.settings, "of": _OF} if isinstance(metric, LabelMetric) else metric.settings
    )
    values = {}
    for key, raw in given.items():
        setting = settings.get(key)
        if setting is None:
            takes = ", ".join(settings) or "no settings"
            raise UsageError(
                f"{metric.name} does not take {'a cut-off (@k)' if key == 'k' else repr(key)}",
                where=f"metric {text!r}",
                fix=f"It takes: {takes}.",
            )
        values[key] = _convert(raw, setting, f"metric {text!r}", key)
    of = values.pop("of", "retrieved")
    return Bound(metric, values, of)


def split_name(text: str) -> tuple[str, str | None, str | None]:
    """Split `NAME(key=value)@k` into its three parts.

    Raises:
        UsageError: The text is not a metric's name.
    """
    match = re.fullmatch(r"\s*([\w.-]+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S+))?\s*", text)
    if match is None:
        raise UsageError(
            f"{text!r} is not a metric's name", fix="Write it like recall@5 or faithfulness."
        )
    return match[1], match[2], match[3]


def _convert(raw: str, setting: Setting, where: str, key: str) -> Any:
    import msgspec

    try:
        value = msgspec.convert(raw, setting.type, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"{raw!r} is not a value for {key} ({error})".replace("`", "'"),
            where=where,
            fix="Give a value of its kind.",
        ) from error
    if key == "k" and (not isinstance(value, int) or value < 1):
        raise UsageError(
            f"the cut-off k is {raw}", where=where, fix="k counts ranks: give 1 or more."
        )
    return value
