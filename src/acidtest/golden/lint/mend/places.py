"""Evidence that names a chunk which is not relevant, while one of the relevant chunks holds its text."""

from msgspec.structs import replace

from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, Evidence

_LEAST = 12  # characters of an evidence text that is told from another by what it says


def rightful(case: Case, evidence: Evidence, corpus: Corpus | None) -> str | None:
    """Return the relevant chunk that holds a piece of evidence whose own chunk is not relevant.

    None where its chunk is relevant, where it names none, and where not exactly one relevant chunk holds the
    text to the letter.
    """
    labels = case.relevant or {}
    if corpus is None or not labels or evidence.chunk_id is None or labels.get(evidence.chunk_id):
        return None
    text = evidence.text.strip()
    holding = [
        name
        for name, grade in labels.items()
        if grade >= 1 and name in corpus.by_id and text in corpus.by_id[name].text
    ]
    return holding[0] if len(text) >= _LEAST and len(holding) == 1 else None


def replaced(case: Case, corpus: Corpus | None) -> tuple[Case, list[str]]:
    """Return a case whose evidence names the chunk that holds it, and what was done."""
    done: list[str] = []
    pieces = []
    for each in case.evidence:
        chunk_id = rightful(case, each, corpus)
        if chunk_id is None or corpus is None:
            pieces.append(each)
            continue
        chunk = corpus.by_id[chunk_id]
        known = chunk.doc_id if chunk.doc_id is not None else each.doc_id
        same = known == each.doc_id
        pieces.append(
            replace(
                each,
                chunk_id=chunk_id,
                doc_id=known,
                doc_version=each.doc_version if same else chunk.doc_version,
                start=each.start if same else None,
                end=each.end if same else None,
            )
        )
        done.append(f"its evidence is of {chunk_id}, not of {each.chunk_id}")
    return (replace(case, evidence=tuple(pieces)) if done else case), done
