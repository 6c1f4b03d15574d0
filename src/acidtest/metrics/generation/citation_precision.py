"""Citation precision: the share of the citations that are right and needed.

After ALCE (Gao et al. 2023, "Enabling Large Language Models to Generate Text with Citations"), with its
entailment model replaced by what can be checked without one: see `metrics.citing.bears`. That test is
lenient on meaning (a source with the right words, numbers and quotations passes even if it says the
opposite) and strict on language (a source in another language than the answer fails). Judged support is
`faithfulness`.
"""

from acidtest.data import Answer, Chunk, Outcome, Score, Skip
from acidtest.metrics.citing import Citing, Statement, bears, read
from acidtest.metrics.declare import metric


@metric(stage="generation")
def citation_precision(answer: Answer, text: str, chunks: tuple[Chunk, ...]) -> Outcome:
    """Return right citations / citations, in 0..1.

    A citation in a sentence is right when it names a retrieved chunk, the sentence's cited chunks
    together bear the sentence, and this one is needed: alone it bears the sentence, or the others
    without it do not. An entry of the pipeline's own list (where the text has no markers) is right when
    that holds for at least one sentence. An answer that cites nothing is skipped (ALCE counts it 0).

    Args:
        answer: For the pipeline's own list of citations.
        text: The answer's text.
        chunks: What was retrieved, in order.
    """
    citing = read(answer, text, chunks)
    if not citing.labels:
        return Skip("the answer cites nothing")
    if citing.inline:
        judged = [
            (label, statement.text, _right(label, statement, citing))
            for statement in citing.statements
            for label in statement.labels
        ]
    else:
        judged = [
            (label, "", any(_right(label, statement, citing) for statement in citing.statements))
            for label in citing.labels
        ]
    right = sum(ok for _, _, ok in judged)
    return Score(
        right / len(judged),
        f"{right} of {len(judged)} citations are right and needed",
        evidence=tuple(
            {"citation": label, "sentence": sentence, "why": _why(label, citing)}
            for label, sentence, ok in judged
            if not ok
        ),
        parts={"citations": len(judged), "right": right},
    )


def _right(label: str, statement: Statement, citing: Citing) -> bool:
    own = citing.resolve(label)
    others = [s for other in statement.labels if other != label for s in citing.resolve(other)]
    if not own or not bears(statement, [*own, *others]):
        return False
    return bears(statement, own) or not bears(statement, others)


def _why(label: str, citing: Citing) -> str:
    if not citing.resolve(label):
        return "no such chunk was retrieved"
    return "the cited text does not bear the sentence, or is not needed for it"
