"""How long retrieval metrics take here and elsewhere, side by side.

Six metrics (recall@5, recall@20, precision@5, mrr, map, ndcg@10) for every query and on the mean, from
raw input to numbers. The evaluators take turns within one process; what is printed is the median over
rounds of time / time of the base in the same round, so that a busy machine slows all alike. Before
anything is timed, all evaluators must agree on every mean.

    python benchmarks/retrieval.py                           # all that is installed
    python benchmarks/retrieval.py --sizes 10000x100 --kinds dict,files --shuffled
    python benchmarks/retrieval.py --only pytrec_eval,acidtest --rounds 21    # for steadier ratios
    pip install pytrec_eval-terrier ranx ir_measures         # the peers; none of them is needed

Ratios depend on the interpreter too: pytrec_eval is C, the rest of the way is Python, so that a Python
built with profile-guided optimisation lowers ours, most of all where rankings are short.
"""

import argparse
import gc
import importlib.util
import math
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

METRICS = ("recall@5", "recall@20", "precision@5", "mrr", "map", "ndcg@10")
TREC = ("recall_5", "recall_20", "P_5", "recip_rank", "map", "ndcg_cut_10")

Qrels = dict[str, dict[str, int]]
Evaluator = Callable[[str, Any, Any], dict[str, float]]


# ------------------------------------------------------------------------------------------ inputs


def made(queries: int, depth: int, *, shuffled: bool) -> tuple[Qrels, dict[str, dict[str, float]]]:
    """One to four relevant documents a query, most of them found, and mostly near the top."""
    rng = random.Random(20)
    qrels: Qrels = {}
    run: dict[str, dict[str, float]] = {}
    for number in range(queries):
        query = f"topic-{number}"
        documents = [f"doc-{n:07d}" for n in rng.sample(range(2_000_000), depth)]
        relevant = {}
        for _ in range(rng.randint(1, 4)):
            place = min(int(rng.expovariate(0.15)), depth - 1)
            found = rng.random() < 0.75
            # A new string: nobody reads a run and its judgements from the same objects.
            name = documents[place] if found else f"doc-{rng.randrange(2_000_000, 3_000_000)}"
            relevant[name[:4] + name[4:]] = rng.choice((1, 1, 2, 3))
        qrels[query] = relevant
        scores = sorted((rng.random() * 40 for _ in documents), reverse=True)
        rows = list(zip(documents, scores, strict=True))
        if shuffled:
            rng.shuffle(rows)
        run[query] = dict(rows)
    return qrels, run


def ranked(run: dict[str, dict[str, float]]) -> dict[str, list[str]]:
    return {q: sorted(scores, key=scores.__getitem__, reverse=True) for q, scores in run.items()}


def scored(run: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    """What a peer that takes no lists must be given."""
    return {q: {d: -float(place) for place, d in enumerate(ids)} for q, ids in run.items()}


def written(qrels: Qrels, run: dict[str, dict[str, float]], folder: Path) -> tuple[str, str]:
    with (folder / "qrels").open("w") as stream:
        for query, labels in qrels.items():
            stream.writelines(f"{query} 0 {d} {grade}\n" for d, grade in labels.items())
    with (folder / "run").open("w") as stream:
        for query, scores in run.items():
            rows = enumerate(scores.items(), 1)
            stream.writelines(f"{query} Q0 {d} {place} {s!r} x\n" for place, (d, s) in rows)
    return str(folder / "qrels"), str(folder / "run")


def tables(qrels: Qrels, run: dict[str, dict[str, float]], folder: Path) -> tuple[str, str]:
    import polars as pl

    for name, table, value in (("qrels", qrels, "grade"), ("run", run, "score")):
        rows = [(q, d, x) for q, values in table.items() for d, x in values.items()]
        frame = pl.DataFrame(rows, schema=["query_id", "doc_id", value], orient="row")
        frame.write_parquet(folder / f"{name}.parquet")
    return str(folder / "qrels.parquet"), str(folder / "run.parquet")


def plain(kind: str, *given: Any) -> Any:
    """What a peer that takes no tables must be given."""
    if kind != "tables":
        return given
    import polars as pl

    read: list[dict[str, dict[str, Any]]] = []
    for path in given:
        table: dict[str, dict[str, Any]] = {}
        columns = pl.read_parquet(path).get_columns()
        for query, document, value in zip(*(each.to_list() for each in columns), strict=True):
            table.setdefault(query, {})[document] = value
        read.append(table)
    return read


def inputs(
    kind: str, qrels: Qrels, run: dict[str, dict[str, float]], folder: Path
) -> tuple[Any, Any]:
    if kind == "files":
        return written(qrels, run, folder)
    if kind == "tables":
        return tables(qrels, run, folder)
    return qrels, ranked(run) if kind == "lists" else run


# -------------------------------------------------------------------------------------- evaluators


def acidtest(_kind: str, qrels: Any, run: Any) -> dict[str, float]:
    from acidtest.project.retrieval import retrieval

    return retrieval(qrels, run, METRICS).means


def pytrec_eval(kind: str, qrels: Any, run: Any) -> dict[str, float]:
    import pytrec_eval as peer

    qrels, run = plain(kind, qrels, run)
    if kind == "files":
        with Path(qrels).open() as judged, Path(run).open() as results:
            qrels, run = peer.parse_qrel(judged), peer.parse_run(results)
    elif kind == "lists":
        run = scored(run)
    measures = {"recall.5,20", "P.5", "recip_rank", "map", "ndcg_cut.10"}
    values = peer.RelevanceEvaluator(qrels, measures).evaluate(run)
    return {
        ours: sum(row[theirs] for row in values.values()) / len(qrels)
        for ours, theirs in zip(METRICS, TREC, strict=True)
    }


def ranx(kind: str, qrels: Any, run: Any) -> dict[str, float]:
    import ranx as peer

    qrels, run = plain(kind, qrels, run)
    if kind == "files":
        judged = peer.Qrels.from_file(qrels, kind="trec")
        results = peer.Run.from_file(run, kind="trec")
    else:
        judged, results = peer.Qrels(qrels), peer.Run(scored(run) if kind == "lists" else run)
    values = peer.evaluate(
        judged, results, list(METRICS), make_comparable=True, save_results_in_run=False
    )
    return {name: float(values[name]) for name in METRICS}


def ir_measures(kind: str, qrels: Any, run: Any) -> dict[str, float]:
    import ir_measures as peer

    qrels, run = plain(kind, qrels, run)
    if kind == "files":
        qrels, run = list(peer.read_trec_qrels(qrels)), peer.read_trec_run(run)
    elif kind == "lists":
        run = scored(run)
    measures = [peer.R @ 5, peer.R @ 20, peer.P @ 5, peer.RR, peer.AP, peer.nDCG @ 10]
    values = peer.calc_aggregate(measures, qrels, run)
    return {ours: float(values[m]) for ours, m in zip(METRICS, measures, strict=True)}


def by_hand(kind: str, qrels: Any, run: Any) -> dict[str, float]:
    """The loops that people write into a notebook."""
    qrels, run = plain(kind, qrels, run)
    if kind == "files":
        judged: Qrels = {}
        results: dict[str, dict[str, float]] = {}
        for line in Path(qrels).read_text().splitlines():
            query, _, document, grade = line.split()
            judged.setdefault(query, {})[document] = int(grade)
        for line in Path(run).read_text().splitlines():
            query, _, document, _, score, _ = line.split()
            results.setdefault(query, {})[document] = float(score)
        qrels, run = judged, results
    sums = dict.fromkeys(METRICS, 0.0)
    for query, grades in qrels.items():
        results_of = run[query]
        ids = (
            results_of if kind == "lists" else sorted(results_of, key=results_of.get, reverse=True)
        )
        relevant = {document for document, grade in grades.items() if grade > 0}
        places = [place for place, document in enumerate(ids, 1) if document in relevant]
        sums["recall@5"] += len(relevant.intersection(ids[:5])) / len(relevant)
        sums["recall@20"] += len(relevant.intersection(ids[:20])) / len(relevant)
        sums["precision@5"] += len(relevant.intersection(ids[:5])) / 5
        sums["mrr"] += 1 / places[0] if places else 0.0
        sums["map"] += sum(n / place for n, place in enumerate(places, 1)) / len(relevant)
        gains = [grades.get(document, 0) for document in ids[:10]]
        ideal = sorted(grades.values(), reverse=True)[:10]
        sums["ndcg@10"] += discounted(gains) / discounted(ideal)
    return {name: total / len(qrels) for name, total in sums.items()}


def discounted(gains: list[int]) -> float:
    return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains, 1))


