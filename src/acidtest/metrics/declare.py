"""Declaring a metric: a decorator that reads everything from the function's signature.

Two kinds. A *label metric* is a function of the hit table (`columns.table.Ranked`) and gives one value a
query, None where there are no labels. A *case metric* takes what it needs of one case by parameter
name (`text`, `chunks`, `reference`, ...) and gives an `Outcome`. Positional parameters are needs,
keyword-only parameters are settings (`recall@5`, `ndcg(gain=exp)@10`), the function's name is the
metric's name, and a need of `judge` or `embedder` makes its cost class.
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from acidtest.columns.labels import Labels
from acidtest.columns.place import one_query
from acidtest.columns.table import Column, Ranked
from acidtest.data.answers import Chunk
from acidtest.data.golden import Evidence
from acidtest.data.outcomes import Outcome
from acidtest.data.terms import Cost, Direction, Stage
from acidtest.errors import UsageError
from acidtest.ports import Prompt

P = ParamSpec("P")
R = TypeVar("R", bound=Outcome | Awaitable[Outcome])

NEEDS = frozenset(
    {
        "case",  # data.Case
        "answer",  # data.Answer
        "question",  # str
        "text",  # str: the answer's text
        "chunks",  # tuple[Chunk, ...]: what was retrieved
        "reference",  # str
        "evidence",  # tuple[Evidence, ...]
        "judge",  # ports.Judge
        "embedder",  # ports.Embedder
    }
)
"""What a case metric may ask for; anything else is a mistake in its declaration."""


@dataclass(frozen=True)
class Setting:
    """A keyword-only parameter of a metric."""

    default: Any
    type: Any


@dataclass(frozen=True)
class Declared:
    """What the two kinds of metric share.

    `unanswerable` says whether the metric applies to a case that must abstain, `answer_optional` that
    it looks at the answer only where the case has no reference, `labelled` that it reads labels of the
    case that it takes.
    """

    name: str
    stage: Stage
    direction: Direction
    version: str
    needs: tuple[str, ...]
    settings: Mapping[str, Setting]
    prompt: Prompt[Any] | None = None
    unanswerable: bool = True
    answer_optional: bool = False
    labelled: bool = False
    doc: str = field(default="", repr=False)

    @property
    def cost(self) -> Cost:
        """What a case costs: free, one or more embeddings, or one or more judge calls."""
        if "judge" in self.needs:
            return "judge"
        return "embedding" if "embedder" in self.needs else "free"

    @property
    def full_version(self) -> str:
        """The metric's version with its prompt's: either changing makes old scores old."""
        return f"{self.version}+{self.prompt.version}" if self.prompt else self.version


@dataclass(frozen=True)
class LabelMetric(Declared, Generic[P]):
    """A metric over the hit table. Called as a plain function it scores one ranking."""

    fn: Callable[Concatenate[Ranked, P], Column] = field(kw_only=True, repr=False)

    def __call__(
        self, retrieved: Sequence[str], relevant: Labels, *args: P.args, **kwargs: P.kwargs
    ) -> float:
        """Score one ranking.

        Args:
            retrieved: The ids in ranked order, best first; an id that comes twice counts once.
            relevant: The relevant ids, or id -> grade.
            *args: None; settings are keyword-only.
            **kwargs: The metric's settings, such as `k`.

        Returns:
            The value, in 0..1.

        Raises:
            UsageError: `relevant` is empty (without labels there is no value), or k is below 1.
        """
        if isinstance(retrieved, Mapping):
            raise UsageError(
                "scores are not a ranking",
                where="retrieved",
                fix="Give the ids best first; acidtest.retrieval ranks scores.",
            )
        value = self.column(one_query(retrieved, relevant), *args, **kwargs)[0]
        if value is None:
            raise UsageError(
                f"{self.name} has no value without relevant ids",
                where="relevant",
                fix="Give at least one relevant id with a grade above 0.",
            )
        return value

    def column(self, ranked: Ranked, *args: P.args, **kwargs: P.kwargs) -> Column:
        """Return one value per query of the table; None where the query has no labels.

        Raises:
            UsageError: k is not a whole number from 1.
        """
        k = kwargs.get("k")
        if k is not None and (not isinstance(k, int) or k < 1):
            raise UsageError(
                f"the cut-off k is {k!r}", where=self.name, fix="k counts ranks: give 1 or more."
            )
        return self.fn(ranked, *args, **kwargs)


@dataclass(frozen=True)
class CaseMetric(Declared, Generic[P, R]):
    """A metric of one case. Called, it is the plain function that was decorated.

    Where it takes chunks or evidence, plain texts will do.
    """

    fn: Callable[P, R] = field(kw_only=True, repr=False)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Score one case."""
        given = tuple(_wrapped(need, value) for need, value in zip(self.needs, args, strict=False))
        return self.fn(*given, *args[len(given) :], **kwargs)  # type: ignore[arg-type]


