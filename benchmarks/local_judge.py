"""Measure the embedded judge: `python benchmarks/local_judge.py --data ../shared/data [--write]`.

Thresholds are fitted, by `fit_local_judge.py`, on other data sets than they are reported on: sets that share
documents or makers are one family, and a family is measured with the thresholds of the rest. With --write the
table goes into the package.
"""

import argparse
import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score
from acidtest.judges.local.judge import VERSION, LocalJudge
from acidtest.judges.local.measured import Mean, Measured, Ranking, Row, Side
from acidtest.metrics.generation.faithfulness import faithfulness
from fit_local_judge import AGAINST, IN_FAVOUR, held_out
from local_judge_sets import Unit, lines, mean_rating, units

DRAWS = 1_000
LEAST = 10
TARGET = Path(__file__).resolve().parents[1] / "src/acidtest/judges/local/measured.json"


def main() -> None:
    """Measure, print and, if asked to, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    began = time.perf_counter()
    everything = list(units(options.data))
    seconds = time.perf_counter() - began
    print(f"{len(everything)} units looked up in {seconds:.0f} s")

    rulings = held_out(everything)
    rng = np.random.default_rng(1)
    by_set: dict[str, list[tuple[Unit, str]]] = {}
    for unit, ruling in zip(everything, rulings, strict=True):
        by_set.setdefault(unit.data, []).append((unit, ruling))
    draws = {name: bootstrap(pairs, rng) for name, pairs in by_set.items()}
    rows = [row(pairs, draws[name]) for name, pairs in by_set.items()]
    table = Measured(
        version=VERSION,
        rows=tuple(rows),
        means=tuple(means(rows, draws)),
        ranking=ranking(options.data / "mtrag_human_eval"),
    )
    show(table)
    if options.write:
        TARGET.write_bytes(msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n")
        print(f"written to {TARGET}")


Figures = tuple[float, float, float]  # decided, right against, right in favour


def figures(pairs: Sequence[tuple[bool, str]]) -> Figures:
    """Return decided and the shares right; nan where nothing was ruled."""
    against = [not label for label, said in pairs if said in AGAINST]
    favour = [label for label, said in pairs if said in IN_FAVOUR]
    return (
        (len(against) + len(favour)) / len(pairs),
        sum(against) / len(against) if against else float("nan"),
        sum(favour) / len(favour) if favour else float("nan"),
    )


def bootstrap(pairs: Sequence[tuple[Unit, str]], rng: np.random.Generator) -> np.ndarray:
    """Return DRAWS x 3 figures over resampled groups."""
    groups: dict[str, list[int]] = {}
    for unit, said in pairs:
        counts = groups.setdefault(unit.group, [0, 0, 0, 0, 0])
        counts[0] += 1
        if said in AGAINST:
            counts[1] += 1
            counts[2] += not unit.label
        elif said in IN_FAVOUR:
            counts[3] += 1
            counts[4] += unit.label
    table = np.array(list(groups.values()), float)
    drawn = table[rng.integers(len(table), size=(DRAWS, len(table)))].sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.stack(
            [
                (drawn[:, 1] + drawn[:, 3]) / drawn[:, 0],
                drawn[:, 2] / drawn[:, 1],
                drawn[:, 4] / drawn[:, 3],
            ],
            axis=1,
        )


def row(pairs: Sequence[tuple[Unit, str]], drawn: np.ndarray) -> Row:
    """Return the line of one data set."""
    first = pairs[0][0]
    told = [(unit.label, said) for unit, said in pairs]
    decided, against, favour = figures(told)
    return Row(
        task=first.task,
        data=first.data,
        labels=first.labels,  # type: ignore[arg-type]
        n=len(pairs),
        base=round(sum(label for label, _ in told) / len(told), 4),
        decided=round(decided, 4),
        against=side(told, AGAINST, against, drawn[:, 1], deserves=lambda label: not label),
        in_favour=side(told, IN_FAVOUR, favour, drawn[:, 2], deserves=lambda label: label),
    )


def side(
    told: Sequence[tuple[bool, str]],
    kind: frozenset[str],
    right: float,
    drawn: np.ndarray,
    *,
    deserves: Callable[[bool], bool],
) -> Side:
    """Return one kind of ruling on one data set."""
    n = sum(said in kind for _, said in told)
    if n < LEAST:
        return Side(n=n, right=None, ci=None, even=None)
    hits = share(said in kind for label, said in told if deserves(label))
    alarms = share(said in kind for label, said in told if not deserves(label))
    return Side(
        n=n, right=round(right, 4), ci=interval(drawn), even=round(hits / (hits + alarms), 4)
    )


def share(flags: Iterable[bool]) -> float:
    """Return the share of true flags."""
    found = list(flags)
    return sum(found) / len(found)


def means(rows: Sequence[Row], draws: dict[str, np.ndarray]) -> Iterable[Mean]:
    """Yield the means over data sets: each task's, and over all that people labelled."""
    counted = [r for r in rows if r.labels != "machine"]
    for over in ("faithfulness", "context_usefulness", "correctness", "all"):
        mine = [r for r in counted if over in {"all", r.task}]
        against = [r for r in mine if r.against.right is not None]
        favour = [r for r in mine if r.in_favour.right is not None]
        yield Mean(
            over=over,
            sets=len(mine),
            decided=mean(r.decided for r in mine),
            decided_ci=interval(pooled(draws, mine, 0)),
            against=mean(r.against.right for r in against),
            against_ci=interval(pooled(draws, against, 1)),
            against_even=mean(r.against.even for r in against),
            in_favour=mean(r.in_favour.right for r in favour),
            in_favour_ci=interval(pooled(draws, favour, 2)),
            in_favour_even=mean(r.in_favour.even for r in favour),
        )


