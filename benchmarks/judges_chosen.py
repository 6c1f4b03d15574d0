"""Panels and cascades that are chosen on some questions and measured on others, over recorded verdicts."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from judges_held_out import Choice, agreeing, cascade, held_out, panel, panelling, sparing
from judges_llmbar import pairs
from judges_panels import GPT4, HEAD, has_gold, llm, sure
from judges_recorded import AnyGold, Played, Recorded, Stakes, beside, columns, play
from judges_tables import Table, lines, shown, table

RANGES = (0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01)
"""How far from sure BEM may be, to be believed."""
LARGE, SMALL = "GPT-4", ("ChatGPT", "LLaMA2", "PaLM2")
BEST = "GPT-4/Vanilla"
GAIN = "less the best single one"
SLACKS = {"as good": 0.0, "at most .03 worse": 0.03}


def chosen(data: Path) -> Iterator[Table]:
    """Yield a table for short answers, and for pairs: plain ones, misleading ones, from these to those."""
    yield short_answers(list(lines(data / "nq301_judges" / "judgments.jsonl.gz")))
    rows = pairs(data)
    natural = [row for row in rows if row["subset"] == "Natural"]
    misleading = [row for row in rows if row["subset"] != "Natural"]
    yield preferences(natural, "Natural")
    yield preferences(misleading, "Adversarial")
    yield moved(natural, misleading)


def short_answers(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return the best panels of short answers' judges, and the cascades that ask GPT-4 least."""
    truths = [bool(row["human"]["final"]) for row in rows]
    on = Stakes(truths, [row["question_id"] for row in rows], "correct")
    ways = {
        GPT4: llm(GPT4, "gpt-4"),
        "davinci": llm("davinci", "text-davinci-003"),
        "BEM": Recorded("BEM", sure(0.5, 0.5)),
        "local": AnyGold(),
        "contains-gold": Recorded("contains-gold", has_gold),
    }
    single = {name: play(way, CORRECTNESS, rows) for name, way in ways.items()}
    alone, davinci = single[GPT4], single["davinci"]
    bem = {low: play(Recorded("BEM", sure(low, 1 - low)), CORRECTNESS, rows) for low in RANGES}
    surer = play(AnyGold("correct"), CORRECTNESS, rows)
    fronts = {
        "BEM": {f"BEM {low}": each for low, each in bem.items()},
        "local": {"local": single["local"], "local, correct": surer},
        "davinci with BEM": {
            f"davinci + BEM {low}": alike(davinci, each) for low, each in bem.items()
        },
    }
    fronts["any of these"] = {name: each for some in fronts.values() for name, each in some.items()}
    made = table(
        "Chosen on other questions: short answers (nq301)",
        "Judge",
        *HEAD,
        "less gpt-4 alone",
        GAIN,
    )
    put = _Rows(made, on, alone, GPT4, ("davinci",))
    put.add(GPT4, alone)
    put.best("best single judge", agreeing(single, on))
    for size in (3, 5):
        put.choose(f"best panel of {size}", panelling(single, on, size))
    for name, some in fronts.items():
        tried = {each: cascade(first, alone) for each, first in some.items()}
        for word, slack in SLACKS.items():
            put.choose(f"{name} > gpt-4, {word}", sparing(tried, on, GPT4, alone, slack=slack))
    return made


def preferences(rows: Sequence[Mapping[str, Any]], title: str) -> Table:
    """Return the best panels of LLMBar's 45 settings, and the cascades that ask GPT-4 least."""
    on, single = stakes(rows), settings(rows)
    others = {name: each for name, each in single.items() if not name.startswith(LARGE)}
    alone = single[BEST]
    made = table(
        f"Chosen on other pairs: preferences (LLMBar, {title})",
        "Judge",
        *HEAD,
        f"less {BEST}",
        GAIN,
    )
    put = _Rows(made, on, alone, LARGE, SMALL)
    put.add(BEST, alone)
    put.best("best single setting", agreeing(single, on))
    put.choose("best single setting without GPT-4", agreeing(others, on))
    for size in (3, 5):
        put.choose(f"best panel of {size}", panelling(single, on, size))
        put.choose(f"best panel of {size} without GPT-4", panelling(others, on, size))
    tried = cascades(single)
    for word, slack in SLACKS.items():
        choice = sparing(tried, on, LARGE, alone, slack=slack)
        put.choose(f"another model in both orders > {BEST}, {word}", choice)
    return made


