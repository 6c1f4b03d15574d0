"""Two runs side by side: what changed in which metric, by tag and by stage, and what to know beside it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from acidtest.comparison.apart import unpaired_changes
from acidtest.comparison.change import changes_in, changes_of, corrected, shared_measures
from acidtest.comparison.diagnose import diagnose_case
from acidtest.comparison.pair import caveats, check_cases, check_once, check_runs, shared_cases
from acidtest.comparison.paired import Measure, Paired, Pairs, read_pairs
from acidtest.comparison.quantity import OPERATIONS, Quantity
from acidtest.comparison.stage_evidence import stage_evidence
from acidtest.comparison.stage_words import tell_stages
from acidtest.comparison.uneven import uneven
from acidtest.comparison.verdicts import STAGES
from acidtest.data.compared import Change, Comparison
from acidtest.data.runs import CaseResult, Run

TAG_CASES = 2
"""A tag with fewer shared cases has no interval, and is left out."""

TAG_RESAMPLES = 1_000


def compare(base: Run, candidate: Run, *, unpaired: bool = False) -> Comparison:
    """Compare two runs case by case.

    Args:
        base: The baseline.
        candidate: What is held against it.
        unpaired: Compare the means of runs whose cases are not the same, which shows far less: no case
            is held against itself, and no stage can be told.

    Returns:
        Per metric the change with its interval and p-values; by tag; by stage; verdicts; and in words
        which stage changed. Metrics of quality are corrected together, and operations together.

    Raises:
        Incomparable: The runs share no case and `unpaired` is false, or have a case twice.
        UsageError: What was given is no run.
    """
    return compare_each(base, [candidate], unpaired=unpaired)[0]


def compare_each(
    base: Run, candidates: Sequence[Run], *, unpaired: bool = False
) -> tuple[Comparison, ...]:
    """Compare several runs with one baseline; p-values are corrected over all metrics of all of them.

    Raises:
        Incomparable: See `compare`.
    """
    check_runs(base, *candidates)
    measures = [_measures(base, candidate) for candidate in candidates]
    if unpaired:
        for run in (base, *candidates):
            check_cases(run)
            check_once(run)
        found = [
            unpaired_changes(some, base, candidate)
            for some, candidate in zip(measures, candidates, strict=True)
        ]
        return tuple(
            _apart(base, candidate, some)
            for candidate, some in zip(candidates, _corrected(found), strict=True)
        )
    paired = [shared_cases(base, candidate) for candidate in candidates]
    tables = [read_pairs(some, pairs) for some, pairs in zip(measures, paired, strict=True)]
    found = [changes_in(table, some) for some, table in zip(measures, tables, strict=True)]
    return tuple(
        _together(base, candidate, pairs, (some, table), changed)
        for candidate, pairs, some, table, changed in zip(
            candidates, paired, measures, tables, _corrected(found), strict=True
        )
    )


def _measures(base: Run, candidate: Run) -> list[Measure]:
    return [
        *shared_measures(base, candidate),
        *(Measure(name, "operations", "lower", Quantity(name).read) for name in OPERATIONS),
    ]


def _corrected(found: Sequence[Sequence[Change]]) -> list[dict[str, Change]]:
    """Correct over all comparisons: quality in one family, operations in another."""
    whole: list[dict[str, Change]] = [{} for _ in found]
    places = [(n, change) for n, some in enumerate(found) for change in some]
    for operations in (False, True):
        family = [(n, c) for n, c in places if (c.stage == "operations") == operations]
        done = corrected([change for _, change in family])
        for (n, _), change in zip(family, done, strict=True):
            whole[n][change.metric] = change
    return whole


def _together(
    base: Run,
    candidate: Run,
    pairs: Pairs,
    measured: tuple[Sequence[Measure], Paired],
    metrics: dict[str, Change],
) -> Comparison:
    quality = {name: c for name, c in metrics.items() if c.stage != "operations"}
    evidence = stage_evidence(pairs, *measured, quality)
    measures = [m for m in measured[0] if m.name in quality]
    return Comparison(
        base=base.info,
        candidate=candidate.info,
        cases=len(pairs),
        metrics=metrics,
        tags=_tags(pairs, measures),
        stages=dict(evidence.splits),
        verdicts=_verdicts([old for old, _ in pairs], [new for _, new in pairs]),
        words=tell_stages(evidence).words,
        notes=(
            *caveats(base, candidate),
            *_apart_cases(base, candidate, metrics),
            *uneven(pairs, _failing(base, candidate, quality)),
        ),
    )


def _apart_cases(base: Run, candidate: Run, compared: Iterable[str]) -> list[str]:
    """Tell of metrics that both runs have values of, in no case both."""
    lost = [
        name
        for name, summary in base.metrics.items()
        if name in candidate.metrics
        and name not in compared
        and summary.mean is not None
        and candidate.metrics[name].mean is not None
    ]
    return [f"Scored in both runs, but in no case by both: {', '.join(lost)}."] if lost else []


def _failing(base: Run, candidate: Run, metrics: Iterable[str]) -> list[str]:
    return [name for name in metrics if base.metrics[name].failed or candidate.metrics[name].failed]


def _apart(base: Run, candidate: Run, metrics: dict[str, Change]) -> Comparison:
    return Comparison(
        base=base.info,
        candidate=candidate.info,
        cases=0,
        metrics=metrics,
        verdicts=_verdicts(base.cases, candidate.cases),
        words=("The runs are not paired: which stage changed cannot be told.",),
        notes=(_unpaired_note(base, candidate),),
    )


def _unpaired_note(base: Run, candidate: Run) -> str:
    return (
        f"Not paired: {len(base.cases)} cases against {len(candidate.cases)}, each side resampled by "
        "itself. Differences between the cases count as noise, and other cases may be harder."
    )


def _tags(pairs: Pairs, measures: Sequence[Measure]) -> dict[str, dict[str, Change]]:
    tagged: dict[str, list[tuple[CaseResult, CaseResult]]] = {}
    for old, new in pairs:
        for tag in dict.fromkeys(new.tags):
            tagged.setdefault(tag, []).append((old, new))
    found = {}
    for tag, some in sorted(tagged.items()):
        if len(some) >= TAG_CASES:
            made = changes_of(measures, some, resamples=TAG_RESAMPLES)
            found[tag] = {change.metric: change for change in made}
    return found


def _verdicts(
    base: Sequence[CaseResult], candidate: Sequence[CaseResult]
) -> dict[str, tuple[int, int]]:
    before, after = (
        Counter((case.diagnosis or diagnose_case(case)).verdict for case in cases)
        for cases in (base, candidate)
    )
    known = [*STAGES, *(verdict for verdict in (*before, *after) if verdict not in STAGES)]
    return {
        verdict: (before[verdict], after[verdict])
        for verdict in dict.fromkeys(known)
        if before[verdict] or after[verdict]
    }
