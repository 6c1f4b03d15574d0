"""Judges made of judges, and what is to be done to each of those that answer by themselves.

A cache, a budget or a price belongs to the judge that is really asked: a panel that was killed half-way
must not ask those of its members again that had answered, and what a model was asked alone it need not
be asked in a cascade.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from acidtest.data.outcomes import Skip
from acidtest.ports import Judge, Prompt, Reply, Verdict


class Compound(ABC):
    """A judge that asks other judges."""

    @property
    @abstractmethod
    def model(self) -> str:
        """All models."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A hash of all fingerprints."""

    @property
    @abstractmethod
    def parts(self) -> tuple[Judge, ...]:
        """The judges that it is made of, in order."""

    @abstractmethod
    def of(self, parts: Sequence[Judge]) -> Judge:
        """Return the same judge made of others, one for each of `parts`."""

    @abstractmethod
    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Answer one prompt; see `ports.Judge`."""


def each_part(judge: Judge, wrap: Callable[[Judge], Judge]) -> Judge:
    """Return a judge with `wrap` around each judge in it that answers by itself."""
    if isinstance(judge, Compound):
        return judge.of([each_part(part, wrap) for part in judge.parts])
    return wrap(judge)


def parts_of(judge: Judge) -> Iterator[Judge]:
    """Yield the judges in a judge that answer by themselves; of a plain one, itself."""
    if isinstance(judge, Compound):
        for part in judge.parts:
            yield from parts_of(part)
    else:
        yield judge
