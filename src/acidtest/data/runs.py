"""A run: what was evaluated, every case as it went, and the summaries."""

import os
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from acidtest.atomic import write_whole
from acidtest.data.answers import Chunk, Latency, Usage
from acidtest.data.corrected import Correction
from acidtest.data.golden import Evidence
from acidtest.data.outcomes import Failure, Outcome, Score
from acidtest.data.terms import Cost, Direction, Mode, Stage
from acidtest.data.use import Operations
from acidtest.extras import need

RUN_FORMAT = "acidtest/run"
RUNS_FORMAT = "acidtest/runs"

RUN_VERSION = 1


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


class JudgeRef(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Which judge a run used: the model as it was named, and a hash of what judged.

    `reported` are the models that gave the verdicts, by the names that their providers report, where these
    are others. The hash is of the judge's own fingerprint (model and parameters) and of them. Each metric's
    version stands for its prompt.
    """

    model: str
    fingerprint: str
    reported: tuple[str, ...] = ()


RunStatus = Literal["running", "finished", "interrupted"]


class RunInfo(Struct, frozen=True, kw_only=True):
    """What a run was made of and with.

    `contexts_from` is there in golden-context runs that got, in place of the known-relevant chunks, what
    another run had retrieved: it is that run's id.
    """

    id: str
    name: str
    created: str
    status: RunStatus
    mode: Mode
    golden: GoldenRef
    pipeline: Ref
    commit: Commit | None = None
    judge: JudgeRef | None = None
    contexts_from: str | UnsetType = UNSET


class Summary(Struct, frozen=True, kw_only=True):
    """One metric over all cases.

    `mean`, `p10`, `p50` and `ci` are None when nothing was scored. `p10` is element n // 10 of the
    ascending scores; `ci` a 95 % bootstrap interval of the mean over cases (groups resampled together).
    `n` = scored + skipped + failed; files that other programs wrote may lack the counts. `undecided` is
    the share of claims that an abstaining judge left open, `contradicted` the share that its sources
    contradict, and `floor_value` what floors are compared with where that is not the mean: one minus
    the share of unsupported claims. Where judgements were repeated, `repeat_sd` is the standard
    deviation within a case, pooled over cases, and `wavering` the share of cases whose trials differ.
    `corrected` is there where people's labels were held against the judge's values.
    """

    stage: Stage
    direction: Direction
    mean: float | None
    p10: float | None = None
    p50: float | None = None
    ci: tuple[float, float] | None = None
    n: int = 0
    scored: int = 0
    skipped: int = 0
    failed: int = 0
    cost: Cost = "free"
    version: str = "1"
    undecided: float | None = None
    contradicted: float | None = None
    floor_value: float | None = None
    repeat_sd: float | None = None
    wavering: float | None = None
    corrected: Correction | UnsetType = UNSET


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
        # No copy of what is inside: a big run holds megabytes of evidence.
        members = {f.encode_name: getattr(self, f.name) for f in msgspec.structs.fields(self)}
        document = {"format": self.format, "version": self.version, **members}
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
