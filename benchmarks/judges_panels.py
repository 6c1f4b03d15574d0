"""Panels and cascades, made of recorded verdicts: how many calls they save, and what that does to agreement.

Of LLMBar's prompts the plain one is taken, and where a second one is needed that with metrics and a reference,
which is its authors' own; of thresholds all that were tried are shown.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from acidtest.judges.cascade import Cascade
from acidtest.judges.panel import Panel
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.ports import Judge
from judges_llmbar import pairs
from judges_published import contains
from judges_recorded import PREFERENCE, AnyGold, Recorded, Stakes, beside, columns, play
from judges_tables import Table, lines, table

GPT4 = "gpt-4"
SMALL = ("ChatGPT", "LLaMA2", "PaLM2")
PROMPTS = ("Vanilla", "CoT", "Metrics", "Reference", "Metrics_Reference")
HEAD = (
    "decided",
    "GPT-4 calls per 100",
    "other LLM calls per 100",
    "accuracy",
    "kappa with people",
)


def panels(data: Path) -> Iterator[Table]:
    """Yield a table for each set of recorded verdicts."""
    yield short_answers(data)
    for title, part in (("Natural", "Natural"), ("Adversarial", "Adversarial/")):
        yield preferences(data, title, part)


def short_answers(data: Path) -> Table:
    """Return panels and cascades on nq301: is a short answer right?"""
    rows = list(lines(data / "nq301_judges" / "judgments.jsonl.gz"))
    on = Stakes(
        [bool(row["human"]["final"]) for row in rows],
        [row["question_id"] for row in rows],
        "correct",
    )
    made = table("Short answers (nq301)", "Judge", *HEAD, "less GPT-4 alone")
    alone = play(short_judges()[GPT4], CORRECTNESS, rows)
    for name, judge in short_judges().items():
        played = alone if name == GPT4 else play(judge, CORRECTNESS, rows)
        found = beside(played, alone, on, dear=GPT4, cheap=["davinci"])
        made.add(name, columns(found), **found)
    return made


def short_judges() -> dict[str, Judge]:
    """Return the judges of short answers, single ones, panels, cascades."""
    gpt4, davinci = llm(GPT4, "gpt-4"), llm("davinci", "text-davinci-003")
    bem, gold = Recorded("BEM", sure(0.5, 0.5)), Recorded("contains-gold", has_gold)
    local = AnyGold()
    made: dict[str, Judge] = {
        GPT4: gpt4,
        "davinci": davinci,
        "BEM": bem,
        "local": local,
        "davinci + BEM + local": Panel([davinci, bem, local]),
        "gpt-4 + davinci + BEM": Panel([gpt4, davinci, bem]),
        "gpt-4 + davinci + BEM + local + contains-gold": Panel([gpt4, davinci, bem, local, gold]),
        "local > gpt-4": Cascade(local, gpt4),
        "local where it says correct > gpt-4": Cascade(AnyGold("correct"), gpt4),
        "local + BEM > gpt-4": Cascade(Panel([local, bem]), gpt4),
        "davinci + BEM > gpt-4": Cascade(Panel([davinci, bem]), gpt4),
        "local > davinci + BEM > gpt-4": Cascade(local, Cascade(Panel([davinci, bem]), gpt4)),
    }
    for low in (0.2, 0.1, 0.05, 0.01):
        some = Recorded("BEM", sure(low, 1 - low))
        made[f"BEM where it is {1 - low:.0%} sure > gpt-4"] = Cascade(some, gpt4)
    return made


def llm(name: str, recorded: str) -> Recorded:
    """Return a language model of nq301."""
    words = {1: "correct", 0: "incorrect", None: None}
    return Recorded(name, lambda row: words[row["judges"][recorded]["verdict"]])


def sure(low: float, high: float) -> Callable[[Any], str | None]:
    """Return BEM's verdict where its probability is outside of a range, else that it leaves it open."""

    def says(row: Any) -> str | None:
        value = row["judges"]["bem_prob"]
        if value is None:
            return None
        return "correct" if value >= high else "incorrect" if value < low else "undecided"

    return says


def has_gold(row: Any) -> str:
    """Return whether the answer contains a gold answer."""
    return "correct" if contains(row["answer"], row["golden_answers"]) else "incorrect"


def preferences(data: Path, title: str, part: str) -> Table:
    """Return panels and cascades on LLMBar: which of two outputs is better? Each pair in both orders."""
    some = [row for row in pairs(data) if row["subset"].startswith(part)]
    rows = [row | {"order": order} for row in some for order in (0, 1)]
    on = Stakes([row["label"] == 1 for row in rows], [row["id"] for row in rows], "1")
    made = table(f"Preferences (LLMBar, {title})", "Judge", *HEAD, "less GPT-4 once")
    alone = play(once("GPT-4"), PREFERENCE, rows)
    for name, judge in preference_judges().items():
        played = alone if name == "GPT-4" else play(judge, PREFERENCE, rows)
        found = beside(played, alone, on, dear="GPT-4", cheap=SMALL)
        made.add(name, columns(found), **found)
    return made


def preference_judges() -> dict[str, Judge]:
    """Return the judges of preferences; who is asked in both orders leaves open what it says differently of them."""
    made: dict[str, Judge] = {name: once(name) for name in ("GPT-4", *SMALL)}
    return made | {
        "GPT-4 in both orders": twice("GPT-4"),
        "PaLM2 in both orders": twice("PaLM2"),
        "ChatGPT in both orders": twice("ChatGPT"),
        "ChatGPT + LLaMA2 + PaLM2": Panel([once(name) for name in SMALL]),
        "GPT-4 + LLaMA2 + PaLM2": Panel([once(name) for name in ("GPT-4", "LLaMA2", "PaLM2")]),
        "five prompts of GPT-4": Panel([once("GPT-4", prompt) for prompt in PROMPTS]),
        "PaLM2 in both orders > GPT-4": Cascade(twice("PaLM2"), once("GPT-4")),
        "ChatGPT in both orders > GPT-4": Cascade(twice("ChatGPT"), once("GPT-4")),
        "LLaMA2 + PaLM2 > GPT-4": Cascade(Panel([once("LLaMA2"), once("PaLM2")]), once("GPT-4")),
        "GPT-4 in both orders > another prompt of it": Cascade(
            twice("GPT-4"), once("GPT-4", "Metrics_Reference")
        ),
    }


def once(model: str, prompt: str = "Vanilla", *, turned: bool = False) -> Recorded:
    """Return a model that is asked in the row's order, or in the other."""
    setting = f"{model}/{prompt}"
    return Recorded(model, lambda row: row["verdicts"][setting][row["order"] ^ turned])


def twice(model: str) -> Panel:
    """Return a model that is asked in both orders."""
    return Panel([once(model), once(model, turned=True)])
