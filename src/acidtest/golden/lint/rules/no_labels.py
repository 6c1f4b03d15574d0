"""Answerable cases that say nothing of where their answer stands."""

from collections.abc import Iterator

from acidtest.golden.lint.rule import Hit, Rule, Subject


def _check(subject: Subject) -> Iterator[Hit]:
    for case in subject.golden:
        if not case.answerable:
            continue
        if case.labels is None and not case.evidence:
            yield Hit(message="has neither labels nor evidence", cases=(case.id,))
        elif case.labels and not any(case.labels.values()):
            yield Hit(message="has labels, and all of them have grade 0", cases=(case.id,))


RULE = Rule(
    name="no-labels",
    severity="note",
    about="an answerable case without labels and evidence: retrieval is not measured on it",
    fix="Label the relevant chunks: acidtest golden label; or say answerable: false if there are none.",
    check=_check,
)
