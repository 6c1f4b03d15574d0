"""How far the local judge's pre-labels agree with people: `python benchmarks/prelabel.py [DATA]`.

DATA is the folder that holds `mtrag_cloud` and `mtrag_govt`: passages that two or more people called
relevant or not to a question (ties are left out). Printed are the area under the ROC curve of the judge's
score (how often a relevant passage stands before one that is not), over all passages and within questions
that have both; how often a grade was given, and how far the grades agree with people: Cohen's kappa with an
interval over conversations. `reference`: with the expected answer, as it is used. `question`: without it.
`overlap`: the share of the question's content words in the passage, which takes no judge.

The references of these sets were written by people who had the relevant passages before them: that is
what a reference is, and it makes them easy to find again by their wording.
"""

import argparse
import bisect
import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean

from msgspec import Struct

from acidtest.data.golden import Case
from acidtest.data.outcomes import Skip
from acidtest.golden.labelling.judgement import Prelabel
from acidtest.project.golden_prelabel import local_prelabel
from acidtest.stats.agreement import cohen_kappa
from acidtest.stats.bootstrap import mean_interval
from acidtest.text.words import content_words

HERE = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = ("mtrag_cloud", "mtrag_govt")


class Judged(Struct, frozen=True):
    """A passage that people judged."""

    case: Case
    text: str
    relevant: bool


def load(folder: Path) -> list[Judged]:
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = {row["doc_id"]: row["text"] for row in map(json.loads, lines)}
    found = []
    with gzip.open(folder / "golden.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            case = Case(
                id=row["qid"],
                question=row["question"],
                reference=row["reference_answer"],
                group=row["conversation_id"],
            )
            found += [
                Judged(case, texts[each["doc_id"]], each["yes"] > each["no"])
                for each in row["judged_contexts"] or ()
                if each["yes"] != each["no"] and each["doc_id"] in texts
            ]
    return found


def area(scores: Iterable[tuple[float, bool]]) -> float | None:
    some = list(scores)
    good = [score for score, relevant in some if relevant]
    bad = sorted(score for score, relevant in some if not relevant)
    if not good or not bad:
        return None
    wins = sum(bisect.bisect_left(bad, s) + bisect.bisect_right(bad, s) for s in good) / 2
    return wins / len(good) / len(bad)


def overlap(case: Case, text: str) -> Prelabel:
    asked, there = set(content_words(case.question)), set(content_words(text))
    return Prelabel(by="overlap", score=len(asked & there) / max(1, len(asked)))


def by_question(case: Case, text: str) -> Prelabel:
    return local_prelabel(Case(id=case.id, question=case.question), text)


WAYS: dict[str, Callable[[Case, str], Prelabel]] = {
    "reference": local_prelabel,
    "question": by_question,
    "overlap": overlap,
}


def report(name: str, judged: list[Judged]) -> None:
    relevant = sum(each.relevant for each in judged)
    questions = len({each.case.id for each in judged})
    print(
        f"\n{name}: {len(judged)} passages of {questions} questions, {relevant / len(judged):.0%} relevant"
    )
    for way, ask in WAYS.items():
        said = [ask(each.case, each.text) for each in judged]
        pairs = [(each.score or 0.0, one.relevant) for each, one in zip(said, judged, strict=True)]
        within: dict[str, list[tuple[float, bool]]] = {}
        for pair, one in zip(pairs, judged, strict=True):
            within.setdefault(one.case.id, []).append(pair)
        groups = {one.case.id: one.case.group for one in judged}
        areas = [(groups[q], a) for q, some in within.items() if (a := area(some)) is not None]
        ci = mean_interval([a for _, a in areas], [g for g, _ in areas])
        low, high = ci or (0.0, 1.0)
        print(
            f"  {way:10} AUC {area(pairs):.3f}; within {len(areas)} questions "
            f"{mean(a for _, a in areas):.3f} ({low:.3f} to {high:.3f})"
        )
        graded = [(s, one) for s, one in zip(said, judged, strict=True) if s.grade is not None]
        if not graded:
            continue
        shown = [int((s.grade or 0) > 0) for s, _ in graded]
        truth = [int(one.relevant) for _, one in graded]
        kappa = cohen_kappa(shown, truth, grades=2, groups=[one.case.group for _, one in graded])
        rights = {
            word: [t == value for s, t in zip(shown, truth, strict=True) if s == value]
            for word, value in (("relevant", 1), ("not relevant", 0))
        }
        told = kappa.why if isinstance(kappa, Skip) else f"{kappa.value:.3f} {kappa.ci}"
        print(f"             graded {len(graded) / len(judged):.0%}; kappa of these {told}")
        for word, right in rights.items():
            print(f"             said {word}: right {sum(right)} of {len(right)}")
        left = [one.relevant for s, one in zip(said, judged, strict=True) if s.grade is None]
        print(f"             left open: {sum(left)} of {len(left)} relevant")
        # What a person gets who takes an open one for not relevant, and for relevant.
        for word, value in (("not relevant", 0), ("relevant", 1)):
            every = [value if s.grade is None else int(s.grade > 0) for s in said]
            all_truth = [int(one.relevant) for one in judged]
            whole = cohen_kappa(
                every, all_truth, grades=2, groups=[one.case.group for one in judged]
            )
            told = whole.why if isinstance(whole, Skip) else f"{whole.value:.3f} {whole.ci}"
            print(f"             open ones taken for {word}: kappa of all {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Agreement of pre-labels with people.")
    parser.add_argument("data", nargs="?", type=Path, default=HERE)
    data: Path = parser.parse_args().data
    for name in SETS:
        report(name, load(data / name))


if __name__ == "__main__":
    main()
