"""Which stage broke in a case: one verdict of a closed list, with what it rests on in words.

Stages are read in the order in which they run, and the first that broke is blamed: an answer cannot
be held to what retrieval never gave it. Labels say whether the needed chunks were retrieved and where
they stand, texts say so where ids changed, and the claims' rulings and the reference say what the
answer made of it. What is not known is said: a case is `ok` only when nothing speaks against it and
something speaks for it.

Every retrieved chunk is taken to have reached the generator. A relevant chunk *ranks too low* when
the first of them stands beyond rank 5, or when so many irrelevant ones stand before it: long contexts
are read worst in the middle (Liu et al., "Lost in the Middle", TACL 2024).
"""

from collections.abc import Collection

import msgspec

from acidtest.comparison import verdicts as v
from acidtest.comparison.contexts import Contexts, read_contexts
from acidtest.comparison.reading import Reading, read_answer
from acidtest.comparison.versions import stale_among
from acidtest.data.runs import CaseResult, Diagnosis, Run
from acidtest.data.terms import Stage

RANK_CUT = 5
"""The first relevant chunk beyond this rank ranks too low."""

ENOUGH = 0.5
"""From this share of the needed pieces contexts may do, as long as the answer is not wrong."""

NOT_KNOWN = "not known to be right"
"""Stands in the reason of an `ok` that rests on good contexts and a faithful answer alone."""

NAMED = 3
"""So many chunks are named in a reason before it says how many more there are."""


def with_diagnoses(run: Run, *, corpus: Collection[str] | None = None) -> Run:
    """Return the run with a diagnosis on every case.

    Args:
        run: The run.
        corpus: All chunk and document ids of the corpus, where they are known: they alone can tell
            *not in corpus* from *not retrieved*.
    """
    cases = tuple(
        msgspec.structs.replace(case, diagnosis=diagnose_case(case, corpus=corpus))
        for case in run.cases
    )
    return msgspec.structs.replace(run, cases=cases)


def diagnose_case(case: CaseResult, *, corpus: Collection[str] | None = None) -> Diagnosis:
    """Return the verdict on one case.

    Args:
        case: The case with its scores.
        corpus: See `with_diagnoses`.
    """
    if case.failure is not None:
        return _say(v.PIPELINE_FAILED, case.failure.why)
    answer = read_answer(case)
    if not case.answerable:
        return _must_abstain(answer)
    contexts = read_contexts(case)
    return _retrieval(case, contexts, answer, corpus) or _generation(case, contexts, answer)


def _retrieval(
    case: CaseResult, contexts: Contexts, answer: Reading, corpus: Collection[str] | None
) -> Diagnosis | None:
    """Blame retrieval, or the reranker; None when the contexts were good enough or are not known."""
    if contexts.share == 0.0:
        return _nothing_found(case, contexts, answer, corpus)
    if not contexts.whole and _blames_missing(contexts, answer):
        return _partly_found(contexts, answer)
    if not answer.declined.value and answer.right.value is not True and _too_low(contexts):
        return _say(v.RANKED_TOO_LOW, _where(contexts), _outcome(answer))
    return None


def _generation(case: CaseResult, contexts: Contexts, answer: Reading) -> Diagnosis:
    """Say what became of contexts that were good, or of which nothing is known."""
    if answer.declined.value:
        known = _where(contexts) or "whether the contexts held the answer is not known"
        return _say(v.ABSTAINED, answer.declined.why, known)
    if not answer.answered:
        return _retrieval_only(contexts)
    if answer.faithful.value is False:
        return _unfaithful(contexts, answer)
    if answer.right.value:
        return _say(v.OK, _where(contexts), answer.right.why, answer.faithful.why)
    return _not_right(case, contexts, answer)


def _must_abstain(answer: Reading) -> Diagnosis:
    if answer.declined.value is None:
        missing = (
            answer.declined.why or "whether it declined is not known: score abstention_accuracy"
        )
        return _say(v.UNKNOWN, "no answer in this mode" if not answer.answered else missing)
    if answer.declined.value:
        return _say(v.OK, "declined, as it must")
    return _say(v.NOT_ABSTAINED, "nothing in the corpus answers this", answer.declined.why)


def _nothing_found(
    case: CaseResult, contexts: Contexts, answer: Reading, corpus: Collection[str] | None
) -> Diagnosis:
    where = _where(contexts)
    if corpus is not None and contexts.missing and not set(contexts.missing) & set(corpus):
        return _say(v.NOT_IN_CORPUS, f"the corpus lacks {_names(contexts.missing)}")
    if answer.right.value:
        if answer.faithful.value:
            why = "yet the contexts support the answer: labels may be missing"
            return _say(v.OK, where, answer.right.why, answer.faithful.why, why)
        return _say(v.WITHOUT_CONTEXT, where, answer.right.why, stage="retrieval")
    if contexts.demoted:
        return _lost(contexts, answer)
    if answer.right.value is False and answer.faithful.value and not answer.declined.value:
        stale = stale_among(case, answer.support or None)
        named = f"stale or wrong version: {_names(stale)}" if stale else ""
        return _say(v.WRONG_CONTEXT, where, _outcome(answer), named)
    declined = "it declined, rightly for what it was given" if answer.declined.value else ""
    return _say(v.NOT_RETRIEVED, where, declined or _outcome(answer))


