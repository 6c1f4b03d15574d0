"""Does crossing name the right stage? Simulated systems in which one stage, both or neither changed.

    python benchmarks/crossing.py [--pairs 500] [--cases 100]

A retriever finds the passage of a case or not, a generator copies from it or invents; an answer is right
(1) when the passage was found and copied. All four answers of a case are drawn for themselves, as from a
model that does not answer the same twice; three in ten cases get other contexts to no effect. Right is a
crossing that names exactly the stages that were changed. In the last line the new generator is better
only with what the new retriever brings, and right is an interaction that is told.
"""

import argparse
import random
from collections.abc import Callable

from acidtest.comparison.crossing import Four, crossed_splits
from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, GoldenRef, Ref, Run, RunInfo, Summary

Row = tuple[float, float, float, float]

SYSTEMS: dict[str, tuple[tuple[float, float], tuple[float, float], set[str]]] = {
    "neither": ((0.6, 0.6), (0.8, 0.8), set()),
    "the retriever": ((0.45, 0.9), (0.8, 0.8), {"retriever"}),
    "the generator": ((0.8, 0.8), (0.5, 0.95), {"generator"}),
    "both": ((0.45, 0.9), (0.55, 0.95), {"retriever", "generator"}),
}
"""What changed -> how often a passage is found, and copied, before and after; the stages to be named."""


def drawn(
    rng: random.Random, cases: int, finds: tuple[float, float], copies: tuple[float, float]
) -> tuple[list[Row], list[bool]]:
    """Return the scores of four answers a case, and whether its contexts changed."""
    rows, changed = [], []
    for _ in range(cases):
        old, new = rng.random(), rng.random()
        found = (old < finds[0], (old if finds[0] == finds[1] else new) < finds[1])
        a, b, c, d = (
            float(found[retriever] and rng.random() < copies[generator])
            for retriever, generator in ((0, 0), (1, 0), (0, 1), (1, 1))
        )
        rows.append((a, b, c, d))
        changed.append(found[0] != found[1] or rng.random() < 0.3)
    return rows, changed


def four(rows: list[Row], changed: list[bool]) -> Four:
    """Return the runs that have these scores."""

    def run(name: str, column: int, contexts: str) -> Run:
        cases = tuple(
            CaseResult(
                id=str(n),
                question=f"{n}?",
                answer="",
                retrieved=(Chunk(id=contexts if moved else "same"),),
                scores={"correctness": Score(row[column])},
            )
            for n, (row, moved) in enumerate(zip(rows, changed, strict=True))
        )
        info = RunInfo(
            id=name,
            name=name,
            created="",
            status="finished",
            mode="live",
            golden=GoldenRef(version="", cases=len(cases)),
            pipeline=Ref(name=name, fingerprint=""),
        )
        summary = Summary(
            stage="end_to_end",
            direction="higher",
            mean=None,
            p10=None,
            p50=None,
            ci=None,
            n=len(cases),
            scored=len(cases),
            skipped=0,
            failed=0,
        )
        return Run(info=info, metrics={"correctness": summary}, cases=cases)

    return Four(
        base=run("base", 0, "old"),
        base_generator=run("base on candidate", 1, "new"),
        candidate_generator=run("candidate on base", 2, "old"),
        candidate=run("candidate", 3, "new"),
    )


def named(told: str) -> set[str]:
    """Return the stages that a sentence names as changed."""
    both = "the retriever changed it by" in told
    return {s for s in ("retriever", "generator") if both or f"the {s} changed it," in told}


def share(pairs: int, right: Callable[[], bool]) -> str:
    """Return in how many of so many pairs it came out right."""
    count = sum(right() for _ in range(pairs))
    return f"{count} of {pairs} ({count / pairs:.1%})"


def main() -> None:
    """Print one line for each thing that changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--cases", type=int, default=100)
    asked = parser.parse_args()
    for what, (finds, copies, expected) in SYSTEMS.items():
        rng = random.Random(what)

        def right(finds=finds, copies=copies, expected=expected, rng=rng) -> bool:  # type: ignore[no-untyped-def]
            _, words = crossed_splits(four(*drawn(rng, asked.cases, finds, copies)))
            return named(words[1]) == expected

        print(f"{what}: {share(asked.pairs, right)}", flush=True)
    rng = random.Random("interaction")

    def told() -> bool:
        rows = [
            tuple(float(rng.random() < p) for p in (0.4, 0.4, 0.4, 0.9)) for _ in range(asked.cases)
        ]
        _, words = crossed_splits(four(rows, [True] * asked.cases))
        return "(interaction +" in words[1]

    print(f"interaction: {share(asked.pairs, told)}")


if __name__ == "__main__":
    main()
