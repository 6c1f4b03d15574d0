"""Which cases a crossing asks, and from which contexts: those of the other run."""

from collections.abc import Mapping, Sequence

from acidtest.comparison.crossing import same_contexts
from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult, Run
from acidtest.errors import UsageError

Contexts = Mapping[str, tuple[Chunk, ...]]


def swapped(
    base: Run,
    candidate: Run,
    pairs: Sequence[tuple[CaseResult, CaseResult]],
    metrics: Sequence[str],
    warnings: list[str],
) -> tuple[Contexts, Contexts]:
    """Return what the baseline's generator is given, and what the candidate's, by the id of each case asked.

    Cases with the same contexts in both runs are not asked, and no case that no metric scored in both.

    Args:
        base: The baseline.
        candidate: The candidate.
        pairs: The cases that both have.
        metrics: What is scored.
        warnings: Gets a sentence where a run does not tell what it retrieved.

    Raises:
        UsageError: None of the cases that got other contexts can be asked, since a run does not tell the texts.
    """
    silent: dict[str, int] = {}
    for_base: dict[str, tuple[Chunk, ...]] = {}
    for_candidate: dict[str, tuple[Chunk, ...]] = {}
    for old, new in pairs:
        if same_contexts(old, new) or not _scored(old, new, metrics):
            continue
        mute = [run.name for run, case in ((base, old), (candidate, new)) if not _readable(case)]
        if mute:
            silent[mute[0]] = silent.get(mute[0], 0) + 1
            continue
        for_base[old.id] = new.retrieved or ()
        for_candidate[old.id] = old.retrieved or ()
    for name, count in silent.items():
        why = f"run {name!r} does not tell the text of what was retrieved in {_cases(count)}"
        if not for_base:
            raise UsageError(
                why,
                where="--cross",
                fix="Let the pipeline return its chunks with their text, and evaluate it again.",
            )
        warnings.append(f"Not crossed: {why}.")
    return for_base, for_candidate


def _scored(old: CaseResult, new: CaseResult, metrics: Sequence[str]) -> bool:
    return any(
        isinstance(old.scores.get(name), Score) and isinstance(new.scores.get(name), Score)
        for name in metrics
    )


def _readable(case: CaseResult) -> bool:
    return case.retrieved is not None and all(chunk.text is not None for chunk in case.retrieved)


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"