EVALUATORS: dict[str, Evaluator] = {
    "pytrec_eval": pytrec_eval,
    "acidtest": acidtest,
    "by hand": by_hand,
    "ranx": ranx,
    "ir_measures": ir_measures,
}


# ------------------------------------------------------------------------------------------ timing


def rounds_of(
    evaluators: dict[str, Evaluator], kind: str, qrels: Any, run: Any, rounds: int, repeat: int
) -> Iterator[dict[str, float]]:
    """Yield each round's seconds by evaluator, the order turned by one each round."""
    names = list(evaluators)
    means = {name: evaluators[name](kind, qrels, run) for name in names}  # imports and compiles too
    for name in names:
        for metric in METRICS:
            if abs(means[name][metric] - means[names[0]][metric]) > 1e-9:
                sys.exit(f"{name} has another {metric} than {names[0]}: {means[name]}")
    for number in range(rounds):
        turn = number % len(names)
        seconds = {}
        for name in names[turn:] + names[:turn]:
            gc.collect()
            start = time.perf_counter()
            for _ in range(repeat):
                evaluators[name](kind, qrels, run)
            seconds[name] = (time.perf_counter() - start) / repeat
        yield seconds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="100x20,10000x100,1000x1000", help="QUERIESxDEPTH,...")
    parser.add_argument("--kinds", default="dict,lists,files,tables")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--shuffled", action="store_true", help="runs in no order")
    parser.add_argument("--only", default="", help="these evaluators: pytrec_eval,acidtest,...")
    options = parser.parse_args()
    installed = {
        name: evaluator
        for name, evaluator in EVALUATORS.items()
        if (name == "by hand" or importlib.util.find_spec(name) is not None)
        and (not options.only or name in options.only.split(","))
    }
    base = next(iter(installed))
    print(f"time / time of {base}, median of {options.rounds} interleaved rounds; ", end="")
    print("runs in no order" if options.shuffled else "runs in ranked order", end="\n\n")
    print("| input | size |", " | ".join(installed), "|")
    print("|---|---|" + "---:|" * len(installed))
    for size in options.sizes.split(","):
        queries, depth = map(int, size.split("x"))
        qrels, run = made(queries, depth, shuffled=options.shuffled)
        repeat = 20 if queries * depth <= 5000 else 1
        for kind in options.kinds.split(","):
            with tempfile.TemporaryDirectory() as folder:
                given = inputs(kind, qrels, run, Path(folder))
                gc.freeze()
                rows = list(rounds_of(installed, kind, *given, options.rounds, repeat))
                gc.unfreeze()
            ratios = {
                name: statistics.median(row[name] / row[base] for row in rows) for name in installed
            }
            cells = " | ".join(f"{ratio:.2f}" for ratio in ratios.values())
            print(f"| {kind} | {size} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
