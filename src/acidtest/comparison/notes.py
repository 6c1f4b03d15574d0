"""What stands out over a whole run, in words: what no single line of the scorecard shows."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median

from acidtest.comparison import verdicts as v
from acidtest.comparison.advice import UNHAPPY
from acidtest.comparison.contexts import read_contexts
from acidtest.comparison.diagnose import NOT_KNOWN
from acidtest.comparison.reading import read_answer
from acidtest.comparison.scores import base_name
from acidtest.data.runs import CaseResult, Diagnosis, Run

DECLINES_EVERYTHING = "It declines nearly everything"

MANY_CHUNKS = 6
"""Over-retrieval: at least so many chunks a question, ..."""

TIMES_NEEDED = 4.0
"""... and at least so many times as many as there are relevant ones."""

DECLINES_ALL = 0.9
"""From this share of answerable questions declined, a system declines everything."""

DECLINES_MANY = 0.1
"""From this share it declines needlessly often enough to be told."""

ANSWER_METRICS = frozenset(
    {
        *("faithfulness", "faithfulness_binary", "faithfulness_score"),
        *("correctness", "factual_correctness", "exact_match", "token_f1"),
    }
)
"""Without any of these nothing is known of an answer but whether it declines."""

HIGH_RECALL = 0.9
LOW_CORRECTNESS = 0.7
FEW_CASES = 30
OPEN = 0.5
"""Above this share of undecided claims the judge's blindness is told."""

FAULT_SHARE = 0.1
"""From this share of decided cases a fault of the faithful x correct table is told."""


def notes_on(
    run: Run, table: Mapping[str, Sequence[str]], diagnoses: Sequence[Diagnosis]
) -> tuple[str, ...]:
    """Return the findings on a whole run, the gravest first.

    Args:
        run: The run.
        table: The faithful x correct table.
        diagnoses: One a case, in order.
    """
    return (
        *_failures(run),
        *_declining(run.cases),
        *_unknown(run, diagnoses),
        *_unproven(diagnoses),
        *_faults(table, diagnoses),
        *_beside_reference(run),
        *_over_retrieval(run.cases),
        *_mended(run.cases),
        *_judge(run),
        *_repeats(run),
        *_size(run),
    )


def _failures(run: Run) -> Iterator[str]:
    failed = sum(case.failure is not None for case in run.cases)
    if failed:
        yield f"The pipeline failed on {failed} of {_cases(len(run.cases))}; they are not in the means."
    if run.metrics and all(summary.scored == 0 for summary in run.metrics.values()):
        yield "Nothing was scored: this run says nothing, neither good nor bad."


def _declining(cases: Sequence[CaseResult]) -> Iterator[str]:
    told = [(case.answerable, read_answer(case).declined.value) for case in cases]
    answerable = [declined for could, declined in told if could and declined is not None]
    hopeless = [declined for could, declined in told if not could and declined is not None]
    share = sum(answerable) / len(answerable) if answerable else 0.0
    of = f"{sum(answerable)} of {len(answerable)} answerable questions"
    if share >= DECLINES_ALL:
        yield (
            f"{DECLINES_EVERYTHING} ({of}): its faithfulness and its score on unanswerable "
            "questions are worth nothing."
        )
    elif share >= DECLINES_MANY:
        yield f"It declines needlessly: {of}."
    if hopeless and not any(hopeless):
        yield f"It never declines: all {len(hopeless)} unanswerable questions were answered."
    elif not hopeless and cases and all(case.answerable for case in cases):
        yield "No unanswerable question in the set: fabrication where nothing answers is not tested."