def pooled(draws: dict[str, np.ndarray], rows: Sequence[Row], column: int) -> np.ndarray:
    """Return the draws of a mean over data sets."""
    return np.nanmean([draws[r.data][:, column] for r in rows], axis=0)


def mean(values: Iterable[float | None]) -> float:
    """Return the mean, rounded."""
    return round(float(np.mean([v for v in values if v is not None])), 4)


def interval(drawn: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of some draws."""
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)


def ranking(folder: Path) -> Ranking:
    """Correlate answers' scores with the mean of people's ratings, systems' answers only."""
    judge = LocalJudge()
    texts = {d["doc_id"]: d["text"] for d in lines(folder / "contexts.jsonl.gz")}
    told = []
    for each in lines(folder / "ratings.jsonl.gz"):
        chunks = tuple(Chunk(text=texts[i]) for i in each["context_doc_ids"])
        if each["model"] == "reference" or not chunks:
            continue
        outcome = asyncio.run(faithfulness(each["question"], each["response"], chunks, judge))
        if isinstance(outcome, Score):
            floor = 1 - outcome.parts["unsupported"] / outcome.parts["claims"]
            told.append((mean_rating(each), outcome.value, floor, each["auto"]["rl_f"]))
    columns = np.array(told).T
    score, floor, llm = (spearman(columns[0], c) for c in columns[1:])
    return Ranking(data="mtrag_human_eval", n=len(told), score=score, floor=floor, llm_judge=llm)


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Return the rank correlation, ties at their mean rank."""
    return round(float(np.corrcoef(ranks(first), ranks(second))[0, 1]), 3)


def ranks(values: np.ndarray) -> np.ndarray:
    """Return ranks, ties at their mean."""
    ordered = np.sort(values)
    low = np.searchsorted(ordered, values, side="left")
    return (low + np.searchsorted(ordered, values, side="right")) / 2


def show(table: Measured) -> None:
    """Print the table as Markdown."""
    print(
        "\n| task | data | labels | n | in favour | decided | against right | at even | in favour right | at even |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for r in table.rows:
        print(
            f"| {r.task} | {r.data} | {r.labels} | {r.n} | {r.base:.0%} | {r.decided:.0%} "
            f"| {told(r.against)} | {told(r.in_favour)} |"
        )
    for m in table.means:
        print(
            f"| **mean** | {m.over} | | {m.sets} sets | | {m.decided:.0%} {bounds(m.decided_ci)} "
            f"| {m.against:.0%} {bounds(m.against_ci)} | {m.against_even:.0%} "
            f"| {m.in_favour:.0%} {bounds(m.in_favour_ci)} | {m.in_favour_even:.0%} |"
        )
    print(table.ranking)


def told(side: Side) -> str:
    """Return one kind of ruling for a table."""
    if side.right is None or side.ci is None or side.even is None:
        return f"{side.n} rulings | "
    return f"{side.right:.0%} {bounds(side.ci)} of {side.n} | {side.even:.0%}"


def bounds(ci: tuple[float, float]) -> str:
    """Return an interval for a table."""
    return f"({100 * ci[0]:.0f}-{100 * ci[1]:.0f})"


if __name__ == "__main__":
    main()
