"""Figures that others published, or that come with the data, computed again by this project's own code."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from acidtest.data.outcomes import Skip
from acidtest.stats.agreement import Agreement, cohen_kappa
from acidtest.stats.alpha import krippendorff_alpha
from judges_tables import (
    Table,
    correlation,
    lines,
    measure,
    number,
    pearson,
    shown,
    spearman,
    table,
)


class Figure(NamedTuple):
    """A figure as it was given, and as it comes out here."""

    what: str
    given: str
    found: Agreement | Skip | float

    @property
    def value(self) -> float:
        """What comes out here."""
        if isinstance(self.found, Skip):
            return float("nan")
        return self.found if isinstance(self.found, float) else self.found.value

    @property
    def digits(self) -> int:
        """How many digits were given."""
        return len(self.given.partition(".")[2])

    @property
    def same(self) -> bool:
        """Whether all digits that were given come out."""
        return bool(abs(self.value - float(self.given)) <= 0.5 * 10.0**-self.digits + 1e-9)


def figures(data: Path) -> Iterator[Figure]:
    """Yield every figure that one number stands for."""
    yield from mtrag(data)
    yield from nq301(data)
    yield from evouna(data)
    yield from ragchecker(data)


def published(data: Path) -> Table:
    """Return the table of figures."""
    made = table(
        "Figures that came with the data", "Figure", "n", "given", "here", "digits that agree"
    )
    for each in figures(data):
        close = abs(each.value - float(each.given)) < 0.55 * 10.0**-each.digits
        agree = f"all {each.digits}" if each.same else "rounded twice" if close else "not all"
        ours = shown(each.found, 3) if not isinstance(each.found, float) else number(each.found, 3)
        n = str(each.found.n) if isinstance(each.found, Agreement) else ""
        made.add(each.what, (n, each.given, ours, agree), value=each.value, same=each.same)
    return made


def mtrag(data: Path) -> Iterator[Figure]:
    """RAGAS's faithfulness and other recorded scores beside what people said of 240 answers."""
    rows = list(lines(data / "mtrag_human_eval" / "ratings.jsonl.gz"))
    group = [conversation(row) for row in rows]
    label = [rating(row, "faithfulness") >= 3 for row in rows]
    said = [row["auto"]["rl_f"] >= 0.5 for row in rows]
    yield Figure("mtrag: answers that people call faithful", ".817", float(np.mean(label)))
    yield Figure(
        "mtrag: RAGAS faithfulness, accuracy", ".854", measure("accuracy", label, said, group)
    )
    yield Figure("mtrag: RAGAS faithfulness, kappa", ".43", measure("kappa", label, said, group))
    for of, given in (
        ("faithfulness", ".45"),
        ("completeness", ".17"),
        ("naturalness", ".17"),
        ("appropriateness", ".06"),
    ):
        grades = [[int(x) - 1 for x in row["human"][of].values()] for row in rows]
        yield Figure(
            f"mtrag: people, alpha of {of}", given, krippendorff_alpha(grades, groups=group)
        )
    systems = [row for row in rows if row["model"] != "reference"]
    mine = [conversation(row) for row in systems]
    for of, score, given in (
        ("faithfulness", "bert_kprec", ".68"),
        ("faithfulness", "rougeL", ".54"),
        ("faithfulness", "rl_f", ".51"),
        ("faithfulness", "rb_agg", ".49"),
        ("faithfulness", "rb_llm", ".23"),
        ("completeness", "bert_kprec", ".48"),
        ("completeness", "rl_f", ".41"),
        ("completeness", "rb_llm", ".29"),
    ):
        mean = [rating(row, of) for row in systems]
        auto = [row["auto"][score] for row in systems]
        name = f"mtrag: {score} by people's {of}, Spearman"
        yield Figure(name, given, correlation(spearman, auto, mean, mine))


def nq301(data: Path) -> Iterator[Figure]:
    """Recorded verdicts on short answers beside people's, and people beside each other."""
    rows = list(lines(data / "nq301_judges" / "judgments.jsonl.gz"))
    for judge, accuracy, kappa in (("gpt-4", ".849", ".70"), ("text-davinci-003", ".838", ".67")):
        some = [row for row in rows if row["judges"][judge]["verdict"] is not None]
        said = [bool(row["judges"][judge]["verdict"]) for row in some]
        yield from both(f"nq301: {judge}", some, said, accuracy, kappa)
    said = [
        (row["judges"]["bem_prob"] or 0) >= 0.5 for row in rows
    ]  # none, of two answers, is a no
    yield from both("nq301: BEM", rows, said, ".807", ".62")
    exact = [row["answer"] for row in rows]
    same = [
        plain(answer) in map(plain, row["golden_answers"])
        for answer, row in zip(exact, rows, strict=True)
    ]
    given = measure("accuracy", finals(rows), same, questions(rows))
    yield Figure("nq301: exact match, accuracy", ".654", given)
    first, second = ([bool(row["human"]["annotators"][n]) for row in rows] for n in (0, 1))
    given = measure("accuracy", first, second, questions(rows))
    yield Figure("nq301: people with each other, accuracy", ".869", given)
    kappa_of = cohen_kappa(
        [int(x) for x in first], [int(x) for x in second], grades=2, groups=questions(rows)
    )
    yield Figure("nq301: people with each other, kappa", ".74", kappa_of)


