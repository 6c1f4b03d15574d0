"""Re-mapping a golden set after the corpus was cut anew: from what a caller names, to what is written."""

import os
from typing import Any

import msgspec

from acidtest.data.corpus import Corpus
from acidtest.data.golden import GoldenSet
from acidtest.golden.load import load_golden
from acidtest.golden.remap.carry import LEAST_CONFIDENCE, carry
from acidtest.golden.remap.cover import LEAST_SHARE
from acidtest.golden.remap.decisions import read_decisions, review_rows
from acidtest.golden.remap.record import Label, Remapping, State
from acidtest.project.corpora import load_corpus
from acidtest.text.surrogates import without_halves_in

STATES: tuple[State, ...] = ("kept", "moved", "split", "doubtful", "lost")
"""The states that every report has; `dropped` is there when a person decided so."""


def remap(
    golden: Any,
    chunks: Any,
    *,
    old: Any = None,
    review: str | os.PathLike[str] | None = None,
    confidence: float = LEAST_CONFIDENCE,
    overlap: float = LEAST_SHARE,
) -> Remapping:
    """Carry the labels of a golden set over to new chunks.

    Args:
        golden: A golden set, or what `load_golden` reads.
        chunks: The new chunks: a corpus, or what `load_corpus` reads.
        old: The chunks that the labels name now, if they are still there: the texts of labels without
            evidence, and what stood around texts that occur more than once.
        review: A review file that people filled in.
        confidence: Below this confidence, from 0 to 1, a label is doubtful.
        overlap: A chunk that holds less than this share of the evidence at one of its ends, and no
            whole sentence of it, gets no label.

    Returns:
        The new set (`.golden`), what became of each label (`.labels`) and of each case (`.states`).

    Raises:
        AcidtestError: An input cannot be read, or a decision does not fit the set or the chunks.
    """
    return carry(
        load_golden(golden),
        load_corpus(chunks),
        old=load_corpus(old) if old is not None else None,
        decisions=read_decisions(os.fspath(review)) if review is not None else None,
        least_confidence=confidence,
        least_share=overlap,
    )


def remap_json(found: Remapping, before: GoldenSet, corpus: Corpus, out: str | None) -> bytes:
    """Return the report of a re-mapping as JSON."""
    dropped: tuple[State, ...] = ("dropped",) if found.cases("dropped") else ()
    report: dict[str, Any] = {
        "format": "acidtest/remap",
        "version": 1,
        "golden": {"path": before.path, "version": before.version, "cases": len(before)},
        "chunks": {
            "path": corpus.path,
            "chunks": len(corpus),
            "documents": len(corpus.by_doc),
        },
        "out": {"path": out, "version": found.golden.version},
        **{state: _cases(found.cases(state)) for state in (*STATES, *dropped)},
        "edited": _cases(found.edited),
        "merged": _cases(found.merged),
        "unlabelled": _cases(found.unlabelled),
        "renamed": dict(found.renamed),
        "labels": [_label(each) for each in found.labels],
    }
    return msgspec.json.format(msgspec.json.encode(without_halves_in(report)), indent=1)


def remap_review(found: Remapping) -> bytes:
    """Return the review file: a JSON line for every doubtful and lost label."""
    return review_rows(found.labels, {case.id: case.question for case in found.golden})


def _cases(ids: tuple[str, ...]) -> dict[str, Any]:
    return {"count": len(ids), "cases": list(ids)}


def _label(each: Label) -> dict[str, Any]:
    return {
        "case": each.case,
        "label": each.label,
        "kind": each.kind,
        "grade": each.grade,
        "state": each.state,
        "to": list(each.to),
        "confidence": None if each.confidence is None else round(each.confidence, 4),
        "how": each.how,
        "alternatives": list(each.alternatives),
        "why": each.why,
    }
