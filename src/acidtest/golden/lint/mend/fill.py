"""Evidence for labels that have none: the text of the labelled chunk as it stands in the corpus today."""

from msgspec.structs import replace

from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, Evidence


def bare_labels(case: Case) -> tuple[str, ...]:
    """Return the relevant chunks of a case whose text no evidence holds.

    Where a piece of evidence does not say which chunk it is from, all labels count as held.
    """
    if not case.answerable or any(each.chunk_id is None for each in case.evidence):
        return ()
    held = {each.chunk_id for each in case.evidence}
    return tuple(
        name for name, grade in (case.relevant or {}).items() if grade >= 1 and name not in held
    )


def filled_in(case: Case, corpus: Corpus | None) -> tuple[Case, list[str]]:
    """Return a case with evidence for each of its labels that the corpus knows, and what was done."""
    if corpus is None:
        return case, []
    known = [corpus.by_id[name] for name in bare_labels(case) if name in corpus.by_id]
    more = tuple(
        Evidence(
            text=chunk.text, chunk_id=chunk.id, doc_id=chunk.doc_id, doc_version=chunk.doc_version
        )
        for chunk in known
    )
    done = [f"it has the text of {chunk.id} as evidence" for chunk in known]
    return (replace(case, evidence=case.evidence + more) if more else case), done
