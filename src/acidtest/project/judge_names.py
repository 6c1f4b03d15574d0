"""The names of judges: `A + B` is a panel, `A > B` a cascade, and what stands between is one judge.

`+` and `>` count only with blanks (or nothing) around them: models are called what they like. `+` binds
tighter, so `local > a + b` asks the panel of a and b what the local judge leaves open.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct

from acidtest.errors import BadConfig, UnknownName, UsageError

Steps = tuple[tuple[str, ...], ...]
"""The steps of a cascade, each the judges of a panel; one step of one judge is that judge."""

Kind = Literal["local", "openai", "anthropic", "google", "nli", "python"]

PROVIDERS: tuple[Kind, ...] = ("openai", "anthropic", "google")
LOCAL = "local"
FORMS = (
    LOCAL,
    *(f"{provider}:MODEL" for provider in PROVIDERS),
    "nli:MODEL",
    "path.py:object",
    "python:module:object",
    "A + B",
    "A > B",
)
WHERE = "judge"

_OPERATOR = re.compile(r"(?<!\S)([+>])(?!\S)")


class Part(Struct, frozen=True):
    """One judge by its name: what sort it is, and the model or the address of the object."""

    kind: Kind
    called: str
    at_address: bool = False


def steps_of(name: str) -> Steps:
    """Take a judge's name apart.

    Raises:
        BadConfig: An operator has nothing on one of its sides, or a judge stands twice where that
            makes no sense.
        UnknownName: It is empty.
    """
    if not name.strip():
        raise UnknownName("judge", name, FORMS, where=WHERE)
    words = [word.strip() for word in _OPERATOR.split(name)]
    for n in range(1, len(words), 2):
        missing = "before" if not words[n - 1] else "after" if not words[n + 1] else None
        if missing is not None:
            kind = "panel" if words[n] == "+" else "cascade"
            raise BadConfig(
                f"{name!r} names no judge {missing} {words[n]!r}",
                where=WHERE,
                fix=f"Write a {kind} as A {words[n]} B, such as local {words[n]} openai:MODEL.",
            )
    steps: list[list[str]] = [[words[0]]]
    for operator, word in zip(words[1::2], words[2::2], strict=True):
        if operator == ">":
            steps.append([word])
        else:
            steps[-1].append(word)
    _check_doubles(name, steps)
    return tuple(tuple(step) for step in steps)


def part_of(name: str, *, has_address: bool) -> Part:
    """Tell what sort of judge a name without operators names.

    Args:
        name: The name.
        has_address: Whether an endpoint of one's own is configured: what has no other meaning is then
            a model there.

    Raises:
        UnknownName: No judge is called so.
        BadConfig: A provider, and no model.
    """
    if name == LOCAL:
        return Part("local", LOCAL)
    first, colon, rest = name.partition(":")
    if first == "python" and colon:
        return Part("python", rest)
    if name.rpartition(":")[0].endswith(".py"):
        return Part("python", name)
    for kind in (*PROVIDERS, "nli"):
        if first == kind and colon:
            if not rest.strip():
                raise BadConfig(
                    f"{name!r} names no model", where=WHERE, fix=f"Write {first}:MODEL."
                )
            return Part(kind, rest)
    if has_address:
        return Part("openai", name, at_address=True)
    if re.search("[+>]", name):
        spaced = " ".join(re.sub("[+>]", r" \g<0> ", name).split())
        raise UnknownName("judge", name, [spaced], where=WHERE)
    near = get_close_matches(first.lower(), [*PROVIDERS, "nli", LOCAL], n=1, cutoff=0.7)
    meant = [f"{near[0]}:{rest}"] if near and rest and near[0] != LOCAL else FORMS
    raise UnknownName("judge", name, meant, where=WHERE)


def addresses(name: str) -> list[str]:
    """Return where the own judges in a name are; none where it is no name of judges."""
    try:
        parts = [part_of(one, has_address=True) for step in steps_of(name) for one in step]
    except UsageError:
        return []
    return [part.called for part in parts if part.kind == "python"]


def _check_doubles(name: str, steps: Sequence[Sequence[str]]) -> None:
    for n, step in enumerate(steps):
        double = next((word for word in step if step.count(word) > 1), None)
        if double is None and n and step == steps[n - 1]:
            double = " + ".join(step)
        if double is not None:
            raise BadConfig(
                f"{name!r} names {double} twice",
                where=WHERE,
                fix="A judge has one vote. To ask it several times: --repeat N.",
            )
