"""Evidence and labels that disagree: of a chunk that is not relevant, or of a document that it is not in."""

from collections.abc import Iterator

from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case
from acidtest.golden.lint.mend.places import rightful
from acidtest.golden.lint.rule import Hit, Rule, Subject


def _check(subject: Subject) -> Iterator[Hit]:
    for case in subject.golden:
        labels = case.relevant or {}
        unlabelled = [
            each.chunk_id
            for each in case.evidence
            if labels and each.chunk_id is not None and not labels.get(each.chunk_id)
        ]
        if unlabelled:
            told = f"has evidence of {unlabelled[0]}, which is not among its relevant chunks"
            mended = any(rightful(case, each, subject.corpus) for each in case.evidence)
            yield Hit(message=told, cases=(case.id,), fixable=mended)
        elif subject.corpus is not None:
            yield from _documents(case, subject.corpus)


def _documents(case: Case, corpus: Corpus) -> Iterator[Hit]:
    for each in case.evidence:
        chunk = corpus.by_id.get(each.chunk_id) if each.chunk_id is not None else None
        named = chunk.doc_id if chunk is not None else None
        if named is not None and each.doc_id is not None and named != each.doc_id:
            told = f"has evidence of {each.doc_id}, and its chunk {each.chunk_id} is of {named}"
            yield Hit(message=told, cases=(case.id,))
            return


RULE = Rule(
    name="evidence-label",
    severity="error",
    about="evidence of a chunk that is not relevant, or of another document than its chunk",
    fix="Label that chunk, or give the evidence the id of the chunk that holds it.",
    check=_check,
)
