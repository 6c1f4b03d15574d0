"""A rehearsal: every judged metric is really run, against a judge that asks nobody.

So what is counted is what the metrics would ask: questions that several share count once, degenerate
cases ask nothing, and second questions come when the reply to the first would bring them. Where they
hang on the reply, the metric is run with replies that differ (`synthetic.PATHS`), and the path with the
fewest questions makes the lower end of the range, the one with the most the upper.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.judges.counting import CountingEmbedder, counting_judge, doubts
from acidtest.judges.desk import Desk, Question
from acidtest.judges.synthetic import PATHS
from acidtest.metrics.bound import Bound
from acidtest.run.plan import Plan
from acidtest.run.score import score
from acidtest.run.suppose import Supposition

PROBED = 25
"""How often a metric is run on every path; one that asked the same on all is then run on one only."""


@dataclass
class Embedded:
    """Texts that would be embedded, in how many calls, and about how many tokens they have."""

    calls: int = 0
    texts: int = 0
    tokens: float = 0.0


@dataclass
class Ledger:
    """What a rehearsal comes to at one end of its range; later cases add to it.

    Attributes:
        questions: Those to be asked, by key.
        answered: Those that the journal answers, by key.
        shared: How often a question came up again, in another metric or case.
        by_metric: Metric -> the keys of the questions that it is the first to ask.
        by_case: For each case, how many input tokens it adds.
        embedded: What would be embedded.
        before: Keys that an earlier plan of the same command asks.
    """

    questions: dict[str, Question] = field(default_factory=dict)
    answered: dict[str, Question] = field(default_factory=dict)
    shared: int = 0
    by_metric: dict[str, list[Question]] = field(default_factory=dict)
    by_case: list[float] = field(default_factory=list)
    embedded: Embedded = field(default_factory=Embedded)
    before: frozenset[str] = frozenset()

    def add(self, metric: str, take: "Take", *, anew: bool) -> None:
        """Enter what a metric asks of a case; `anew` when the journal's answers are not counted on."""
        for question in take.questions:
            key = question.key
            if key in self.questions or key in self.answered or key in self.before:
                self.shared += 1
            elif question.answered is not None and not anew:
                self.answered[key] = question
            else:
                self.questions[key] = question
                self.by_metric[metric].append(question)
                self.by_case[-1] += question.input_tokens
        self.embedded.calls += take.embedded.calls
        self.embedded.texts += take.embedded.texts
        self.embedded.tokens += take.embedded.tokens


@dataclass(frozen=True)
class Take:
    """What a metric asks of a case on one path."""

    questions: Sequence[Question]
    embedded: Embedded

    @property
    def asks(self) -> tuple[int, int]:
        """How much it is: questions that nobody has answered yet, then texts to embed."""
        return len({q.key for q in self.questions if q.answered is None}), self.embedded.texts


class Rehearsal:
    """One plan rehearsed.

    Args:
        plan: The plan; its judge is never asked.
        desk: Where questions are written down.
        supposed: What the pipeline would answer.
        before: What earlier plans of the command ask, at the lower end and at the upper.
    """

    def __init__(
        self,
        plan: Plan,
        desk: Desk | None,
        supposed: Supposition,
        before: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
    ) -> None:
        self.plan, self.desk, self.supposed = plan, desk, supposed
        self.low, self.high = (Ledger(before=keys) for keys in before)
        self._asking = [b for b in plan.metrics if b.metric.cost != "free"]
        for ledger in (self.low, self.high):
            ledger.by_metric.update({bound.name: [] for bound in self._asking})
        self._probed = dict.fromkeys(ledger.by_metric, 0)
        self._varies = dict.fromkeys(ledger.by_metric, False)

    async def run(self) -> tuple[Ledger, Ledger]:
        """Rehearse all cases; return the lower and the upper end."""
        for case in self.plan.cases:
            self.low.by_case.append(0.0)
            self.high.by_case.append(0.0)
            for bound in self._asking:
                for trial in range(self.plan.repeat if bound.metric.cost == "judge" else 1):
                    if (case.id, bound.name, trial) not in self.supposed.done:
                        await self._enter(bound, case, trial)
        return self.low, self.high

    async def _enter(self, bound: Bound, case: Case, trial: int) -> None:
        supposed = self.supposed.cases[case.id]
        few = many = await self._takes(bound, case, supposed.least, trial)
        doubt = self.desk is not None and doubts(self.desk.whole)
        if doubt or supposed.most is not supposed.least:
            many = await self._takes(bound, case, supposed.most, trial, doubt=doubt)
        # Another answer is another question: only a steady pipeline finds its answers judged already.
        anew = supposed.basis == "earlier run" and not self.supposed.steady
        self.low.add(bound.name, min(few, key=lambda take: take.asks), anew=False)
        self.high.add(bound.name, max(many, key=lambda take: take.asks), anew=anew)

    async def _takes(
        self, bound: Bound, case: Case, answer: Answer, trial: int, *, doubt: bool = False
    ) -> list[Take]:
        """Return what a metric asks on every path, or on one where all are the same to it."""
        real = self.supposed.cases[case.id].basis != "guess"

        async def take(path: int) -> Take:
            asked: list[Question] = []
            judge = None
            if self.desk is not None:
                judge = counting_judge(
                    self.desk, asked, draw=trial, path=path, doubt=doubt, real=real
                )
            embedder = CountingEmbedder()
            await score(
                bound,
                case,
                answer,
                mode=self.plan.mode,
                judge=judge,
                embedder=embedder,
                unanswerable=self.plan.unanswerable,
                fed=self.plan.contexts is not None,
            )
            return Take(asked, Embedded(embedder.calls, embedder.texts, embedder.tokens))

        first, name = await take(0), bound.name
        made_up = any(question.answered is None for question in first.questions)
        if not made_up or not (self._varies[name] or self._probed[name] < PROBED):
            return [first]
        others = [await take(path) for path in range(1, PATHS)]
        self._probed[name] += 1
        self._varies[name] |= any(other.asks != first.asks for other in others)
        return [first, *others]
