"""Two runs side by side."""

from typing import Literal

from msgspec import Struct

from acidtest.data.runs import RunInfo
from acidtest.data.terms import Direction, Stage


class Change(Struct, frozen=True, kw_only=True):
    """One metric in two runs, paired over the cases that both scored.

    Attributes:
        metric: Its name.
        stage: Where it belongs.
        direction: Which way is better.
        base: The baseline's mean over the shared cases.
        candidate: The candidate's.
        delta: Candidate minus baseline.
        ci: 95 % interval of `delta`; None with fewer than two cases.
        wins: Cases where the candidate is better, whichever way the metric points.
        losses: Cases where it is worse.
        ties: Cases that differ by no more than rounding.
        n: Cases scored on both sides.
        p: Two-sided p-value of no change: exact McNemar for yes/no metrics, else sign flips.
        p_adjusted: The same after Holm's correction over the metrics that were compared.
        min_detectable: The smallest change that this many cases would have shown in four of five
            tries; None when they are too few to show any.
        needed: How many cases would show a change as large as `delta`; None when nothing changed.
        effect: `delta` in standard deviations of the differences (Cohen's d_z); None without spread.
        base_p10: The baseline's worst tenth over the shared cases.
        candidate_p10: The candidate's.
        p10_ci: Interval of the change of p10; None with fewer than ten cases.
        noise: The share of the variance of `delta` that is the judge's own noise, where judgements
            were repeated; more repeats take it away, more cases the rest.
    """

    metric: str
    stage: Stage
    direction: Direction
    base: float
    candidate: float
    delta: float
    ci: tuple[float, float] | None
    wins: int
    losses: int
    ties: int
    n: int
    p: float | None = None
    p_adjusted: float | None = None
    min_detectable: float | None = None
    needed: int | None = None
    effect: float | None = None
    base_p10: float | None = None
    candidate_p10: float | None = None
    p10_ci: tuple[float, float] | None = None
    noise: float | None = None


SplitMethod = Literal["crossed", "estimated"]


class StageSplit(Struct, frozen=True, kw_only=True):
    """A metric's change split into what the retriever did and what the generator did.

    `retrieval` + `generation` = `delta`. `crossed`: both generators answered from both retrievers'
    contexts, and each part is the mean over the two orders of changing one stage at a time.
    `estimated`: from the cases whose contexts changed and those whose did not.

    Attributes:
        metric: Its name.
        delta: The whole change over the `n` cases of the split.
        retrieval: The retriever's part.
        generation: The generator's part.
        retrieval_ci: 95 % interval of the retriever's part.
        generation_ci: 95 % interval of the generator's part.
        n: Cases.
        changed: How many of them got other contexts.
        method: How it was found.
        interaction: Crossed only: by how much more the generator's change does with the candidate's
            contexts than with the baseline's (the same as the retriever's with one generator and the
            other). Half of it is in each part.
        interaction_ci: 95 % interval of it.
    """

    metric: str
    delta: float
    retrieval: float
    generation: float
    retrieval_ci: tuple[float, float] | None
    generation_ci: tuple[float, float] | None
    n: int
    changed: int
    method: SplitMethod
    interaction: float | None = None
    interaction_ci: tuple[float, float] | None = None


class Comparison(Struct, frozen=True, kw_only=True):
    """Two runs over the same cases.

    Attributes:
        base: The baseline.
        candidate: What is held against it.
        cases: How many cases both have.
        metrics: What changed, by metric, in the baseline's order; operations (`latency_ms.total`,
            `tokens.output`, `cost_usd`) are among them, by the stage "operations".
        tags: The same by tag, without correction for multiplicity.
        stages: The change split by stage, for the metrics that depend on both.
        verdicts: How many cases have each verdict, in the baseline and in the candidate.
        words: Which stage changed, in sentences.
        notes: What must be known beside it: other golden set, judge, mode, coverage.
    """

    base: RunInfo
    candidate: RunInfo
    cases: int
    metrics: dict[str, Change] = {}
    tags: dict[str, dict[str, Change]] = {}
    stages: dict[str, StageSplit] = {}
    verdicts: dict[str, tuple[int, int]] = {}
    words: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