def _blames_missing(contexts: Contexts, answer: Reading) -> bool:
    if not answer.declined.value and answer.right.value is not None:
        return not answer.right.value and not answer.contradicted
    return _little(contexts)


def _little(contexts: Contexts) -> bool:
    return contexts.reach is not None and contexts.reach < ENOUGH


def _partly_found(contexts: Contexts, answer: Reading) -> Diagnosis:
    if contexts.demoted:
        return _lost(contexts, answer)
    return _say(v.NOT_RETRIEVED, _where(contexts), _outcome(answer))


def _lost(contexts: Contexts, answer: Reading) -> Diagnosis:
    at = ", ".join(str(rank) for rank in list(contexts.demoted.values())[:NAMED])
    lost = f"before reranking at {at}"
    return _say(v.LOST_IN_RERANKING, _where(contexts), lost, _outcome(answer))


def _too_low(contexts: Contexts) -> bool:
    return contexts.first is not None and contexts.first > RANK_CUT


def _retrieval_only(contexts: Contexts) -> Diagnosis:
    if contexts.share is None:
        return _say(
            v.UNKNOWN, "no answer in this mode, and no label or evidence to hold it against"
        )
    return _say(v.OK, _where(contexts), "no answer in this mode")


def _unfaithful(contexts: Contexts, answer: Reading) -> Diagnosis:
    if answer.right.value and not answer.supported:
        return _say(v.WITHOUT_CONTEXT, _where(contexts), answer.right.why, answer.faithful.why)
    outcome = _outcome(answer, right_only=True)
    return _say(v.UNFAITHFUL, _where(contexts), answer.faithful.why, outcome)


def _not_right(case: CaseResult, contexts: Contexts, answer: Reading) -> Diagnosis:
    """Judge an answer that is wrong or not known to be right, and not known to be unfaithful."""
    where = _where(contexts)
    if answer.on_topic.value is False:
        return _say(v.OFF_TOPIC, where, answer.on_topic.why, answer.right.why)
    if answer.right.value is False:
        return _wrong(case, contexts, answer)
    leans = _leans_elsewhere(contexts, answer)
    good = contexts.share is not None or answer.on_topic.value
    if answer.faithful.value and good and not leans:
        return _say(v.OK, where, answer.faithful.why, f"{NOT_KNOWN}: {answer.right.why}")
    known = where or "no label or evidence for the contexts"
    return _say(v.UNKNOWN, known, answer.faithful.why, leans, answer.right.why)


def _leans_elsewhere(contexts: Contexts, answer: Reading) -> str:
    """Say on what the supported claims rest, where that is none of the relevant chunks."""
    if not answer.support or not contexts.ranks or answer.support & set(contexts.ranks):
        return ""
    ranks = ", ".join(map(str, sorted(answer.support)))
    return f"its claims rest on rank {ranks}, not on the relevant"


def _wrong(case: CaseResult, contexts: Contexts, answer: Reading) -> Diagnosis:
    where = _where(contexts)
    if answer.faithful.value is None:
        # The contexts are good and the answer is wrong: the stage is known, its fault is not.
        stage: Stage | None = "generation" if contexts.share is not None else None
        return _say(v.UNKNOWN, where, answer.right.why, answer.faithful.why, stage=stage)
    leans = _leans_elsewhere(contexts, answer)
    stale = stale_among(case, answer.support or None) if leans or contexts.share is None else ()
    if leans or stale:
        named = f"stale or wrong version: {_names(stale)}" if stale else ""
        return _say(v.WRONG_CONTEXT, where, leans, named, answer.right.why)
    if contexts.share is None:
        return _say(v.UNKNOWN, "no label or evidence for the contexts", _outcome(answer))
    return _say(v.WRONG, where, answer.faithful.why, answer.right.why)


def _where(contexts: Contexts) -> str:
    """Say in words where the needed pieces stand."""
    if contexts.share is None:
        return ""
    if contexts.basis == "nothing was retrieved" or contexts.count == 0:
        return "nothing was retrieved"
    if not contexts.found and not contexts.missing:
        told = contexts.basis.replace("_", " ")
        return f"the contexts hold {contexts.share:.0%} of what is needed ({told})"
    text = ""
    if contexts.found:
        ranks = ", ".join(map(str, contexts.ranks[:RANK_CUT]))
        text = f"{_names(contexts.found)} at rank {ranks} of {contexts.count}"
        text += " (by its text, not its id)" if contexts.by_text else ""
    if contexts.missing:
        lacks = f"{_names(contexts.missing)} not among the {contexts.count} retrieved"
        text = f"{text}; {lacks}" if text else lacks
    return text


def _outcome(answer: Reading, *, right_only: bool = False) -> str:
    """Say what came of it, as far as it is known."""
    parts = [] if right_only or answer.faithful.value is None else [answer.faithful.why]
    if answer.right.value is not None:
        parts.append(answer.right.why)
    return "; ".join(parts)


def _names(names: Collection[str]) -> str:
    shown = list(names)[:NAMED]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _say(verdict: str, *why: str, stage: Stage | None = None) -> Diagnosis:
    return Diagnosis(
        verdict=verdict, stage=stage or v.STAGES[verdict], why="; ".join(filter(None, why))
    )
