"""A cascade: the cheap judge decides the clear cases, the strong one the rest.

A case is clear when the first judge leaves nothing open: no verdict of its reply is the prompt's
abstaining word. Anything else - it abstains, it cannot judge such a prompt, it fails - goes to the
second judge whole, except for what ends a run: an endpoint that is gone must not send every case to the
dear judge. Two numbers tell whether a cascade is worth it: how many prompts the second was spared, and,
on a share that is drawn by content and asked of both, how often the two agree.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.codec.json import content_hash
from acidtest.data.outcomes import Skip
from acidtest.data.use import CascadeUse
from acidtest.errors import BadConfig, JudgeError
from acidtest.judges.compound import Compound
from acidtest.judges.spending import spent_on
from acidtest.judges.words import words
from acidtest.ports import Judge, Prompt, Reply, Spent, Verdict

Told = Callable[[CascadeUse], None]
"""Hears what a cascade does, one prompt at a time."""


class Cascade(Compound):
    """A judge that asks a second one when the first is unsure.

    Args:
        first: The cheap judge.
        second: The strong judge; it may be a cascade itself.
        audit: The share of the first's decisions, 0..1, that the second is asked too; its verdict
            counts then. Which ones is a matter of their content, so repeats draw the same.
        told: Who hears what it does, besides `use`.

    Raises:
        BadConfig: The share is no share.
    """

    def __init__(
        self, first: Judge, second: Judge, *, audit: float = 0.0, told: Sequence[Told] = ()
    ) -> None:
        if not 0 <= audit <= 1:
            raise BadConfig(f"audit is {audit}", fix="Give a share from 0 to 1.")
        self._first, self._second, self._audit = first, second, audit
        self._use = CascadeUse()
        self._told = tuple(told)

    @property
    def model(self) -> str:
        """Both models."""
        return f"{self._first.model} > {self._second.model}"

    @property
    def fingerprint(self) -> str:
        """A hash of both fingerprints and of the share that is audited."""
        both = [self._first.fingerprint, self._second.fingerprint]
        return content_hash({"cascade": both, "audit": self._audit})

    @property
    def first(self) -> Judge:
        """Who is asked first."""
        return self._first

    @property
    def second(self) -> Judge:
        """Who is asked when the first is unsure."""
        return self._second

    @property
    def audit(self) -> float:
        """The share of the first's decisions that the second is asked too."""
        return self._audit

    @property
    def use(self) -> CascadeUse:
        """What was done so far, by cascades that were made `of` this one too."""
        return self._use

    @property
    def parts(self) -> tuple[Judge, ...]:
        """The first judge and the second."""
        return self._first, self._second

    def of(self, parts: Sequence[Judge]) -> "Cascade":
        """Return a cascade of others; this one hears what it does."""
        first, second = parts
        return Cascade(first, second, audit=self._audit, told=(self._count,))

    def telling(self, told: Told) -> "Cascade":
        """Return the same cascade, which tells somebody else too.

        Of a cascade in second place `told` hears what it spares and audits; it is asked nothing that
        this one was not asked.
        """

        def later(use: CascadeUse) -> None:
            told(msgspec.structs.replace(use, asked=0))

        second = telling(self._second, later)
        return Cascade(self._first, second, audit=self._audit, told=(self._count, told))

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the first judge, and the second where the first decides nothing or not all.

        Raises:
            JudgeError: The second judge was needed and gave no verdict, or what the first met ends
                the run.
        """
        self._count(CascadeUse(asked=1))
        cheap, spent = await self._cheap(prompt, fields)
        clear = cheap is not None and prompt.abstain not in words(cheap.reply)
        if clear and cheap is not None and not self._audited(prompt, fields):
            self._count(CascadeUse(spared=1))
            return cheap
        try:
            strong = await self._second.ask(prompt, **fields)
        except JudgeError as error:
            error.spent = spent + (error.spent or Spent())
            raise
        if isinstance(strong, Skip):
            return strong if cheap is None else cheap
        if clear and cheap is not None:
            self._count(CascadeUse(audited=1, agreed=int(_same(cheap.reply, strong.reply))))
        return _with(strong, spent)

    async def _cheap(
        self, prompt: Prompt[Reply], fields: Mapping[str, Any]
    ) -> tuple[Verdict[Reply] | None, Spent]:
        try:
            verdict = await self._first.ask(prompt, **fields)
        except JudgeError as error:
            if error.ends_run:
                raise
            return None, error.spent or Spent()
        if isinstance(verdict, Skip):
            return None, Spent()
        if prompt.check and prompt.check(verdict.reply, fields) is not None:
            return None, spent_on(verdict)
        return verdict, spent_on(verdict)

    def _audited(self, prompt: Prompt[Any], fields: Mapping[str, Any]) -> bool:
        if self._audit <= 0:
            return False
        asked = repr((prompt.name, prompt.version, sorted(fields.items())))  # texts may be anything
        return int.from_bytes(hashlib.sha256(asked.encode()).digest()[:8]) < self._audit * 2**64

    def _count(self, more: CascadeUse) -> None:
        self._use += more
        for told in self._told:
            told(more)


def telling(judge: Judge, told: Told) -> Judge:
    """Return a judge whose cascades tell what they do; one without cascades as it is."""
    if isinstance(judge, Cascade):
        return judge.telling(told)
    if isinstance(judge, Compound):
        return judge.of([telling(part, told) for part in judge.parts])
    return judge


def _with(verdict: Verdict[Reply], more: Spent) -> Verdict[Reply]:
    # Nobody was asked only if the first judge was not asked either.
    cached = verdict.cached and not more.attempts
    spent = spent_on(verdict) + more
    return msgspec.structs.replace(verdict, cached=cached, **msgspec.structs.asdict(spent))


def _same(one: Struct, other: Struct) -> bool:
    mine, theirs = words(one), words(other)
    if len(mine) == len(theirs):
        return mine == theirs
    return _shares(mine) == _shares(theirs)


def _shares(said: tuple[str, ...]) -> dict[str, float]:
    return {word: said.count(word) / len(said) for word in said}
