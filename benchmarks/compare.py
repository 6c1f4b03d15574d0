"""Time and memory of a comparison: `python benchmarks/compare.py [--cases 100000] [--metrics 50]`.

The runs are made of few different score tables, so that what is measured is the comparison and not the
runs in memory. Two of a hundred scores are skipped, and half of the cases get other contexts.
"""

import argparse
import resource
import time

import numpy as np

from acidtest.comparison.change import changes
from acidtest.comparison.side_by_side import compare
from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.data.runs import CaseResult, Diagnosis, GoldenRef, Ref, Run, RunInfo, Summary

TABLES = 2_000
CLAIMS = 12


def run(name: str, cases: int, metrics: int, *, new: bool) -> Run:
    """Make one run of many cases."""
    rng = np.random.default_rng(0)
    names = [f"metric_{n}" for n in range(metrics)]
    scores = [Score(n / CLAIMS) for n in range(CLAIMS + 1)]

    def table() -> dict[str, Outcome]:
        values = rng.integers(0, CLAIMS, metrics) + rng.integers(0, 2, metrics) * new
        skipped = rng.random(metrics) < 0.02
        return {
            name: Skip("no labels") if skip else scores[value]
            for name, value, skip in zip(names, values, skipped, strict=True)
        }

    tables = [table() for _ in range(TABLES)]
    contexts = [(Chunk(id="a"),), (Chunk(id="b"),)]
    summary = Summary(
        stage="generation",
        direction="higher",
        mean=None,
        p10=None,
        p50=None,
        ci=None,
        n=cases,
        scored=cases,
        skipped=0,
        failed=0,
    )
    return Run(
        info=RunInfo(
            id=name,
            name=name,
            created="2026-01-01T00:00:00Z",
            status="finished",
            mode="live",
            golden=GoldenRef(version="sha256:0", cases=cases),
            pipeline=Ref(name=name, fingerprint="sha256:0"),
        ),
        metrics=dict.fromkeys(names, summary),
        cases=tuple(
            CaseResult(
                id=str(n),
                question="?",
                answer="An answer.",
                retrieved=contexts[new and n % 2],
                scores=tables[n % TABLES],
                diagnosis=Diagnosis(verdict="ok"),
            )
            for n in range(cases)
        ),
    )


def peak() -> float:
    """Return the most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--metrics", type=int, default=50)
    given = parser.parse_args()
    base, new = (run(n, given.cases, given.metrics, new=n == "new") for n in ("base", "new"))
    before = peak()
    print(f"{given.cases:,} cases, {given.metrics} metrics; the runs take {before:.0f} MB")
    for name, work in (("statistics", changes), ("whole comparison", compare)):
        wall, processor = time.perf_counter(), time.process_time()
        work(base, new)
        print(
            f"{name}: {time.perf_counter() - wall:.1f} s, {time.process_time() - processor:.1f} s of "
            f"processor time, {peak() - before:.0f} MB more"
        )


if __name__ == "__main__":
    main()
