"""The frozen records that flow one way: golden set -> answers -> scores -> run -> report.

Everything here is data; functions elsewhere turn one record into another. `Score`, `Skip` and
`Failure` are the three outcomes of scoring: a number, "does not apply", and "should have been scored
and was not". There is no NaN and no stand-in zero.
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any, Literal, overload

import msgspec
from msgspec import Struct, field

from acidtest.atomic import write_whole
from acidtest.extras import need

Mode = Literal["live", "golden-context", "retrieval-only"]
Stage = Literal["retrieval", "generation", "end_to_end", "operations"]
Direction = Literal["higher", "lower"]
Cost = Literal["free", "embedding", "judge"]

RUN_FORMAT = "acidtest/run"
RUN_VERSION = 1


# --------------------------------------------------------------------------------- golden set


class Turn(Struct, frozen=True, omit_defaults=True):
    """One earlier turn of a conversation."""

    role: str
    text: str


class Evidence(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The text of a relevant chunk, which outlives the chunk's id."""

    text: str
    chunk_id: str | None = None
    doc_id: str | None = None
    doc_version: str | None = None
    start: int | None = None
    end: int | None = None


class Case(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One question of the golden set with what is known of its right answer.

    `relevant` maps chunk ids to grades (0..3) and `relevant_docs` document ids. None means *not
    labelled*; an empty mapping means *nothing in the corpus is relevant*, which only a case that must
    abstain (`answerable=False`) can say. `group` names cases that belong together, such as the turns
    of one conversation: statistics resample groups, not cases.
    """

    id: str
    question: str
    reference: str | None = None
    relevant: dict[str, int] | None = None
    relevant_docs: dict[str, int] | None = None
    evidence: tuple[Evidence, ...] = ()
    answerable: bool = True
    tags: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    group: str | None = None
    split: str | None = None
    source: str | None = None
    metadata: dict[str, Any] = {}

    @property
    def labels(self) -> dict[str, int] | None:
        """The grades that label metrics use: by chunk where there are any, else by document."""
        return self.relevant if self.relevant is not None else self.relevant_docs


class GoldenSet(Sequence[Case]):
    """A sequence of cases with the content hash that is its version.

    Args:
        cases: The cases, in file order.
        version: `sha256:...` over the canonical form; see `acidtest.golden.version`.
        path: Where it was read from.
        recorded: Answers that the file itself carried (`generated_answer`, `retrieved_contexts`).
    """

    __slots__ = ("_cases", "path", "recorded", "version")

    def __init__(
        self,
        cases: Sequence[Case],
        *,
        version: str,
        path: str | None = None,
        recorded: "Sequence[Answer]" = (),
    ) -> None:
        self._cases = tuple(cases)
        self.version = version
        self.path = path
        self.recorded = tuple(recorded)

    @overload
    def __getitem__(self, index: int) -> Case: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Case, ...]: ...
    def __getitem__(self, index: int | slice) -> Case | tuple[Case, ...]:
        return self._cases[index]

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self._cases)

    def __repr__(self) -> str:
        return f"GoldenSet({len(self)} cases, version={self.version!r}, path={self.path!r})"


# ---------------------------------------------------------------------------- pipeline outputs


class Chunk(Struct, frozen=True, kw_only=True):
    """A piece of text that a retriever returned, in the order it was ranked.

    `rank` counts from 1; the engine sets it from the order, whatever the pipeline says.
    """

    id: str | None = None
    rank: int | None = None
    text: str | None = None
    score: float | None = None
    doc_id: str | None = None
    source: str | None = None
    span: tuple[int, int] | None = None
    metadata: dict[str, Any] = {}


class Usage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one answer cost; None where the pipeline does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    model: str | None = None


class Latency(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Milliseconds that the pipeline took, apart where it can be told apart."""

    retrieve: float | None = None
    generate: float | None = None
    total: float | None = None


class Failure(Struct, frozen=True, omit_defaults=True, tag_field="outcome", tag="failure"):
    """It should have been scored (or answered) and was not.

    `why` is one sentence; `detail` the raw evidence, such as a traceback or a judge's reply.
    """

    why: str = field(name="failure")
    detail: str | None = None


class Answer(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What the pipeline gave for one case.

    `retrieved` is None when the pipeline says nothing of its contexts, and empty when it retrieved
    none. `candidates` is the first-stage ranking before reranking. `abstained` is the pipeline's own
    word on whether it declined. `notes` are faults that were mended and must be shown, such as chunk
    ids that came twice.
    """

    case_id: str
    text: str | None = None
    retrieved: tuple[Chunk, ...] | None = None
    candidates: tuple[Chunk, ...] | None = None
    citations: tuple[str, ...] | None = None
    abstained: bool | None = None
    latency_ms: Latency | None = None
    usage: Usage | None = None
    failure: Failure | None = None
    notes: tuple[str, ...] = ()


# -------------------------------------------------------------------------------------- scores


class Score(Struct, frozen=True, tag_field="outcome", tag="score"):
    """A number, why, and from what.

    `parts` are the counts behind the value (claims, supported, unsupported, undecided, ...), so that
    shares can be pooled over cases. `evidence` is JSON-like: for judged metrics one record a claim or
    a context. `trials` are the values of a judgement that was repeated, in order; `value` is their
    mean then.
    """

    value: float
    reason: str = ""
    evidence: tuple[Any, ...] = ()
    parts: dict[str, float] = {}
    trials: tuple[float, ...] = ()


class Skip(Struct, frozen=True, omit_defaults=True, tag_field="outcome", tag="skip"):
    """The metric does not apply to this case (no labels, must abstain, no answer).

    `parts` are counts as in `Score`: a judge that left every claim open skips the case, and its
    claims still count in the undecided share.
    """

    why: str = field(name="skip")
    parts: dict[str, float] = {}


Outcome = Score | Skip | Failure


class MetricSpec(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a metric is, kept with the run so that an old run compares without old code."""

    name: str
    stage: Stage
    direction: Direction = "higher"
    cost: Cost = "free"
    version: str = "1"


class Result(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The outcome of one metric on one case in one trial (trials count from 0)."""

    case_id: str
    metric: str
    outcome: Outcome
    trial: int = 0


# ----------------------------------------------------------------------------------------- run


class Commit(Struct, frozen=True):
    """The state of the code that was evaluated."""

    sha: str
    branch: str | None = None
    dirty: bool = False


class GoldenRef(Struct, frozen=True, kw_only=True):
    """Which golden set a run used; `cases` is how many of it the run covers."""

    path: str | None = None
    version: str
    cases: int


class Ref(Struct, frozen=True, kw_only=True):
    """A named thing and the hash of what it does (the pipeline)."""

    name: str
    fingerprint: str


class JudgeRef(Struct, frozen=True, kw_only=True):
    """Which judge a run used: the model as reported, and the hash of model, prompts, parameters."""

    model: str
    fingerprint: str


RunStatus = Literal["running", "finished", "interrupted"]


class RunInfo(Struct, frozen=True, kw_only=True):
    """What a run was made of and with."""

    id: str
    name: str
    created: str
    status: RunStatus
    mode: Mode
    golden: GoldenRef
    pipeline: Ref
    commit: Commit | None = None
    judge: JudgeRef | None = None


class Summary(Struct, frozen=True, kw_only=True):
    """One metric over all cases.

    `mean`, `p10`, `p50` and `ci` are None when nothing was scored. `p10` is element n // 10 of the
    ascending scores; `ci` a 95 % bootstrap interval of the mean over cases (groups resampled
    together). `n` = scored + skipped + failed. `undecided` is the share of claims that an abstaining
    judge left open, `contradicted` the share that its sources contradict, and `floor_value` what
    floors are compared with where that is not the mean: one
    minus the share of unsupported claims. Where judgements were repeated, `repeat_sd` is the standard
    deviation within a case, pooled over cases, and `wavering` the share of cases whose trials differ.
    """

    stage: Stage
    direction: Direction
    mean: float | None
    p10: float | None
    p50: float | None
    ci: tuple[float, float] | None
    n: int
    scored: int
    skipped: int
    failed: int
    cost: Cost = "free"
    version: str = "1"
    undecided: float | None = None
    contradicted: float | None = None
    floor_value: float | None = None
    repeat_sd: float | None = None
    wavering: float | None = None


class Percentiles(Struct, frozen=True):
    """Median and 95th percentile, in milliseconds."""

    p50: float
    p95: float


class Tokens(Struct, frozen=True, kw_only=True):
    """Tokens in and out, summed over the cases that report them."""

    input: int = 0
    output: int = 0


class CascadeUse(Struct, frozen=True, kw_only=True):
    """What a cascade of judges did.

    Attributes:
        asked: Prompts.
        spared: Prompts that the last judge was not asked.
        audited: Prompts that an earlier judge decided and the next was asked all the same.
        agreed: Audited prompts on which both gave the same verdicts, or, where replies are of
            different length, the same share of each.
    """

    asked: int = 0
    spared: int = 0
    audited: int = 0
    agreed: int = 0

    def __add__(self, other: "CascadeUse") -> "CascadeUse":
        return CascadeUse(
            asked=self.asked + other.asked,
            spared=self.spared + other.spared,
            audited=self.audited + other.audited,
            agreed=self.agreed + other.agreed,
        )

    @property
    def saving(self) -> float | None:
        """The share of prompts that the last judge was spared; None before the first prompt."""
        return self.spared / self.asked if self.asked else None

    @property
    def agreement(self) -> float | None:
        """The share of audited prompts on which both agree; None when none was audited."""
        return self.agreed / self.audited if self.audited else None


class PanelUse(Struct, frozen=True, kw_only=True):
    """Of how many verdicts of a panel (`voted`) all its judges voted for the same (`unanimous`)."""

    voted: int = 0
    unanimous: int = 0


class EmbeddingUse(Struct, frozen=True, kw_only=True):
    """What embedding took; `cost_usd` is None when no price is known."""

    tokens: int = 0
    cost_usd: float | None = None


class JudgeUse(Struct, frozen=True, kw_only=True):
    """What judging took; `cost_usd` is None when no price is known.

    `cascade` is what a cascade did, `panel` how often a panel was of one mind, by the name of the
    prompt, `embedding` what metrics that compare by embeddings took besides.
    """

    calls: int = 0
    cached: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    cascade: CascadeUse | None = None
    panel: dict[str, PanelUse] | None = None
    embedding: EmbeddingUse | None = None


class Operations(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What the run took: the pipeline's latency, tokens and money, and the judge's."""

    latency_ms: dict[str, Percentiles] = {}
    tokens: Tokens | None = None
    cost_usd: float | None = None
    judge: JudgeUse | None = None


class Diagnosis(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Which stage broke in one case: a verdict of the closed list, and what it rests on."""

    verdict: str
    stage: Stage | None = None
    why: str = ""


class CaseResult(Struct, frozen=True, kw_only=True):
    """One case as it went in this run: what was asked, what came back, how it scored."""

    id: str
    question: str
    answer: str | None = None
    retrieved: tuple[Chunk, ...] | None = None
    tags: tuple[str, ...] = ()
    group: str | None = None
    latency_ms: Latency | None = None
    usage: Usage | None = None
    scores: dict[str, Outcome] = {}
    diagnosis: Diagnosis | None = None
    # Beyond the contract: what a report needs to show a case without the golden set.
    reference: str | None = None
    relevant: dict[str, int] | None = None
    relevant_docs: dict[str, int] | None = None
    evidence: tuple[Evidence, ...] = ()
    answerable: bool = True
    candidates: tuple[Chunk, ...] | None = None
    citations: tuple[str, ...] | None = None
    abstained: bool | None = None
    failure: Failure | None = None
    notes: tuple[str, ...] = ()


class Run(Struct, frozen=True, kw_only=True):
    """A whole evaluation: summaries, operations, and every case with its outcomes."""

    info: RunInfo = field(name="run")
    metrics: dict[str, Summary] = {}
    undecided: dict[str, float] = {}
    tags: dict[str, dict[str, float]] = {}
    operations: Operations = Operations()
    cases: tuple[CaseResult, ...] = ()
    format: str = RUN_FORMAT
    version: int = RUN_VERSION

    @property
    def id(self) -> str:
        """The run's id."""
        return self.info.id

    @property
    def name(self) -> str:
        """The run's name, by default its pipeline's."""
        return self.info.name

    def __repr__(self) -> str:
        """Say which run it is: asyncio writes results out, and notebooks do; a whole run is megabytes."""
        return f"Run({self.id!r}, name={self.name!r}, cases={len(self.cases)})"

    def to_json(self) -> bytes:
        """Return the run as JSON, in the documented form (`format`, `version`, `run`, ...)."""
        document = {"format": self.format, "version": self.version, **msgspec.to_builtins(self)}
        return msgspec.json.format(msgspec.json.encode(document), indent=1)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to a JSON file that `load_run` reads; the file is whole or not there."""
        write_whole(path, self.to_json())

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per case and metric: case, metric, value (None if missing), and why."""
        return [
            {
                "case": case.id,
                "metric": name,
                "value": outcome.value if isinstance(outcome, Score) else None,
                "outcome": type(outcome).__name__.lower(),
                "why": outcome.reason if isinstance(outcome, Score) else outcome.why,
            }
            for case in self.cases
            for name, outcome in case.scores.items()
        ]

    def to_polars(self) -> Any:
        """Return `rows` as a Polars data frame (extra `tables`)."""
        schema = dict.fromkeys(("case", "metric"), str) | {
            "value": float,
            "outcome": str,
            "why": str,
        }
        return need("polars", extra="tables").DataFrame(self.rows(), schema=schema)

    def to_pandas(self) -> Any:
        """Return `rows` as a pandas data frame; pandas must be installed."""
        columns = ["case", "metric", "value", "outcome", "why"]
        return need("pandas", install="pandas").DataFrame(self.rows(), columns=columns)


# ----------------------------------------------------------------------------------- scorecard

TargetStatus = Literal["met", "below", "unreachable", "untrusted", "missing"]


class Finding(Struct, frozen=True, kw_only=True):
    """One line of the diagnostic tree: a metric against its target, and what to do about it.

    `unreachable`: the labels cap the metric at `ceiling`, below the target. `untrusted`: a line
    above (the recall target) fails first, so this value says little yet. `missing`: nothing scored.
    """

    metric: str
    status: TargetStatus
    target: float
    value: float | None
    ceiling: float | None = None
    look: str = ""
    mends: tuple[str, ...] = ()
    note: str = ""


class Scorecard(Struct, frozen=True, kw_only=True):
    """A run read against its targets: where it breaks first, and which cases show it.

    `verdicts` counts the per-case diagnoses. `faithful_correct` is the faithful x correct table:
    "faithful, correct", "faithful, wrong", "unfaithful, correct", "unfaithful, wrong" to case ids.
    `notes` are findings on the whole run in words, such as over-retrieval; `grave` is one that makes
    the scores worthless, such as declining everything, and leads the report.
    """

    findings: tuple[Finding, ...] = ()
    verdicts: dict[str, int] = {}
    faithful_correct: dict[str, tuple[str, ...]] = {}
    notes: tuple[str, ...] = ()
    grave: str = ""


class Threshold(Struct, frozen=True, kw_only=True):
    """One floor held against one metric of a run (a ceiling where lower is better).

    `on` says what of the metric was compared; `passed` is None when nothing was scored.
    """

    metric: str
    floor: float
    value: float | None
    passed: bool | None
    on: str


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


Flag = Literal["REGRESSION", "BELOW FLOOR"]
GateMode = Literal["strict", "statistical"]
GateResult = Literal["pass", "fail", "inconclusive"]
GATE_FORMAT = "acidtest/gate"
GATE_VERSION = 1


class Gated(Struct, frozen=True, kw_only=True):
    """One metric at the gate; members are None where they were not asked or not known.

    Attributes:
        baseline: The baseline's value over the shared cases.
        candidate: The candidate's.
        delta: Candidate minus baseline.
        ci: 95 % interval of `delta`.
        p: Two-sided p-value, corrected for the metrics that are gated.
        flag: Why it fails; where both hold, the floor is named.
        min_detectable: The smallest change that this many cases would have shown.
        floor: The least value (for lower-is-better the most).
        max_drop: How much worse than the baseline it may be.
        open: Why it can be neither passed nor failed; empty when it is decided.
    """

    baseline: float | None = None
    candidate: float | None = None
    delta: float | None = None
    ci: tuple[float, float] | None = None
    p: float | None = None
    flag: Flag | None = None
    min_detectable: float | None = None
    floor: float | None = None
    max_drop: float | None = None
    open: str = ""


class Gate(Struct, frozen=True, kw_only=True):
    """A release decision, with what it rests on.

    Attributes:
        result: `fail` when any metric is flagged; else `inconclusive` when any is open; else `pass`.
        mode: `strict`: a drop beyond the tolerance fails; `statistical`: only one that the interval
            shows.
        metrics: Each gated metric, such as `faithfulness`, `faithfulness.p10`, `faithfulness[faq]`,
            `latency_ms.total.p95`.
        reasons: Why it fails or is open, one sentence each.
        trades: Gains that have a price, to be decided by a person.
        notes: What must be known beside it, such as a stale baseline.
    """

    result: GateResult
    mode: GateMode
    metrics: dict[str, Gated] = {}
    reasons: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    format: str = GATE_FORMAT
    version: int = GATE_VERSION

    @property
    def exit_status(self) -> int:
        """Return 0 for a pass, 1 for a fail, 3 when it is inconclusive."""
        return {"pass": 0, "fail": 1, "inconclusive": 3}[self.result]