Metric = LabelMetric[Any] | CaseMetric[Any, Any]


def label_metric(
    *, version: str = "1"
) -> Callable[[Callable[Concatenate[Ranked, P], Column]], LabelMetric[P]]:
    """Declare a retrieval metric over the hit table."""

    def declare(fn: Callable[Concatenate[Ranked, P], Column]) -> LabelMetric[P]:
        needs, settings = _signature(fn, frozenset({"ranked"}))
        return LabelMetric(
            name=fn.__name__,
            stage="retrieval",
            direction="higher",
            version=version,
            needs=needs,
            settings=settings,
            doc=inspect.getdoc(fn) or "",
            unanswerable=False,
            fn=fn,
        )

    return declare


def metric(
    *,
    stage: Stage,
    direction: Direction = "higher",
    version: str = "1",
    prompt: Prompt[Any] | None = None,
    unanswerable: bool = True,
    answer_optional: bool = False,
    labelled: bool = False,
) -> Callable[[Callable[P, R]], CaseMetric[P, R]]:
    """Declare a metric of one case.

    Args:
        stage: Which part of the system it measures.
        direction: Whether higher or lower is better; it never changes between versions.
        version: Raise it when the same input would score differently.
        prompt: The prompt that it asks the judge.
        unanswerable: False when a case that must abstain is to be skipped.
        answer_optional: True when it looks at the answer only where the case has no reference; then
            a case with one is scored even if the pipeline failed after it had retrieved.
        labelled: True when it takes the case for what somebody labelled it with, such as whether it may be
            answered: it says nothing of a question that nobody looked at.
    """

    def declare(fn: Callable[P, R]) -> CaseMetric[P, R]:
        needs, settings = _signature(fn, NEEDS)
        return CaseMetric(
            name=fn.__name__,
            stage=stage,
            direction=direction,
            version=version,
            needs=needs,
            settings=settings,
            prompt=prompt,
            unanswerable=unanswerable,
            answer_optional=answer_optional,
            labelled=labelled,
            doc=inspect.getdoc(fn) or "",
            fn=fn,
        )

    return declare


def _wrapped(need: str, value: Any) -> Any:
    """Turn plain texts into the records that a metric works on."""
    kind = {"chunks": Chunk, "evidence": Evidence}.get(need)
    if kind is None or isinstance(value, str) or not isinstance(value, Sequence):
        return value
    return tuple(kind(text=item) if isinstance(item, str) else item for item in value)


def _signature(
    fn: Callable[..., Any], allowed: frozenset[str]
) -> tuple[tuple[str, ...], dict[str, Setting]]:
    needs: list[str] = []
    settings: dict[str, Setting] = {}
    name = getattr(fn, "__name__", repr(fn))
    for parameter in inspect.signature(fn).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            settings[parameter.name] = Setting(parameter.default, parameter.annotation)
        elif parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            if parameter.name not in allowed:
                raise UsageError(
                    f"parameter {parameter.name!r} is not something a metric can need",
                    where=f"metric {name!r}",
                    fix=f"Positional parameters are needs: {', '.join(sorted(allowed))}. "
                    "Make a setting keyword-only.",
                )
            needs.append(parameter.name)
        else:
            raise UsageError(
                "*args and **kwargs say nothing of needs",
                where=f"metric {name!r}",
                fix="Name each parameter.",
            )
    return tuple(needs), settings
