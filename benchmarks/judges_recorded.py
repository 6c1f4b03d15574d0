"""Judges that say what was recorded, so that real panels and cascades can be played without any call."""

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from acidtest.codec.json import content_hash
from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.judges.compound import parts_of
from acidtest.judges.local.correctness import answer as ruling
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.local.rules import THRESHOLDS
from acidtest.ports import Judge, Prompt, Reply, Verdict
from acidtest.project.calibrating.people import difference
from acidtest.stats.agreement import Agreement
from acidtest.stats.balanced import tables_of, verdicts_of
from acidtest.stats.bootstrap import mean_interval
from judges_tables import measure, number, percent, shown

Fields = Mapping[str, Any]


class Preference(Struct, frozen=True, kw_only=True):
    """Which of two outputs is better; `undecided` comes of a panel that is divided."""

    verdict: Literal["1", "2", "undecided"]


PREFERENCE = Prompt(name="preference", version="1", reply=Preference, template="{{pair}}")


class Recorded:
    """A judge that says what was recorded, and counts how often it is asked.

    Args:
        name: The model's name.
        says: The recorded verdict by the row; None where the reply had none.
    """

    def __init__(self, name: str, says: Callable[[Fields], str | None]) -> None:
        self.model = name
        self.asked = 0
        self._says = says

    @property
    def fingerprint(self) -> str:
        """A hash of the name."""
        return content_hash({"recorded": self.model})

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Return the recorded verdict.

        Raises:
            JudgeError: None is recorded.
        """
        self.asked += 1
        said = self._says(fields["row"])
        if said is None:
            raise JudgeError("the recorded reply has no verdict", where=f"judge {self.model}")
        reply = msgspec.convert({"verdict": said}, prompt.reply)
        return Verdict(reply=reply, model=self.model, cost_usd=0.0)


class AnyGold:
    """The local judge with several gold answers: right by any of them, wrong by all.

    Args:
        trusted: The words that count; another leaves the row open.
    """

    model = "local"

    def __init__(self, *trusted: str) -> None:
        self._trusted = trusted or ("correct", "incorrect")
        self.fingerprint = content_hash({"any": LocalJudge().fingerprint, "of": self._trusted})

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Return the verdict of the gold answer that fits best."""
        row = fields["row"]
        verdict = any_gold(row["question"], row["answer"], tuple(row["golden_answers"]))
        verdict = verdict if verdict in self._trusted else "undecided"
        reply = msgspec.convert({"verdict": verdict}, prompt.reply)
        return Verdict(reply=reply, model=self.model, cost_usd=0.0)


@cache
def any_gold(question: str, answer: str, golden: tuple[str, ...]) -> str:
    """Return what the local judge says of an answer: correct by any gold answer, incorrect by all, or undecided."""
    fields = [{"question": question, "reference": gold, "answer": answer} for gold in golden]
    words = {ruling(each, THRESHOLDS)["verdict"] for each in fields}
    if "correct" in words or words == {"incorrect"}:
        return "correct" if "correct" in words else "incorrect"
    return "undecided"


class Played(NamedTuple):
    """What a judge said of rows: its words, None where it gave none; and how often whom it asked, row by row."""

    said: list[str | None]
    calls: dict[str, list[int]]

    def spent(self, names: Sequence[str]) -> list[int]:
        """Return the calls of some models together, row by row."""
        columns = [self.calls[name] for name in names if name in self.calls]
        return [sum(each) for each in zip(*columns, strict=True)] or [0] * len(self.said)


def play(judge: Judge, prompt: Prompt[Any], rows: Sequence[Fields]) -> Played:
    """Ask a judge of every row."""
    return asyncio.run(_play(judge, prompt, rows))


async def _play(judge: Judge, prompt: Prompt[Any], rows: Sequence[Fields]) -> Played:
    leaves = [part for part in parts_of(judge) if isinstance(part, Recorded)]
    said: list[str | None] = []
    calls: dict[str, list[int]] = {part.model: [0] * len(rows) for part in leaves}
    for n, row in enumerate(rows):
        before = [part.asked for part in leaves]
        try:
            verdict = await judge.ask(prompt, row=row)
        except JudgeError:
            verdict = None
        word = verdict.reply.verdict if isinstance(verdict, Verdict) else None
        said.append(None if word == prompt.abstain else word)
        for part, was in zip(leaves, before, strict=True):
            calls[part.model][n] += part.asked - was
    return Played(said, calls)


class Stakes(NamedTuple):
    """What is judged: what is true of each row, what rows share, and which word is a yes."""

    truths: list[bool]
    groups: list[Hashable]
    yes: str


def beside(
    played: Played, alone: Played, on: Stakes, *, dear: str, cheap: Sequence[str]
) -> dict[str, Any]:
    """Return what a judge decides, costs and agrees with people, and how that differs from the dear one alone."""
    some = [n for n, word in enumerate(played.said) if word is not None]
    both = [n for n in some if alone.said[n] is not None]
    mine = measure(
        "kappa",
        [on.truths[n] for n in some],
        [played.said[n] == on.yes for n in some],
        [on.groups[n] for n in some],
    )
    right = [played.said[n] == on.yes for n in some]
    calls = [float(x) for x in played.spent([dear])]
    return {
        "rows": len(played.said),
        "decided": len(some) / len(played.said),
        "dear": float(np.mean(calls)),
        "dear_ci": mean_interval(calls, on.groups) if len(set(calls)) > 1 else None,
        "cheap": float(np.mean(played.spent(list(cheap)))),
        "accuracy": float(np.mean([a == on.truths[n] for a, n in zip(right, some, strict=True)])),
        "kappa": mine,
        "less": _less(played, alone, on, both),
    }


def _less(
    played: Played, alone: Played, on: Stakes, both: Sequence[int]
) -> Agreement | Skip | None:
    if played is alone:
        return None
    made = [
        tables_of(
            verdicts_of(
                [on.truths[n] for n in both],
                [each.said[n] == on.yes for n in both],
                groups=[on.groups[n] for n in both],
            )
        )
        for each in (played, alone)
    ]
    return difference(np.stack(made, axis=1), len(both))


def columns(found: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the cells of a row: decided, calls, agreement, difference."""
    low, high = found["dear_ci"] or (found["dear"], found["dear"])
    dear = f"{100 * found['dear']:.0f}"
    if low != high:
        dear += f" ({100 * low:.0f} to {100 * high:.0f})"
    less = "" if found["less"] is None else shown(found["less"])
    return (
        f"{percent(found['decided'])} of {found['rows']}",
        dear,
        f"{100 * found['cheap']:.0f}",
        number(found["accuracy"]),
        shown(found["kappa"]),
        less,
    )
