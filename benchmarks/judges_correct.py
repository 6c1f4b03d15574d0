"""The local judge on correctness: of short answers, of chat answers, of long ones two and two."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from acidtest.data.outcomes import Outcome
from acidtest.judges.local.judge import LocalJudge
from judges_beside import HEAD, LESS, Rows, add, of_all, of_decided, share, supported
from judges_published import contains, plain, preference
from judges_recorded import any_gold
from judges_tables import Table, correlation, lines, pearson, percent, shown, table


def correct(data: Path) -> Iterator[Table]:
    """Yield a table for each data set."""
    yield short_answers(data)
    yield chat_answers(data)
    yield long_answers(data)


def short_answers(data: Path) -> Table:
    """Return correctness of short answers: two language models, a trained model, rules, the local judge."""
    rows = list(lines(data / "nq301_judges" / "judgments.jsonl.gz"))
    on = Rows([bool(row["human"]["final"]) for row in rows], [row["question_id"] for row in rows])
    gpt4 = [row["judges"]["gpt-4"]["verdict"] for row in rows]
    made = table(
        "Correctness of short answers (nq301)", "Judge", *HEAD, "kappa of gpt-4 there", LESS
    )
    add(made, "gpt-4", on, gpt4)
    add(
        made,
        "text-davinci-003",
        on,
        [r["judges"]["text-davinci-003"]["verdict"] for r in rows],
        gpt4,
    )
    add(made, "BEM, a trained model", on, [row["judges"]["bem_prob"] for row in rows], gpt4)
    add(made, "local", on, [verdict(row, row["answer"]) for row in rows], gpt4)
    gold = [float(contains(row["answer"], row["golden_answers"])) for row in rows]
    add(made, "contains a gold answer", on, gold, gpt4)
    exact = [float(plain(r["answer"]) in map(plain, r["golden_answers"])) for r in rows]
    add(made, "is a gold answer", on, exact, gpt4)
    return made


def chat_answers(data: Path) -> Table:
    """Return correctness of five systems' answers, some of them long."""
    rows = list(lines(data / "evouna_nq" / "judgments.jsonl.gz"))
    each = [(row, answer) for row in rows for answer in row["answers"].values()]
    on = Rows([bool(answer["correct"]) for _, answer in each], [row["id"] for row, _ in each])
    gold = [float(contains(answer["answer"], row["golden_answers"])) for row, answer in each]
    made = table(
        "Correctness of chat answers (evouna)", "Judge", *HEAD, "kappa of contains-gold there", LESS
    )
    add(made, "contains a gold answer", on, gold)
    add(made, "local", on, [verdict(row, answer["answer"]) for row, answer in each], gold)
    return made


OF = ("correctness", "completeness", "overall")
Three = tuple[float | None, float | None, float | None]
Way = Callable[[dict[str, Any], str], Three]


def long_answers(data: Path) -> Table:
    """Return preferences between two long answers: how far differences of scores go with people's."""
    rows = list(lines(data / "ragchecker_meta" / "pairs.jsonl.gz"))
    judge = LocalJudge()
    made = table(
        "Correctness of long answers, two and two (ragchecker)",
        "Judge",
        *(f"{of}, Pearson" for of in OF),
        "pairs decided",
    )
    add_way(made, "RAGChecker, a language model", rows, recorded)
    add_way(
        made, "local, supported of decided", rows, lambda r, side: three(r, side, of_decided, judge)
    )
    add_way(made, "local, supported of all", rows, lambda r, side: three(r, side, of_all, judge))
    add_way(made, "words in common", rows, in_common)
    group = [row["question"] for row in rows]
    people = {
        of: correlation(pearson, *([row["human"][n][of] for row in rows] for n in (0, 1)), group)
        for of in OF
    }
    made.add(
        "one person, beside another",
        (*map(shown, people.values()), f"100% of {len(rows)}"),
        **people,
    )
    return made


def add_way(made: Table, name: str, rows: Sequence[dict[str, Any]], way: Way) -> None:
    """Add a way of scoring: its differences of two answers beside what people prefer."""
    pairs = [(way(row, "a"), way(row, "b")) for row in rows]
    found = {}
    decided = 0.0
    for n, of in enumerate(OF):
        told = [
            (b[n] - a[n], people, row["question"])
            for (a, b), people, row in zip(pairs, preference(rows, of), rows, strict=True)
            if a[n] is not None and b[n] is not None
        ]
        gain, people, some = zip(*told, strict=True)
        found[of] = correlation(pearson, gain, people, some)
        decided = len(told) / len(rows)
    made.add(
        name,
        (*map(shown, found.values()), f"{percent(decided)} of {len(rows)}"),
        decided=decided,
        **found,
    )


def recorded(row: dict[str, Any], side: str) -> Three:
    """Return RAGChecker's precision, recall and their mean."""
    scores = row[side]["ragchecker"]
    return scores["correctness_label"], scores["completeness_label"], scores["overall_label"]


def in_common(row: dict[str, Any], side: str) -> Three:
    """Return the same of the words of an answer and its reference."""
    answer, reference = row[side]["response"], row["reference_answer"]
    return f1(share(answer, reference), share(reference, answer))


def three(
    row: dict[str, Any], side: str, of: Callable[[Outcome], float | None], judge: LocalJudge
) -> Three:
    """Return what of the answer the reference supports, what of the reference the answer does, and their mean."""
    answer, reference = row[side]["response"], row["reference_answer"]
    return f1(
        of(supported(row["question"], answer, [reference], judge)),
        of(supported(row["question"], reference, [answer], judge)),
    )


def f1(precision: float | None, recall: float | None) -> Three:
    """Return precision, recall and their harmonic mean."""
    if precision is None or recall is None:
        return precision, recall, None
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def verdict(row: dict[str, Any], answer: str) -> float | None:
    """Return the local judge's verdict on a short answer; None where it leaves it open."""
    said = any_gold(row["question"], answer, tuple(row["golden_answers"]))
    return None if said == "undecided" else float(said == "correct")
