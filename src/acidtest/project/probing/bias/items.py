"""What a bias probe changes: answered questions, of a run or built in."""

import random

from msgspec import Struct
from msgspec.structs import replace

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.runs import CaseResult, Run
from acidtest.project.probing.bias.topics import TOPICS, Topic
from acidtest.text.sentences import sentences


class Item(Struct, frozen=True, kw_only=True):
    """One question with its answer and contexts."""

    case: Case
    answer: Answer

    @property
    def text(self) -> str:
        """The answer's text."""
        return self.answer.text or ""

    @property
    def unit(self) -> str:
        """What is drawn as one in statistics: items of one question or conversation belong together."""
        return self.case.group or self.case.id

    @property
    def contexts(self) -> tuple[Chunk, ...]:
        """What was retrieved."""
        return self.answer.retrieved or ()

    @property
    def sentences(self) -> int:
        """How many sentences the answer has."""
        return len(sentences(self.text))

    def saying(self, text: str) -> "Item":
        """Return the item with another text as its answer."""
        return replace(self, answer=replace(self.answer, text=text))

    def reading(self, contexts: tuple[Chunk, ...]) -> "Item":
        """Return the item with its contexts in another order."""
        return replace(self, answer=replace(self.answer, retrieved=contexts))


def built_in(n: int) -> list[Item]:
    """Return the first n items of the built-in topics: each has a right answer and a wrong one."""
    every = [
        _of_topic(k, topic, right=right)
        for k, topic in enumerate(TOPICS)
        for right in (True, False)
    ]
    return every[:n]


def of_run(run: Run, n: int, seed: int) -> list[Item]:
    """Return n items of a run, drawn at random; cases without an answer's text are not among them."""
    fit = [case for case in run.cases if case.failure is None and (case.answer or "").strip()]
    chosen = fit if len(fit) <= n else random.Random(seed).sample(fit, n)
    return [_of_case(case) for case in chosen]


def _of_case(case: CaseResult) -> Item:
    return Item(
        case=Case(
            id=case.id,
            question=case.question,
            reference=case.reference,
            evidence=case.evidence,
            answerable=case.answerable,
            tags=case.tags,
            group=case.group,
        ),
        answer=Answer(
            case_id=case.id,
            text=case.answer,
            retrieved=case.retrieved,
            citations=case.citations,
            abstained=case.abstained,
            usage=case.usage,
        ),
    )


def _of_topic(k: int, topic: Topic, *, right: bool) -> Item:
    name = f"{topic.name}-{'right' if right else 'wrong'}"
    # The passage that answers stands between two that do not.
    others = (TOPICS[(k + 1) % len(TOPICS)], topic, TOPICS[(k + 2) % len(TOPICS)])
    return Item(
        case=Case(id=name, question=topic.question, reference=topic.reference, group=topic.name),
        answer=Answer(
            case_id=name,
            text=topic.right if right else topic.wrong,
            retrieved=tuple(
                Chunk(id=each.name, rank=n, text=each.evidence)
                for n, each in enumerate(others, start=1)
            ),
        ),
    )
