"""Citation precision: the share of the citations that are right and needed.

After ALCE (Gao et al. 2023, "Enabling Large Language Models to Generate Text with Citations"), with its
entailment model replaced by what can be checked without one: see `metrics.citing.bears`. That test is
lenient on meaning (a source with the right words, numbers and quotations passes even if it says the
opposite) and strict on language (a source in another language than the answer fails). Judged support is
`faithfulness`.
"""

from collections.abc import Iterable

from acidtest.data.answers import Answer, Chunk
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.citing import Citing, Source, Statement, bears, read
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
    borne = {id(s) for s in citing.statements if bears(s, _sources(s.labels, citing))}
    if citing.inline:
        judged = [
            (label, s.text, id(s) in borne and _needed(label, s, citing))
            for s in citing.statements
            for label in s.labels
        ]
    else:
        candidates = [s for s in citing.statements if id(s) in borne]
        judged = [
            (label, "", any(_needed(label, s, citing) for s in candidates))
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


def _needed(label: str, statement: Statement, citing: Citing) -> bool:
    """Say whether a label of a statement that is borne bears it alone, or is missed without it."""
    own = citing.resolve(label)
    if not own:
        return False
    others = _sources([other for other in statement.labels if other != label], citing)
    return bears(statement, own) or not bears(statement, others)


def _sources(labels: Iterable[str], citing: Citing) -> list[Source]:
    return [source for label in labels for source in citing.resolve(label)]


def _why(label: str, citing: Citing) -> str:
    if not citing.resolve(label):
        return "no such chunk was retrieved"
    return "the cited text does not bear the sentence, or is not needed for it"
