"""What a golden set holds, in numbers: labels, tags, lengths, languages, and what its labels can show."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from acidtest.codec.lossy import encoded
from acidtest.data.corpus import Corpus
from acidtest.data.golden import Case, GoldenSet
from acidtest.text.language import guess
from acidtest.text.question_kind import KINDS, question_kinds
from acidtest.text.scripts import scripts
from acidtest.text.words import words

FORMAT = "acidtest/golden-stats"
CUTOFFS = (1, 3, 5, 10)
UNNAMED = "(none)"
"""Stands for cases that name no split or no source."""


class Spread(Struct, frozen=True):
    """How a count is spread over cases; `p90` is the value that nine in ten do not exceed."""

    least: int
    median: float
    mean: float
    p90: int
    most: int


class AgainstCorpus(Struct, frozen=True, kw_only=True):
    """The labels held against today's corpus: what they reach of it, and which of them it lacks."""

    chunks: int
    documents: int
    chunks_labelled: int
    documents_labelled: int
    labels: int
    labels_missing: int
    cases_with_missing: tuple[str, ...] = ()


class GoldenStats(Struct, frozen=True, kw_only=True):
    """The figures of a golden set.

    `labelled_*` count cases by the labels that metrics use, `unlabelled` those that could have labels and
    have none. `relevant` is over the answerable labelled cases: how many chunks (or documents) are
    relevant, and `relevant_counts` how many cases have each number. `ceilings` are the most that
    `precision@k` can reach with these labels: the mean of min(relevant, k) / k. Kinds and languages are
    guessed from the words of the question; one question can be of several kinds.
    """

    version: str
    cases: int
    answerable: int
    unanswerable: int
    with_reference: int
    labelled_by_chunk: int
    labelled_by_document: int
    unlabelled: int
    graded: int
    grades: dict[int, int]
    with_evidence: int
    evidence: int
    evidence_with_version: int
    with_history: int
    groups: int
    largest_group: int
    recorded: int
    tags: dict[str, int]
    untagged: int
    splits: dict[str, int]
    sources: dict[str, int]
    kinds: dict[str, int]
    languages: dict[str, int]
    scripts: dict[str, int]
    question_words: Spread
    relevant: Spread | None
    relevant_counts: dict[int, int]
    ceilings: dict[str, float]
    corpus: AgainstCorpus | None = None


def golden_stats(golden: GoldenSet, corpus: Corpus | None = None) -> GoldenStats:
    """Count what a golden set holds.

    Args:
        golden: The set.
        corpus: Today's chunks; with them the labels are held against it.
    """
    labelled = [case for case in golden if case.answerable and case.labels]
    relevant = [_relevant(case) for case in labelled]
    grades = Counter(grade for case in golden for grade in (case.labels or {}).values())
    groups = Counter(case.group for case in golden if case.group is not None)
    evidence = [piece for case in golden for piece in case.evidence]
    return GoldenStats(
        version=golden.version,
        cases=len(golden),
        answerable=_number(case.answerable for case in golden),
        unanswerable=_number(not case.answerable for case in golden),
        with_reference=_number(case.reference is not None for case in golden),
        labelled_by_chunk=_number(case.relevant is not None for case in labelled),
        labelled_by_document=_number(case.relevant is None for case in labelled),
        unlabelled=_number(case.answerable and not case.labels for case in golden),
        graded=_number(any(g != 1 for g in (case.labels or {}).values()) for case in golden),
        grades=dict(sorted(grades.items())),
        with_evidence=_number(bool(case.evidence) for case in golden),
        evidence=len(evidence),
        evidence_with_version=_number(piece.doc_version is not None for piece in evidence),
        with_history=_number(bool(case.history) for case in golden),
        groups=len(groups),
        largest_group=max(groups.values(), default=0),
        recorded=len(golden.recorded),
        tags=_ranked(Counter(tag for case in golden for tag in set(case.tags))),
        untagged=_number(not case.tags for case in golden),
        splits=_ranked(Counter(case.split or UNNAMED for case in golden)),
        sources=_ranked(Counter(case.source or UNNAMED for case in golden)),
        kinds=_kinds(golden),
        languages=_ranked(Counter(guess(case.question) for case in golden)),
        scripts=_ranked(Counter(s for case in golden for s in scripts(case.question))),
        question_words=_spread([len(words(case.question)) for case in golden]),
        relevant=_spread(relevant) if relevant else None,
        relevant_counts=dict(sorted(Counter(relevant).items())),
        ceilings={f"precision@{k}": _ceiling(relevant, k) for k in CUTOFFS if relevant},
        corpus=None if corpus is None else _against(golden, corpus),
    )


def stats_json(stats: GoldenStats) -> bytes:
    """Return the figures as JSON (`"format": "acidtest/golden-stats"`)."""
    document = {"format": FORMAT, "version": 1, "golden_version": stats.version}
    figures = msgspec.to_builtins(stats, str_keys=True)
    return msgspec.json.format(
        encoded(document | {k: v for k, v in figures.items() if k != "version"}),
        indent=1,
    )


def _number(flags: Iterable[bool]) -> int:
    return sum(1 for flag in flags if flag)


def _ranked(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _relevant(case: Case) -> int:
    return sum(1 for grade in (case.labels or {}).values() if grade >= 1)


def _kinds(golden: GoldenSet) -> dict[str, int]:
    found = Counter(
        kind
        for case in golden
        for kind in question_kinds(case.question, follows=bool(case.history))
    )
    return {kind: found[kind] for kind in KINDS}


def _spread(values: Sequence[int]) -> Spread:
    ordered = sorted(values)
    n = len(ordered)
    middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    at = -(-9 * n // 10) - 1  # the smallest value that nine in ten do not exceed
    return Spread(ordered[0], middle, sum(ordered) / n, ordered[at], ordered[-1])


def _ceiling(relevant: Sequence[int], k: int) -> float:
    return sum(min(count, k) for count in relevant) / (k * len(relevant))


def _against(golden: GoldenSet, corpus: Corpus) -> AgainstCorpus:
    chunks: set[str] = set()
    documents: set[str] = set()
    missing: dict[str, int] = {}
    labels = 0
    for case in golden:
        known = corpus.by_id if case.relevant is not None else corpus.by_doc
        for name in case.labels or {}:
            labels += 1
            if name not in known:
                missing[case.id] = missing.get(case.id, 0) + 1
            elif case.relevant is None:
                documents.add(name)
            else:
                chunks.add(name)
                if (doc := corpus.by_id[name].doc_id) is not None:
                    documents.add(doc)
    return AgainstCorpus(
        chunks=len(corpus),
        documents=len(corpus.by_doc),
        chunks_labelled=len(chunks),
        documents_labelled=len(documents),
        labels=labels,
        labels_missing=sum(missing.values()),
        cases_with_missing=tuple(missing),
    )
