"""Judge names and own objects to a judge that is ready to be asked; see `judge_names` for the names."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acidtest.judges.budget import Budgeted
from acidtest.judges.cache import Cached
from acidtest.judges.cascade import Cascade
from acidtest.judges.compound import each_part, parts_of
from acidtest.judges.instant import instant
from acidtest.judges.panel import Panel
from acidtest.ports import Journal, Judge
from acidtest.project.config import JudgeConfig
from acidtest.project.judge_models import model_judge
from acidtest.project.judge_names import PROVIDERS, Part, part_of, steps_of
from acidtest.project.means import Means, means_of


@dataclass(frozen=True)
class Judging:
    """A judge, ready to be asked, and what belongs to it.

    `kept` says whether any of its verdicts is worth keeping, `waits` that judging mostly waits for
    somebody else, so that it can go on beside the pipeline; `backends` are its models that can be looked
    up before they are asked.
    """

    judge: Judge
    kept: bool = True
    waits: bool = True
    backends: tuple[Any, ...] = ()
    means: Means | None = None

    async def check(self) -> list[str]:
        """Ask each endpoint for its model, at no cost; return warnings.

        Raises:
            JudgeError: A port is closed, a host unknown, or a key refused.
        """
        return [warning for backend in self.backends for warning in await backend.check()]

    async def aclose(self) -> None:
        """Release the connections."""
        if self.means is not None:
            await self.means.aclose()


def judge_named(
    config: JudgeConfig,
    model: str | None = None,
    *,
    means: Means | None = None,
    base: Path | None = None,
    concurrency: int = 8,
    budget_usd: float | None = None,
    asked: bool = True,
) -> Judging:
    """Return the judge of a name.

    Args:
        config: The configured judge.
        model: Another one; by default the configured one.
        means: What it shares with others; by default its own, of `concurrency` and `budget_usd`.
        base: The folder that files of own judges are looked for in; by default the working folder.
        concurrency: How many calls may be in flight, without `means`.
        budget_usd: What may be spent, without `means`; by default as configured.
        asked: Whether it is going to be asked: one that is only named needs no key.

    Raises:
        UnknownName: There is no judge of this name.
        BadConfig: The name is malformed; a key, or the price that a budget needs, is missing; an own
            judge cannot be loaded.
    """
    steps = steps_of(config.model if model is None else model)
    if means is None:
        means = means_of(config, concurrency=concurrency, budget_usd=budget_usd)
    maker = _Maker(config, means, base or Path.cwd(), asked=asked)
    judges = [_panel([maker.judge(name) for name in step]) for step in steps]
    judge = judges.pop()
    while judges:
        judge = Cascade(judges.pop(), judge, audit=config.audit)
    return Judging(
        judge,
        kept=any(map(worth_keeping, parts_of(judge))),
        waits=maker.waits,
        backends=tuple(maker.backends),
        means=means,
    )


def own(judge: Any, means: Means | None = None) -> Judging:
    """Return the judge that an object or a callable is."""
    from acidtest.judges.own import own_judge

    made = own_judge(judge)
    means = means or Means()
    kept = any(map(worth_keeping, parts_of(made)))
    asked = _in_turn(_within(made, means), means)
    return Judging(asked, kept=kept, waits=kept, means=means)


def cached(judge: Judge, journal: Journal, *, repeat: int, salt: str) -> Judge:
    """Return a judge each of whose parts looks into the journal first, if that is worth it.

    Args:
        judge: One, or several made into one.
        journal: Where verdicts are kept.
        repeat: Which of several draws it is asked for.
        salt: See `Cached`.
    """

    def kept(part: Judge) -> Judge:
        return Cached(part, journal, repeat=repeat, salt=salt) if worth_keeping(part) else part

    return each_part(judge, kept)


def worth_keeping(part: Judge) -> bool:
    """Say whether a verdict is worth keeping: the local judge is as quick as a look-up."""
    return not instant(part)


class _Maker:
    """Makes the parts of one judge; a name that stands twice in it is one judge."""

    def __init__(self, config: JudgeConfig, means: Means, base: Path, *, asked: bool) -> None:
        self.config = config
        self.means = means
        self.backends: list[Any] = []
        self.waits = False
        self._base = base
        self._asked = asked
        self._made: dict[str, Judge] = {}
        self._has_address = config.base_url is not None
        self._at_address = _at_address(config.model) if self._has_address else frozenset()

    def judge(self, name: str) -> Judge:
        if name not in self._made:
            self._made[name] = self._make(part_of(name, has_address=self._has_address))
        return self._made[name]

    def _make(self, part: Part) -> Judge:
        if part.kind == "local":
            return _local(self.config.coverage)
        if part.kind == "nli":
            from acidtest.judges.nli.judge import NliJudge

            inference = NliJudge(part.called)
            self.backends.append(inference)
            return inference
        self.waits = True
        if part.kind == "python":
            return _in_turn(_within(self._loaded(part.called), self.means), self.means)
        judge, backend = model_judge(
            self.config,
            part.kind,
            part.called,
            self.means,
            configured_address=part.at_address or part in self._at_address,
            asked=self._asked,
        )
        self.backends.append(backend)
        return judge

    def _loaded(self, address: str) -> Judge:
        from acidtest.judges.own import model_of, own_judge
        from acidtest.pipelines.load import load_object

        thing = load_object(address, base=self._base)
        # It is called by its address, since the module of a file is named after the file's folder
        # too: the same judge in another folder, such as that of CI, would be another one.
        return own_judge(thing, name=None if model_of(thing) else address)


def _local(coverage: float | None) -> Judge:
    from acidtest.judges.local.judge import LocalJudge

    if coverage is None:
        return LocalJudge()
    from acidtest.judges.local.levels import at_coverage

    return LocalJudge(at_coverage(coverage))


def _at_address(configured: str) -> frozenset[Part]:
    """Return the models with a provider's name that are behind the configured address.

    The address is that of models without a provider; where there are none, of the only provider that
    the configured judge names. A key goes to no other's address.
    """
    named = [part_of(name, has_address=True) for step in steps_of(configured) for name in step]
    models = [part for part in named if part.kind in PROVIDERS]
    plain = any(part.at_address for part in models)
    several = len({part.kind for part in models}) > 1
    return frozenset(() if plain or several else models)


def _panel(judges: list[Judge]) -> Judge:
    return judges[0] if len(judges) == 1 else Panel(judges)


def _in_turn(judge: Judge, means: Means) -> Judge:
    """Return a judge whose parts keep to the bound on calls in flight; the local judge calls nobody."""
    return each_part(judge, lambda part: means.in_turn(part) if worth_keeping(part) else part)


def _within(judge: Judge, means: Means) -> Judge:
    """Return a judge of one's own whose parts keep to the budget; the local judge is free."""
    if not means.budget:
        return judge
    return each_part(
        judge, lambda part: Budgeted(part, means.budget) if worth_keeping(part) else part
    )
