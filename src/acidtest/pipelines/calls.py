"""How a function of a pipeline wants to be called, read from its signature.

The question goes to the first parameter that has no other meaning. By name, where the function takes
them: `contexts`, `k`, `history`, `case`. A required parameter that means nothing is refused when the
pipeline is made, not when the first case is asked.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from acidtest.data.golden import Case
from acidtest.errors import UsageError

NAMES: Mapping[str, tuple[str, ...]] = {
    "contexts": (
        "contexts",
        "context",
        "chunks",
        "documents",
        "docs",
        "passages",
        "retrieved",
        "sources",
        "nodes",
    ),
    "k": ("k", "top_k"),
    "history": ("history", "chat_history"),
    "case": ("case",),
}
_ROLE = {name: role for role, names in NAMES.items() for name in names}
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True)
class Call:
    """A function of a pipeline, and by which of its parameters it takes what.

    `takes` maps a role (question, contexts, k, history, case) to a parameter's name, or to a
    position. `needs` are the roles that it cannot be called without.
    """

    fn: Callable[..., Any] = field(repr=False)
    label: str
    takes: Mapping[str, str | int]
    needs: frozenset[str] = frozenset()

    @property
    def is_async(self) -> bool:
        """Whether it gives a coroutine or an async generator, as far as can be told beforehand."""
        return any(
            inspect.iscoroutinefunction(f) or inspect.isasyncgenfunction(f)
            for f in (self.fn, getattr(self.fn, "__call__", None))  # noqa: B004 - not a test
        )

    def arguments(
        self, case: Case, *, contexts: Any = None, k: int | None = None
    ) -> tuple[list[Any], dict[str, Any]]:
        """Return what to call it with; contexts and k only where given and taken."""
        values = {"question": case.question, "case": case}
        if "history" in self.takes:
            values["history"] = history_of(case)
        if contexts is not None:
            values["contexts"] = contexts
        if k is not None:
            values["k"] = k
        placed = [
            (place, values[role])
            for role, place in self.takes.items()
            if isinstance(place, int) and role in values
        ]
        named = {
            place: values[role]
            for role, place in self.takes.items()
            if isinstance(place, str) and role in values
        }
        return [value for _, value in sorted(placed, key=lambda pair: pair[0])], named


def history_of(case: Case) -> list[dict[str, str]]:
    """Return the earlier turns in the form of chat interfaces: role and content."""
    return [{"role": turn.role, "content": turn.text} for turn in case.history]


def read_call(
    fn: Callable[..., Any], label: str, *, where: str = "pipeline", generates: bool = False
) -> Call:
    """Read how a function wants to be called.

    Args:
        fn: The function, method or callable object.
        label: What it is called in messages, such as "answer()".
        where: The pipeline, for messages.
        generates: Whether a required second parameter of any name takes the contexts.

    Raises:
        UsageError: It takes no question, or requires something that a pipeline call cannot give.
    """
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):  # builtins that tell no signature
        return Call(fn, label, {"question": 0})
    named = [p for p in parameters if p.kind in _POSITIONAL or p.kind is p.KEYWORD_ONLY]
    takes: dict[str, str | int] = {}
    needs = set()
    left = []
    for index, parameter in enumerate(named):
        role = _ROLE.get(parameter.name)
        free = role is None or role in takes
        if free and "question" not in takes:
            role = "question"
        elif free and generates and "contexts" not in takes and _required(parameter):
            role = "contexts"
        elif free:
            left.append(parameter)
            continue
        takes[str(role)] = _place(parameter, index, takes)
        if _required(parameter):
            needs.add(str(role))
    _open_ended(parameters, takes, generates=generates)
    if "question" not in takes and "case" not in takes:
        raise UsageError(
            "it takes no question",
            where=f"{where}: {label}",
            fix="Its first parameter gets the question.",
        )
    required = [p.name for p in left if _required(p)]
    if required:
        raise UsageError(
            f"it requires {', '.join(map(repr, required))}, which a pipeline call cannot fill",
            where=f"{where}: {label}",
            fix="Give defaults, or bind them with functools.partial. Filled by name are: "
            f"{', '.join(name for names in NAMES.values() for name in names)}.",
        )
    return Call(fn, label, takes, frozenset(needs))


def _required(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty


def _place(parameter: inspect.Parameter, index: int, takes: dict[str, str | int]) -> str | int:
    # By position where it must be, or where it comes first: a decorated function may show the
    # parameter names of the function that it wraps without taking them.
    if parameter.kind is parameter.POSITIONAL_ONLY:
        return index
    return 0 if parameter.kind in _POSITIONAL and index == 0 and not takes else parameter.name


def _open_ended(
    parameters: list[inspect.Parameter], takes: dict[str, str | int], *, generates: bool
) -> None:
    kinds = {p.kind for p in parameters}
    stars, names = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    if "question" not in takes and "case" not in takes:
        if stars in kinds:
            takes["question"] = 0
        elif names in kinds:
            takes["question"] = "question"
    if generates and "contexts" not in takes and {stars, names} & kinds:
        takes["contexts"] = "contexts" if names in kinds else 1
    if "k" not in takes and names in kinds:
        takes["k"] = "k"
