"""Labels that name what the corpus does not have: they can never be found."""

from collections.abc import Iterator, Mapping

from acidtest.data.golden import Case
from acidtest.golden.lint.rule import Hit, Rule, Subject

_SHOWN = 3


def _check(subject: Subject) -> Iterator[Hit]:
    corpus = subject.corpus
    if corpus is None:
        return
    documents = {**corpus.by_doc, **corpus.documents}
    missing = {case.id: _missing(case, corpus.by_id, documents) for case in subject.golden}
    labels = sum(
        len(case.relevant or {}) + len(case.relevant_docs or {}) for case in subject.golden
    )
    lost = sum(map(len, missing.values()))
    if lost == labels > 1:
        yield Hit(
            message=f"none of the {labels:,} labels is in the corpus ({len(corpus):,} chunks)",
            cases=tuple(name for name, ids in missing.items() if ids),
            fix="Was it cut anew? acidtest golden remap carries the labels over. Else name the right corpus.",
        )
        return
    for name, ids in missing.items():
        if ids:
            more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
            told = ", ".join(ids[:_SHOWN]) + more
            yield Hit(message=f"the corpus has no {told}", cases=(name,))


def _missing(
    case: Case, chunks: Mapping[str, object], documents: Mapping[str, object]
) -> tuple[str, ...]:
    return (
        *(name for name in case.relevant or {} if name not in chunks),
        *(name for name in case.relevant_docs or {} if name not in documents),
    )


RULE = Rule(
    name="unknown-id",
    severity="error",
    about="a label that names a chunk or document that the corpus lacks",
    fix="Carry the labels over with acidtest golden remap, or label it anew.",
    check=_check,
    needs="corpus",
)
