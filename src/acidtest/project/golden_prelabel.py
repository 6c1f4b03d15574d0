"""What a judge says of chunks before a person does."""

import asyncio
from collections.abc import Sequence

from acidtest.data.golden import Case
from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError, UsageError
from acidtest.golden.labelling.judgement import Prelabel
from acidtest.golden.labelling.pool import Item
from acidtest.judges.local.rules import THRESHOLDS
from acidtest.judges.local.usefulness import nearest, rule
from acidtest.metrics.asking import ask
from acidtest.metrics.contexts.context_relevance import CONTEXT_RELEVANCE, GRADES
from acidtest.ports import Judge

USEFUL_GRADE = 2
"""The grade of a chunk that holds a sentence of the reference: that much can be told from wording."""


def local_prelabel(case: Case, text: str) -> Prelabel:
    """Return what wording alone says of a chunk.

    With a reference: grade 2 where a sentence of it stands in the chunk, 0 where next to nothing of it does,
    else left open. Without one only the question's words can be looked for: that gives an order of reading,
    and no grade.
    """
    reference = (case.reference or "").strip()
    found = nearest(text, reference, case.question)
    if not reference or not case.answerable:
        share = f"{found.share:.0%} of the question's words stand together in it"
        return Prelabel(by="local", score=found.share, why=share)
    verdict, why = rule(found, THRESHOLDS)
    grade = {"useful": USEFUL_GRADE, "useless": 0}.get(verdict)
    return Prelabel(by="local", grade=grade, score=found.share, why=why)


async def prelabels(
    judge: Judge | None, case: Case, items: Sequence[Item]
) -> list[Prelabel | JudgeError]:
    """Return what a judge says of each chunk, each asked about alone.

    Args:
        judge: Who grades, as for `context_relevance`; None for wording alone.
        case: The case.
        items: The chunks.

    Returns:
        One for each chunk; what went wrong where no usable reply could be had.

    Raises:
        UsageError: The judge gives no such grades.
        BudgetSpent: There is no more to spend.
    """
    if judge is None:
        return [local_prelabel(case, item.text) for item in items]
    return list(await asyncio.gather(*(_graded(judge, case, item) for item in items)))


async def _graded(judge: Judge, case: Case, item: Item) -> Prelabel | JudgeError:
    fields = {"passages": [item.text], "question": case.question}
    try:
        reply = await ask(judge, CONTEXT_RELEVANCE, fields)
    except JudgeError as error:
        return error
    if isinstance(reply, Skip):
        raise UsageError(
            f"the judge {judge.model} gives no grades: {reply.why}",
            where="--prelabel",
            fix="Name a language model, or local.",
        )
    said = reply.passages[0]
    return Prelabel(by=judge.model, grade=GRADES.get(said.verdict), why=said.why)