def _unknown(run: Run, diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    unknown = sum(diagnosis.verdict == v.UNKNOWN for diagnosis in diagnoses)
    names = {base_name(metric) for metric in run.metrics}
    if unknown and not names & ANSWER_METRICS and run.info.mode != "retrieval-only":
        yield (
            f"{_cases(unknown)} without a verdict: nothing scores their answers. Add faithfulness "
            "and correctness, or exact_match and token_f1, which cost nothing."
        )


def _unproven(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    fine = [diagnosis for diagnosis in diagnoses if diagnosis.verdict == v.OK]
    open_ = sum(NOT_KNOWN in diagnosis.why for diagnosis in fine)
    if open_:
        yield (
            f"{open_} of {len(fine)} ok cases are faithful to good contexts but {NOT_KNOWN}: nothing "
            "decided their correctness."
        )


def _faults(table: Mapping[str, Sequence[str]], diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    decided = sum(map(len, table.values()))
    wrong = len(table.get("faithful, wrong", ()))
    ignoring = len(table.get("unfaithful, correct", ()))
    stale = sum(
        d.verdict == v.WRONG_CONTEXT and "stale or wrong version" in d.why for d in diagnoses
    )
    if stale:
        yield (
            f"Stale or wrong versions of a document led {_cases(stale)} astray. "
            f"{'; '.join(UNHAPPY.mends).capitalize()}."
        )
    elif decided and wrong >= FAULT_SHARE * decided:
        yield (
            f"Faithful and wrong: {wrong} of {_cases(decided)}. {UNHAPPY.look} "
            f"Look for: {'; '.join(UNHAPPY.mends)}."
        )
    if decided and ignoring >= FAULT_SHARE * decided:
        yield (
            f"Correct without their context: {ignoring} of {_cases(decided)}. The model knew, the "
            "sources did not say so; it will not hold for what the model does not know."
        )


def _beside_reference(run: Run) -> Iterator[str]:
    recalls = _means(run, "recall")
    for name in ("correctness", "factual_correctness"):
        for metric, mean in _means(run, name):
            high = [f"{r} {x:.2f}" for r, x in recalls if x >= HIGH_RECALL]
            if high and mean < LOW_CORRECTNESS:
                yield (
                    f"{high[0]} but {metric} {mean:.2f}: the right chunks are there and the answer "
                    "is not. Read answer beside reference: prompt, order of chunks, model."
                )
                return


def _over_retrieval(cases: Sequence[CaseResult]) -> Iterator[str]:
    # Ids are enough here wherever there are labels: this is about how many, not which.
    read = [
        read_contexts(case, texts=case.relevant is None)
        for case in cases
        if case.retrieved and case.answerable
    ]
    known = [c for c in read if c.basis in ("labels", "evidence")]
    if not known:
        return
    got = fmean(c.count for c in known)
    needed = fmean(len(c.found) + len(c.missing) for c in known)
    if got < MANY_CHUNKS or got < TIMES_NEEDED * needed:
        return
    text = f"Over-retrieval: {got:.0f} chunks a question where {needed:.1f} are relevant."
    last = sorted(c.ranks[-1] for c in known if c.ranks)
    if last:
        cut = last[min(len(last) - 1, int(0.9 * len(last)))]
        if cut < median(c.count for c in known):
            text += (
                f" In nine of ten cases with a hit the last relevant one stands within rank {cut}."
            )
    yield text + " Rerank and send fewer."


def _mended(cases: Sequence[CaseResult]) -> Iterator[str]:
    noted = [case for case in cases if case.notes]
    if noted:
        yield f"Mended in what the pipeline gave, in {_cases(len(noted))}: {noted[0].notes[0]}"


def _judge(run: Run) -> Iterator[str]:
    for metric, share in run.undecided.items():
        if share > OPEN:
            yield (
                f"The judge leaves {share:.0%} of what {metric} asks undecided: the mean rests on the "
                "rest. A stronger judge decides more."
            )


def _repeats(run: Run) -> Iterator[str]:
    repeated = {name: s for name, s in run.metrics.items() if s.repeat_sd is not None}
    moved = {name: s for name, s in repeated.items() if s.wavering}
    if repeated and not moved:
        yield "Asked again, the judge gave every case the same score each time."
    for name, s in moved.items():
        yield (
            f"Asked again, the judge does not always repeat itself on {name}: {s.wavering:.0%} of the "
            f"cases moved, the standard deviation within a case is {s.repeat_sd:.2g}."
        )


def _size(run: Run) -> Iterator[str]:
    if 0 < len(run.cases) < FEW_CASES:
        yield f"Only {_cases(len(run.cases))}: under {FEW_CASES} the intervals say more than the means."


def _means(run: Run, name: str) -> list[tuple[str, float]]:
    return [
        (metric, summary.mean)
        for metric, summary in run.metrics.items()
        if base_name(metric) == name and summary.mean is not None
    ]


def _cases(n: int) -> str:
    return f"{n} case" if n == 1 else f"{n} cases"
