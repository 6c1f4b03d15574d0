"""What this acidtest has of what a card is about: prompts, versions, and the names that commands take."""

from collections.abc import Callable

from msgspec import Struct

from acidtest.data.runs import JudgeRef
from acidtest.errors import AcidtestError
from acidtest.metrics.declare import CaseMetric
from acidtest.project.config import Config
from acidtest.project.planning import bounds


class Method(Struct, frozen=True, kw_only=True):
    """What a metric asks now: the name of its prompt, and its method and prompt's version.

    Both are empty where this acidtest does not have the metric, such as one of another configuration.
    """

    prompt: str = ""
    version: str = ""


Present = Callable[[str], Method]
"""From a metric's name to what it asks now."""


def present(config: Config) -> Present:
    """Return what metrics ask now, by their names."""

    def method(metric: str) -> Method:
        try:
            bound = bounds([metric], config)[0]
        except AcidtestError:  # of another configuration, or of a plugin that is not here
            return Method()
        prompt = bound.metric.prompt if isinstance(bound.metric, CaseMetric) else None
        return Method(prompt=prompt.name if prompt is not None else "", version=bound.spec.version)

    return method


def asked_as(judge: JudgeRef, *names: str | None) -> str:
    """Return the name by which commands ask a judge: of those given the first that is its, else its model."""
    for name in names:
        if name and judge.model in (name, name.partition(":")[2]):
            return name
    return judge.model