def evouna(data: Path) -> Iterator[Figure]:
    """How many answers people call right, and how far containing a gold answer agrees with them."""
    rows = list(lines(data / "evouna_nq" / "judgments.jsonl.gz"))
    for system, given in (
        ("fid", ".679"),
        ("gpt35", ".638"),
        ("chatgpt", ".715"),
        ("gpt4", ".769"),
        ("newbing", ".810"),
    ):
        right = [bool(row["answers"][system]["correct"]) for row in rows]
        yield Figure(
            f"evouna: {system}, answers that people call right", given, float(np.mean(right))
        )
    each = [(row, answer) for row in rows for answer in row["answers"].values()]
    said = [contains(answer["answer"], row["golden_answers"]) for row, answer in each]
    label = [bool(answer["correct"]) for _, answer in each]
    group = [row["id"] for row, _ in each]
    name = "evouna: contains a gold answer"
    yield Figure(f"{name}, accuracy", ".850", measure("accuracy", label, said, group))
    yield Figure(f"{name}, kappa", ".674", measure("kappa", label, said, group))


RAGCHECKER = {
    "correctness": (".49", ".50", ".50", ".77"),
    "completeness": (".59", ".59", ".67", ".77"),
    "overall": (".63", ".65", ".62", ".80"),
}
"""Pearson and Spearman with people, people with each other, share of pairs without a tie on which the sign agrees."""


def ragchecker(data: Path) -> Iterator[Figure]:
    """RAGChecker's difference of two answers beside what people prefer."""
    rows = list(lines(data / "ragchecker_meta" / "pairs.jsonl.gz"))
    group = [row["question"] for row in rows]
    for of, (straight, ranked, human, sign) in RAGCHECKER.items():
        people = preference(rows, of)
        judge = [
            row["b"]["ragchecker"][f"{of}_label"] - row["a"]["ragchecker"][f"{of}_label"]
            for row in rows
        ]
        name = f"RAGChecker: {of}"
        yield Figure(f"{name}, Pearson", straight, correlation(pearson, judge, people, group))
        yield Figure(f"{name}, Spearman", ranked, correlation(spearman, judge, people, group))
        one, other = ([row["human"][n][of] for row in rows] for n in (0, 1))
        yield Figure(
            f"{name}, people with each other, Pearson",
            human,
            correlation(pearson, one, other, group),
        )
        told = [(a, b, g) for a, b, g in zip(judge, people, group, strict=True) if b != 0]
        right = [
            (a > 0) == (b > 0) for a, b, _ in told
        ]  # a tie of the judge's counts for the first
        agree = measure("accuracy", [True] * len(told), right, [g for _, _, g in told])
        yield Figure(f"{name}, same sign", sign, agree)


def conversation(row: dict[str, Any]) -> str:
    """Return what tasks of one conversation share."""
    return str(row["qid"]).split("<::>")[0]


def rating(row: dict[str, Any], of: str) -> float:
    """Return the mean of what raters gave an answer, 1..4."""
    return float(np.mean(list(row["human"][of].values())))


def both(
    name: str, rows: Sequence[dict[str, Any]], said: Sequence[bool], accuracy: str, kappa: str
) -> Iterator[Figure]:
    """Yield accuracy and kappa of some verdicts on nq301."""
    truths, group = finals(rows), questions(rows)
    yield Figure(f"{name}, accuracy", accuracy, measure("accuracy", truths, said, group))
    yield Figure(f"{name}, kappa", kappa, measure("kappa", truths, said, group))


def finals(rows: Sequence[dict[str, Any]]) -> list[bool]:
    """Return what people settled on."""
    return [bool(row["human"]["final"]) for row in rows]


def questions(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return what answers to one question share."""
    return [row["question_id"] for row in rows]


def preference(rows: Sequence[dict[str, Any]], of: str) -> list[float]:
    """Return people's mean preference of the second answer, -2..2."""
    return [float(np.mean([one[of] for one in row["human"]])) for row in rows]


def plain(text: str) -> str:
    """Return a text in small letters, without punctuation, marks and articles."""
    text = re.sub(r"[^\w\s]", "", unicodedata.normalize("NFC", text).lower())
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def contains(answer: str, golden: Sequence[str]) -> bool:
    """Say whether an answer contains a gold answer, inside a word too."""
    said = plain(answer)
    return any(gold in said for gold in map(plain, golden) if gold)
