"""Citation validity: do the citations lead anywhere, and does what they lead to hold what is cited?

The hard part of checking citations, the one that needs no reading: an id that was never retrieved, a
quotation or a number that the cited text does not have.
"""

from acidtest.data.answers import Answer, Chunk
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.citing import Citing, Statement, read, unheld
from acidtest.metrics.declare import metric


@metric(stage="generation")
def citation_validity(answer: Answer, text: str, chunks: tuple[Chunk, ...]) -> Outcome:
    """Return valid citations / citations, in 0..1.

    A citation is a label in a sentence (`[1]`, `[id]`; the same label in two sentences is two
    citations), or an entry of the pipeline's own list. It is valid when it names a retrieved chunk and
    the chunks that its sentence cites hold every quotation and number of that sentence. An entry of
    the list names no sentence: it is valid when it names a retrieved chunk, and when that chunk, alone,
    holds the quotations and numbers of at least one sentence. An answer that cites nothing is skipped.

    Args:
        answer: For the pipeline's own list of citations.
        text: The answer's text.
        chunks: What was retrieved, in order; `[1]` is the first of it unless a chunk has the id `1`.
    """
    citing = read(answer, text, chunks)
    if not citing.labels:
        return Skip("the answer cites nothing")
    faults: list[dict[str, object]] = []
    total = 0
    used: set[str] = set()
    for statement in citing.statements if citing.inline else ():
        used.update(statement.labels)
        total += len(statement.labels)
        faults += _faults(statement, citing)
    for label in citing.labels:
        if label not in used:
            total += 1
            faults += _listed(label, citing)
    valid = total - len(faults)
    return Score(
        valid / total,
        f"{valid} of {total} citations are valid",
        evidence=tuple(faults),
        parts={"citations": total, "valid": valid},
    )


def _faults(statement: Statement, citing: Citing) -> list[dict[str, object]]:
    sources = [source for label in statement.labels for source in citing.resolve(label)]
    missing = unheld(statement, sources)
    faults: list[dict[str, object]] = []
    for label in statement.labels:
        fault: dict[str, object] = {"citation": label, "sentence": statement.text}
        if not citing.resolve(label):
            faults.append(fault | {"why": "no such chunk was retrieved"})
        elif missing:
            faults.append(fault | {"why": "the cited text does not hold it", "missing": missing})
    return faults


def _listed(label: str, citing: Citing) -> list[dict[str, object]]:
    sources = citing.resolve(label)
    if not sources:
        return [{"citation": label, "why": "no such chunk was retrieved"}]
    if citing.inline or not citing.statements:
        return []
    if any(not unheld(statement, sources) for statement in citing.statements):
        return []
    return [{"citation": label, "why": "its text holds no sentence's quotations and numbers"}]
