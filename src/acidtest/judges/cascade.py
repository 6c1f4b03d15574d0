"""A cascade: the cheap judge decides the clear cases, the strong one the rest.

A case is clear when the first judge leaves nothing open: no verdict of its reply is the prompt's
abstaining word. Anything else - it abstains, it cannot judge such a prompt, it fails - goes to the
second judge whole. Two numbers tell whether that is worth it: how many prompts the second was spared,
and, on a share that is drawn by content and asked of both, how often the two agree.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.codec.json import content_hash
from acidtest.data import Skip
from acidtest.errors import JudgeError
from acidtest.judges.spending import spent_on
from acidtest.judges.words import words
from acidtest.ports import Judge, Prompt, Reply, Spent, Verdict


class CascadeUse(Struct, frozen=True, kw_only=True):
    """What a cascade did.

    Attributes:
        asked: Prompts.
        spared: Prompts that the second judge was not asked.
        audited: Prompts that the first decided and the second was asked all the same.
        agreed: Audited prompts on which both gave the same verdicts, or, where replies are of
            different length, the same share of each.
    """

    asked: int = 0
    spared: int = 0
    audited: int = 0
    agreed: int = 0

    @property
    def saving(self) -> float | None:
        """The share of prompts that the second judge was spared; None before the first prompt."""
        return self.spared / self.asked if self.asked else None

    @property
    def agreement(self) -> float | None:
        """The share of audited prompts on which both agree; None when none was audited."""
        return self.agreed / self.audited if self.audited else None


class Cascade:
    """A judge that asks a second one when the first is unsure.

    Args:
        first: The cheap judge.
        second: The strong judge.
        audit: The share of the first's decisions, 0..1, that the second is asked too; its verdict
            counts then. Which ones is a matter of their content, so repeats draw the same.
    """

    def __init__(self, first: Judge, second: Judge, *, audit: float = 0.0) -> None:
        self._first, self._second, self._audit = first, second, audit
        self._use = CascadeUse()

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
        """What was done so far."""
        return self._use

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the first judge, and the second where the first decides nothing or not all.

        Raises:
            JudgeError: The second judge was needed and gave no verdict.
        """
        self._count(asked=1)
        cheap, spent = await self._cheap(prompt, fields)
        clear = cheap is not None and prompt.abstain not in words(cheap.reply)
        if clear and cheap is not None and not self._audited(prompt, fields):
            self._count(spared=1)
            return cheap
        try:
            strong = await self._second.ask(prompt, **fields)
        except JudgeError as error:
            error.spent = spent + (error.spent or Spent())
            raise
        if isinstance(strong, Skip):
            return strong if cheap is None else cheap
        if clear and cheap is not None:
            self._count(audited=1, agreed=int(_same(cheap.reply, strong.reply)))
        return _with(strong, spent)

    async def _cheap(
        self, prompt: Prompt[Reply], fields: Mapping[str, Any]
    ) -> tuple[Verdict[Reply] | None, Spent]:
        try:
            verdict = await self._first.ask(prompt, **fields)
        except JudgeError as error:
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

    def _count(self, **more: int) -> None:
        counted = {name: getattr(self._use, name) + n for name, n in more.items()}
        self._use = msgspec.structs.replace(self._use, **counted)


def _with(verdict: Verdict[Reply], more: Spent) -> Verdict[Reply]:
    return msgspec.structs.replace(verdict, **msgspec.structs.asdict(spent_on(verdict) + more))


def _same(one: Struct, other: Struct) -> bool:
    mine, theirs = words(one), words(other)
    if len(mine) == len(theirs):
        return mine == theirs
    return _shares(mine) == _shares(theirs)


def _shares(said: tuple[str, ...]) -> dict[str, float]:
    return {word: said.count(word) / len(said) for word in said}