def moved(near: Sequence[Mapping[str, Any]], far: Sequence[Mapping[str, Any]]) -> Table:
    """Return what becomes of those that are best on some pairs when pairs of another kind come."""
    here, there = stakes(near), stakes(far)
    single, later = settings(near), settings(far)
    others = {name: each for name, each in single.items() if not name.startswith(LARGE)}
    every = list(range(len(here.truths)))
    made = table(
        "Chosen on Natural, measured on Adversarial (LLMBar)", "Judge", *HEAD, f"less {BEST}", GAIN
    )
    put = _Rows(made, there, later[BEST], LARGE, SMALL)
    put.add(BEST, later[BEST])
    name, _ = agreeing(single, here)(every)
    put.best(f"best single setting: {name}", lambda _: (name, later[name]))
    for title, some in (("best panel of 3", single), ("best panel of 3 without GPT-4", others)):
        names, _ = panelling(some, here, 3)(every)
        put.add(f"{title}: {names}", panel([later[each] for each in names.split(" + ")]))
    for word, slack in SLACKS.items():
        front, _ = sparing(cascades(single), here, LARGE, single[BEST], slack=slack)(every)
        put.add(
            f"cascade, {word}: {front} > {BEST}", (cascades(later) | {LARGE: later[BEST]})[front]
        )
    return made


class _Rows:
    """What adds rows to a table."""

    def __init__(
        self, made: Table, on: Stakes, alone: Played, dear: str, cheap: Sequence[str]
    ) -> None:
        self._made, self._on, self._alone = made, on, alone
        self._dear, self._cheap = dear, cheap
        self._single: Played | None = None

    def best(self, name: str, choice: Choice) -> None:
        """Add the best single judge, which the others that are chosen are held against."""
        played, picked = held_out(self._on, choice)
        self.add(name, played, picked)
        self._single = played

    def choose(self, name: str, choice: Choice) -> None:
        """Add the one that is best elsewhere."""
        played, picked = held_out(self._on, choice)
        self.add(name, played, picked)

    def add(self, name: str, played: Played, picked: Mapping[str, int] | None = None) -> None:
        """Add a judge."""
        found = beside(played, self._alone, self._on, dear=self._dear, cheap=self._cheap)
        gain = None
        if self._single is not None:
            gain = beside(played, self._single, self._on, dear=self._dear, cheap=self._cheap)[
                "less"
            ]
        shown_gain = "" if gain is None else shown(gain)
        self._made.add(name, (*columns(found), shown_gain), **found, gain=gain, picked=picked)


def stakes(rows: Sequence[Mapping[str, Any]]) -> Stakes:
    """Return what is true of pairs: each is two rows, one for each order."""
    twice = [row for row in rows for _ in (0, 1)]
    return Stakes([str(row["label"]) == "1" for row in twice], [row["id"] for row in twice], "1")


def settings(rows: Sequence[Mapping[str, Any]]) -> dict[str, Played]:
    """Return what every setting says."""
    return {
        name: Played(
            [word for row in rows for word in row["verdicts"][name]],
            {name.partition("/")[0]: [1] * (2 * len(rows))},
        )
        for name in rows[0]["verdicts"]
    }


def cascades(single: Mapping[str, Played]) -> dict[str, Played]:
    """Return each other setting, asked in both orders, before GPT-4."""
    return {
        name: cascade(alike(each, turned(each)), single[BEST])
        for name, each in single.items()
        if not name.startswith(LARGE)
    }


def turned(played: Played) -> Played:
    """Return what is said in the other order."""
    pairs_of = zip(played.said[::2], played.said[1::2], strict=True)
    return Played([word for one, two in pairs_of for word in (two, one)], played.calls)


def alike(one: Played, other: Played) -> Played:
    """Return what both say alike; where one is silent, it is open."""
    both = panel([one, other])
    said = [a if a == b else None for a, b in zip(one.said, other.said, strict=True)]
    return Played(said, both.calls)
