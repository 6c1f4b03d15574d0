"""Questions whose answer is known, put to a judge: plain ones of every task, and hard claims.

Plain cases are those of the injection probe without any attack: a judge that gets one wrong knows the task
badly or not at all. Hard claims are those that `acidtest.judges.local.hard_cases` lists: a judge that gets
them right reads what it judges.
"""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Literal

from msgspec import Struct

from acidtest.data.outcomes import Skip
from acidtest.data.runs import JudgeRef
from acidtest.data.use import JudgeUse
from acidtest.errors import JudgeError
from acidtest.judges.counting import counting_judge
from acidtest.judges.desk import Desk, Question
from acidtest.judges.local.hard_cases import CASES, HardCase
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.local.measured import Measured, measured
from acidtest.metrics.claims import Claims
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.project.judging import Judging, cached
from acidtest.project.probing.amounts import amounts_of
from acidtest.project.probing.asking import Asking, Said
from acidtest.project.probing.cases import ProbeCase, cases
from acidtest.project.probing.moment import now
from acidtest.project.probing.reading import Worths, of_claims
from acidtest.run.amounts import Range, Tokens
from acidtest.run.meter import Meter
from acidtest.run.progress import Watcher
from acidtest.stats.rates import Interval, wilson
from acidtest.store.journal import StoredJournal
from acidtest.store.runs import Store

ENOUGH = 0.95
"""Share of the questions that must have got a verdict."""

Outcome = Literal["right", "open", "wrong", "failed", "skipped"]
"""`open`: undecided, or half way. `failed`: no valid reply. `skipped`: it does not judge such a prompt."""


class PlainTask(Struct, frozen=True, kw_only=True):
    """The plain cases of one prompt.

    Attributes:
        task: The prompt.
        n: Cases that got a verdict.
        right: Cases judged rightly.
        open: Left undecided, or half way.
        wrong: Judged wrongly.
        failed: Cases without a valid reply.
        share: right / n, and its 95 % interval; None where there is no verdict.
        ci: See there.
        missed: The names of those that are not right.
    """

    task: str
    n: int
    right: int
    open: int
    wrong: int
    failed: int
    share: float | None
    ci: Interval | None
    missed: tuple[str, ...]


class HardAnswer(Struct, frozen=True, kw_only=True):
    """A hard claim with what the judge says of it."""

    case: HardCase
    says: str
    outcome: Outcome
    why: str


class Check(Struct, frozen=True, kw_only=True):
    """What a judge says of cases whose right verdict is known.

    Attributes:
        created: When, UTC.
        judge: Who was asked.
        measured: Of the local judge, how often it was right on public data that people labelled.
        plain: Plain cases by prompt.
        hard_cases: Hard claims.
        unjudged: Prompts that this judge does not judge at all.
        coverage: The share of the questions that got a verdict; None when it judges none.
        use: What asking took.
    """

    created: str
    judge: JudgeRef
    measured: Measured | None
    plain: tuple[PlainTask, ...]
    hard_cases: tuple[HardAnswer, ...]
    unjudged: tuple[str, ...]
    coverage: float | None
    use: JudgeUse
    format: str = "acidtest/judge-check"
    version: int = 1

    @property
    def exit_status(self) -> int:
        """3 when too few questions got a verdict, else 0."""
        return 0 if self.coverage is not None and self.coverage >= ENOUGH else 3


class CheckEstimate(Struct, frozen=True, kw_only=True):
    """What a check takes: questions, those to be asked, those that the store answers, tokens, US dollars."""

    judge: str
    questions: int
    calls: int
    cached: int
    tokens: Tokens
    cost_usd: Range | None
    format: str = "acidtest/judge-check-estimate"
    version: int = 1


