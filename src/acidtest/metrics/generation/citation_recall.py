"""Citation recall: the share of the answer's statements that their citations bear out.

After ALCE (Gao et al. 2023); see `citation_precision` for what replaces its entailment model.
"""

from acidtest.data.answers import Answer, Chunk
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.citing import bears, read, unheld
from acidtest.metrics.declare import metric
from acidtest.metrics.declining import declining


@metric(stage="generation")
def citation_recall(answer: Answer, text: str, chunks: tuple[Chunk, ...]) -> Outcome:
    """Return statements that their cited chunks bear / statements, in 0..1.

    A statement is a sentence that is no question, no heading (it ends in a colon), no scrap of fewer
    than three words (unless there is nothing longer) and no refusal. One that cites nothing, or only what was not retrieved, is not
    borne. Where the text has no markers, the pipeline's own list stands for every sentence. An answer
    that declines, or states nothing, is skipped.

    Args:
        answer: For the pipeline's own list of citations.
        text: The answer's text.
        chunks: What was retrieved, in order.
    """
    seen = declining(answer)
    if not text.strip() or (seen is not None and seen.declined):
        return Skip("the answer declines: there is no statement to cite for")
    citing = read(answer, text, chunks)
    stated = [statement for statement in citing.statements if statement.states]
    if not stated:
        return Skip("the answer states nothing")
    faults: list[dict[str, object]] = []
    for statement in stated:
        sources = [source for label in statement.labels for source in citing.resolve(label)]
        if bears(statement, sources):
            continue
        if not statement.labels:
            why = "cites nothing"
        elif not sources:
            why = "cites only what was not retrieved"
        elif missing := unheld(statement, sources):
            why = f"the cited text lacks {', '.join(map(repr, missing))}"
        else:
            why = "the cited text has less than half of its words"
        faults.append({"sentence": statement.text, "cites": list(statement.labels), "why": why})
    total = len(stated)
    borne = total - len(faults)
    return Score(
        borne / total,
        f"{borne} of {total} statements are borne out by their citations"
        if citing.labels
        else f"none of {total} statements cites anything",
        evidence=tuple(faults),
        parts={"statements": total, "borne": borne},
    )
