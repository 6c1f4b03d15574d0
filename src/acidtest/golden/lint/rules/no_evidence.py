"""Labels without the text that they stand for: the next re-chunking takes them away."""

from collections.abc import Iterator

from acidtest.golden.lint.mend.fill import bare_labels
from acidtest.golden.lint.rule import Hit, Rule, Subject


def _check(subject: Subject) -> Iterator[Hit]:
    chunks = subject.corpus.by_id if subject.corpus is not None else {}
    for case in subject.golden:
        bare = bare_labels(case)
        if bare:
            some = f"{len(bare)} of its chunks have" if len(bare) > 1 else f"{bare[0]} has"
            known = any(name in chunks for name in bare)
            told = (
                "has labels and no evidence text"
                if not case.evidence
                else f"{some} no evidence text"
            )
            yield Hit(message=told, cases=(case.id,), fixable=known)
        elif case.answerable and case.relevant is None and case.relevant_docs and not case.evidence:
            yield Hit(message="has document labels and no evidence text", cases=(case.id,))


RULE = Rule(
    name="no-evidence",
    severity="warning",
    about="a label without the text of its chunk",
    fix="Keep the text in evidence; with --corpus, --fix fills it in from the labelled chunks.",
    check=_check,
)
