"""Is the right stage named? Simulated pipelines in which one stage, both or neither changed.

    python benchmarks/stage_split.py [--pairs 500] [--cases 100]

Every case has one relevant chunk. A retriever finds it with its own probability per case (questions
differ in how hard they are) and returns five chunks; an answer has two to six claims, and each is
supported with a probability that depends on the generator and on whether the chunk was found. A new
retriever returns other chunks in some of the cases. The generator is not deterministic: asked twice it
gives three claims of ten another fate, and the lengths of its answers differ by a quarter (as those of a
real application do that was run twice over 200 questions). Right is a comparison that names exactly the
stages that were changed: one, both or none. Open is one that names too few, names none falsely, and says of
each that it misses that it cannot be told from these runs. The rest is wrong.
"""

import argparse
from typing import NamedTuple

import numpy as np

from acidtest.comparison.change import changes_in, corrected
from acidtest.comparison.paired import metric_measure, read_pairs
from acidtest.comparison.stage_evidence import stage_evidence
from acidtest.comparison.stage_words import Told, tell_stages
from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult

MEASURES = [
    metric_measure("recall@5", "retrieval", "higher"),
    metric_measure("mrr", "retrieval", "higher"),
    metric_measure("faithfulness", "generation", "higher"),
    metric_measure("correctness", "end_to_end", "higher"),
]


class World:
    """What is fixed in a simulation: how much the stages change, and in how many cases.

    Args:
        touched: Share of the cases in which the new retriever returns other chunks.
        found: The chance that a touched case's relevant chunk is found by the old and new retriever.
        quality: The chance that a claim is supported, by the old and new generator.
        longer: By what factor the new generator's answers are longer.
        repeatable: Whether a generator repeats its answer for the same contexts.
    """

    def __init__(
        self,
        *,
        touched: float = 0.5,
        found: tuple[float, float] = (0.5, 0.85),
        quality: tuple[float, float] = (0.70, 0.90),
        longer: float = 0.85,
        repeatable: bool = False,
    ) -> None:
        self.touched, self.found, self.quality = touched, found, quality
        self.longer, self.repeatable = longer, repeatable

    def pairs(self, cases: int, changed: tuple[bool, bool], seed: int):
        """Return the two runs' cases, in which the retriever and the generator changed or not."""
        rng = np.random.default_rng(seed)
        made = []
        for n in range(cases):
            ease = rng.uniform(-0.3, 0.3)
            touched = rng.random() < self.touched
            old = self._retrieved(rng, n, self.found[0] + ease, "a")
            new = (
                self._retrieved(rng, n, self.found[1] + ease, "b")
                if changed[0] and touched
                else old
            )
            luck, words = rng.random(int(rng.integers(2, 7))), float(rng.lognormal(4, 0.5))
            again = np.where(rng.random(len(luck)) < 0.7, luck, rng.random(len(luck)))
            first = self._case(rng, n, old, ease, luck, words, new=False)
            same = new is old and not changed[1] and self.repeatable
            other = first if same else self._case(rng, n, new, ease, again, words, new=changed[1])
            made.append((first, other))
        return made

    def _retrieved(self, rng, n: int, chance: float, name: str) -> list[str]:
        chunks = [f"{n}-{name}{k}" for k in range(5)]
        if rng.random() < chance:
            chunks[rng.integers(0, 5)] = f"{n}-relevant"
        return chunks

    def _case(self, rng, n: int, chunks, ease, luck, words, *, new: bool) -> CaseResult:
        rank = chunks.index(f"{n}-relevant") + 1 if f"{n}-relevant" in chunks else None
        chance = np.clip(self.quality[new] + ease / 3 - (0.3 if rank is None else 0), 0.02, 0.98)
        words *= float(rng.lognormal(0, 0.18)) * (self.longer if new else 1.0)
        right = rank is not None and luck[0] < chance
        return CaseResult(
            id=str(n),
            question="?",
            answer=" ".join(["word"] * round(words)) + f" {rng.random()}",
            retrieved=tuple(Chunk(id=c) for c in chunks),
            scores={
                "recall@5": Score(float(rank is not None)),
                "mrr": Score(1 / rank if rank else 0.0),
                "faithfulness": Score(float(np.mean(luck < chance))),
                "correctness": Score(float(right)),
            },
        )


def told(pairs) -> Told:
    """Return what a comparison says of the stages."""
    table = read_pairs(MEASURES, pairs)
    found = {c.metric: c for c in corrected(changes_in(table, MEASURES, resamples=200))}
    return tell_stages(stage_evidence(pairs, MEASURES, table, found))


WORLDS = {
    "as above": World(),
    "answers as long as before": World(longer=1.0),
    "a larger step of the generator, as long": World(longer=1.0, quality=(0.65, 0.95)),
    "contexts change in 20 %": World(touched=0.2),
    "contexts change in 80 %": World(touched=0.8),
    "80 %, and answers as long as before": World(touched=0.8, longer=1.0),
    "contexts change in 90 %": World(touched=0.9),
    "contexts change in 95 %": World(touched=0.95),
    "the retriever moves no metric": World(found=(0.6, 0.6)),
    "the generator repeats itself": World(repeatable=True),
}


class Share(NamedTuple):
    """How often exactly the changed stages are named, and how often one is missed and said to be open.

    `hedged` is how often they are named and another one is said to be open.
    """

    right: float
    open: float
    hedged: float

    @property
    def wrong(self) -> float:
        """Return how often a stage is named falsely, or missed without a word."""
        return abs(1 - self.right - self.open)


def accuracy(
    world: World, changed: tuple[bool, bool], *, pairs: int, cases: int, first: int = 0
) -> Share:
    """Return how often exactly the changed stages are named; `first` is the first pair's seed."""
    wanted = {s for s, moved in zip(("retrieval", "generation"), changed, strict=True) if moved}
    right = left = hedged = 0
    for seed in range(first, first + pairs):
        said = told(world.pairs(cases, changed, seed))
        missed = wanted - said.stages
        right += said.stages == wanted
        hedged += said.stages == wanted and bool(said.open)
        left += bool(missed) and said.stages < wanted and missed <= said.open
    return Share(right / pairs, left / pairs, hedged / pairs)


CHANGED = {
    "retrieval": (True, False),
    "generation": (False, True),
    "both": (True, True),
    "neither": (False, False),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the first pair's seed")
    parser.add_argument("--worlds", help="only those with this in their names")
    given = parser.parse_args()
    print(
        f"{given.pairs} pairs of runs over {given.cases} cases, in per cent: the right stages named / "
        "one missed and said to be open / wrong (named, and another one said to be open)"
    )
    print(f"{'':40}" + "".join(f"{name:>27}" for name in CHANGED))
    for name, world in WORLDS.items():
        if given.worlds and given.worlds not in name:
            continue
        cells = []
        for changed in CHANGED.values():
            some = accuracy(world, changed, pairs=given.pairs, cases=given.cases, first=given.first)
            right, left, wrong, hedged = (
                100 * x for x in (some.right, some.open, some.wrong, some.hedged)
            )
            cells.append(f"{right:.1f} / {left:.1f} / {wrong:.1f} ({hedged:.1f})")
        print(f"{name:40}" + "".join(f"{cell:>27}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