async def check_judge(
    judging: Judging,
    store: Store | None = None,
    *,
    concurrency: int = 8,
    use_cache: bool = True,
    watch: Watcher | None = None,
) -> Check:
    """Ask a judge everything whose answer is known.

    Args:
        judging: The judge.
        store: Where its verdicts are kept, so that nothing is asked twice; None keeps none.
        concurrency: How many calls may be in flight.
        use_cache: Whether to use verdicts that are kept already.
        watch: Told after every question.

    Raises:
        OutsideError: The endpoint is gone, or the budget is spent.
        StoreError: The store could not take a verdict.
    """
    meter, heard = Meter(), _Heard()
    easy, hard = cases(), [_hard(case, heard) for case in CASES]
    async with AsyncExitStack() as stack:
        judge = judging.judge
        if judging.kept and store is not None:
            journal = await stack.enter_async_context(StoredJournal(store))
            judge = cached(
                judge, journal, repeat=0, salt="" if use_cache else secrets.token_hex(16)
            )
        asking = Asking(judge, meter, concurrency, watch)
        said = await asking.all([(case, case.fields) for case in (*easy, *hard)])
    plain = list(zip(easy, said, strict=False))
    outcomes = [_outcome(case, each) for case, each in zip((*easy, *hard), said, strict=True)]
    asked = [each for each in outcomes if each != "skipped"]
    skipped = [case.prompt.name for case, each in plain if isinstance(each, Skip)]
    local = LocalJudge()
    return Check(
        created=now(),
        judge=JudgeRef(model=judging.judge.model, fingerprint=judging.judge.fingerprint),
        measured=measured() if judging.judge.fingerprint == local.fingerprint else None,
        plain=tuple(
            _task(name, [(c, s) for c, s in plain if c.prompt.name == name])
            for name in dict.fromkeys(case.prompt.name for case in easy)
            if name not in skipped
        ),
        hard_cases=tuple(
            _answer(case, one, each, heard)
            for case, one, each in zip(CASES, hard, said[len(easy) :], strict=True)
        ),
        unjudged=tuple(dict.fromkeys(skipped)),
        coverage=1 - asked.count("failed") / len(asked) if asked else None,
        use=meter.use,
    )


async def estimate_check(
    judging: Judging, store: Store | None, *, use_cache: bool = True
) -> CheckEstimate:
    """Count what a check asks; nobody is asked, and nothing is stored."""
    asked: list[Question] = []
    known = store.verdict if store is not None and use_cache else None
    judge = counting_judge(Desk(judging.judge, known=known), asked, real=True)
    every = [*cases(), *(_hard(case, _Heard()) for case in CASES)]
    for case in every:
        await judge.ask(case.prompt, **case.fields)
    amounts = amounts_of(asked)
    return CheckEstimate(
        judge=judging.judge.model,
        questions=len(every),
        calls=amounts.calls,
        cached=amounts.cached,
        tokens=amounts.tokens,
        cost_usd=amounts.cost_usd,
    )


class _Heard:
    """What was said of each hard claim, and why, in the judge's words."""

    def __init__(self) -> None:
        self.rulings: dict[str, str] = {}
        self.whys: dict[str, str] = {}


def _hard(case: HardCase, heard: _Heard) -> ProbeCase:
    def read(reply: Claims) -> Worths:
        claims = reply.sentences[0].claims
        heard.rulings[case.kind] = ", ".join(claim.verdict for claim in claims) or "claims nothing"
        heard.whys[case.kind] = "; ".join(claim.why for claim in claims)
        return of_claims(reply)

    fields: Mapping[str, Any] = {
        "question": "What is so?",
        "passages": [case.passage],
        "sentences": [case.claim],
    }
    return ProbeCase(
        name=f"hard-{case.kind}",
        prompt=FAITHFULNESS,
        fields=fields,
        good=case.supported,
        places={},
        read=read,
    )


def _outcome(case: ProbeCase, said: Said) -> Outcome:
    if isinstance(said, Skip):
        return "skipped"
    if isinstance(said, JudgeError):
        return "failed"
    if case.rightly(said):
        return "right"
    wrong = any(worth < 0.5 if case.good else worth > 0.5 for worth in said)
    return "wrong" if wrong else "open"


def _task(name: str, said: Sequence[tuple[ProbeCase, Said]]) -> PlainTask:
    outcomes = {case.name: _outcome(case, each) for case, each in said}
    count = list(outcomes.values()).count
    n, right = count("right") + count("open") + count("wrong"), count("right")
    return PlainTask(
        task=name,
        n=n,
        right=right,
        open=count("open"),
        wrong=count("wrong"),
        failed=count("failed"),
        share=right / n if n else None,
        ci=wilson(right, n) if n else None,
        missed=tuple(case for case, outcome in outcomes.items() if outcome != "right"),
    )


def _answer(case: HardCase, asked: ProbeCase, said: Said, heard: _Heard) -> HardAnswer:
    why = said.why if isinstance(said, Skip) else str(said) if isinstance(said, JudgeError) else ""
    return HardAnswer(
        case=case,
        says=heard.rulings.get(case.kind, "nothing"),
        outcome=_outcome(asked, said),
        why=heard.whys.get(case.kind, why),
    )
