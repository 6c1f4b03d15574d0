"""Holding a golden set against today's corpus: from what a caller names, to what is written."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from acidtest.data.corpus import Corpus
from acidtest.data.golden import GoldenSet
from acidtest.errors import UsageError
from acidtest.golden.load import load_golden
from acidtest.golden.stale import staleness
from acidtest.golden.stale_record import ORDER, Aged, Staleness
from acidtest.golden.stale_review import stale_rows
from acidtest.project.config import load_config
from acidtest.project.corpora import corpus_for, load_corpus
from acidtest.report.word_diff import differences
from acidtest.text.surrogates import without_halves_in


def stale(golden: Any, corpus: Any) -> Staleness:
    """Say which cases of a golden set are still true to its corpus.

    Args:
        golden: A golden set, or what `load_golden` reads.
        corpus: Today's corpus, or what `load_corpus` reads.

    Returns:
        `.states` by case id (still_good, renamed, moved, changed, vanished), `.unknown` with reasons, and
        `.evidence` with what stands there today.

    Raises:
        AcidtestError: An input cannot be read.
    """
    return staleness(load_golden(golden), load_corpus(corpus))


def corpus_of(option: str | None, config_path: str | None) -> Corpus:
    """Return the corpus that a command names, or the configured one.

    Raises:
        UsageError: There is neither.
    """
    config = load_config(Path(config_path) if config_path else None)
    corpus = corpus_for(option, config)
    if corpus is None:
        raise UsageError(
            "no corpus is named",
            where="--corpus",
            fix="Name a chunk file or a folder of documents, or set corpus in acidtest.toml.",
        )
    return corpus


def stale_json(found: Staleness, golden: GoldenSet, corpus: Corpus) -> bytes:
    """Return the report as JSON."""
    report: dict[str, Any] = {
        "format": "acidtest/stale",
        "version": 1,
        "golden": {"path": golden.path, "version": golden.version, "cases": len(golden)},
        "corpus": {"path": corpus.path, "chunks": len(corpus), "documents": len(corpus.by_doc)},
        **{state: _cases(found.cases(state)) for state in reversed(ORDER)},
        "unknown": {**_cases(tuple(found.unknown)), "why": dict(found.unknown)},
        "unanswerable": _cases(found.unanswerable),
        "renamed_documents": dict(found.renamed),
        "evidence": [_piece(each) for each in found.evidence],
    }
    return msgspec.json.format(msgspec.json.encode(without_halves_in(report)), indent=1)


def stale_review(found: Staleness, golden: GoldenSet) -> bytes:
    """Return the review file: a JSON line for every stale case, today's text beside the old."""
    return stale_rows(found, golden, marked)


def marked(was: str, now: str) -> str:
    """Return one text with what is gone as `[-gone-]` and what is new as `{+new+}`."""
    gone, new = differences(was, now)
    taken = sorted(
        [(at, 0, f"[-{was[start:end]}-]") for at, start, end in _among_kept(was, gone)]
        + [(at, 1, f"{{+{now[start:end]}+}}") for at, start, end in _among_kept(now, new)]
    )
    inside = [False] * len(now)
    for start, end in new:
        inside[start:end] = [True] * (end - start)
    out: list[str] = []
    kept = 0
    for letter, is_new in zip(now, inside, strict=True):
        if is_new:
            continue
        while taken and taken[0][0] <= kept and not letter.isspace():
            out.append(f"{taken.pop(0)[2]} ")
        out.append(letter)
        kept += not letter.isspace()
    rest = " ".join(text for _, _, text in taken)
    return re.sub(" {2,}", " ", f"{''.join(out)} {rest}").strip()


def _among_kept(text: str, ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield each range with the count of letters before it that are in no range."""
    kept = at = 0
    for start, end in ranges:
        kept += sum(map(len, text[at:start].split()))
        at = end
        yield kept, start, end


def _cases(ids: tuple[str, ...]) -> dict[str, Any]:
    return {"count": len(ids), "cases": list(ids)}


def _piece(each: Aged) -> dict[str, Any]:
    today = each.today
    gone, new = differences(each.text, today.text) if today is not None else ((), ())
    return {
        "case": each.case,
        "number": each.number,
        "state": each.state,
        "why": each.why,
        "doc_id": each.doc_id,
        "text": each.text,
        "today": None if today is None else msgspec.to_builtins(today),
        "gone": [list(span) for span in gone],
        "new": [list(span) for span in new],
    }
