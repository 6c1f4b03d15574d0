"""What every form of report shows of a run: the same groups, orders and words everywhere."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean

from acidtest.data.outcomes import Failure, Score, Skip
from acidtest.data.readings import Finding, Scorecard
from acidtest.data.runs import CaseResult, Run, RunInfo, Summary
from acidtest.data.terms import Stage
from acidtest.data.use import JudgeUse
from acidtest.report.figures import count, milliseconds, money, score, share

STAGES: tuple[tuple[Stage, str], ...] = (
    ("retrieval", "Retrieval"),
    ("generation", "Generation"),
    ("end_to_end", "End to end"),
    ("operations", "Operations"),
)
STAGE_TITLES = dict(STAGES)

GOOD = "ok"
UNKNOWN = "unknown"

FAULTS = {
    "faithful, wrong": "faithful answers to a wrong context",
    "unfaithful, correct": "correct answers without their context",
}
"""The two fields of the faithful x correct table that a mean of either metric hides."""


def by_stage(run: Run) -> Iterator[tuple[str, list[tuple[str, Summary]]]]:
    """Yield each stage that has metrics, with its title, in the order in which stages run."""
    for stage, title in STAGES:
        rows = [(name, summary) for name, summary in run.metrics.items() if summary.stage == stage]
        if rows:
            yield title, rows


def unscored(run: Run) -> list[str]:
    """Say of the metrics that apply to no case why they do not, each commonest reason once."""
    reasons: dict[tuple[str, int], list[str]] = {}
    for name, summary in run.metrics.items():
        if summary.scored or summary.failed:
            continue
        outcomes = (case.scores.get(name) for case in run.cases)
        whys = Counter(outcome.why for outcome in outcomes if isinstance(outcome, Skip))
        if whys:
            reasons.setdefault(whys.most_common(1)[0], []).append(name)
    told = []
    for (why, n), names in reasons.items():
        most = "" if n == len(run.cases) else f" ({n} of them)"
        apply = "applies" if len(names) == 1 else "apply"
        told.append(
            f"{', '.join(names)} {apply} to none of {count(len(run.cases), 'case')}: {why}{most}"
        )
    return told


def finding_of(card: Scorecard, metric: str) -> Finding | None:
    """Return the line of the diagnostic tree for a metric."""
    return next((finding for finding in card.findings if finding.metric == metric), None)


def first_failing(card: Scorecard) -> Finding | None:
    """Return the first line that is below its target: where to begin."""
    return next((finding for finding in card.findings if finding.status == "below"), None)


def headline(run: Run, card: Scorecard) -> str:
    """Say in one sentence which stage breaks first, or that none is seen to break."""
    first = first_failing(card)
    if first is not None:
        summary = run.metrics.get(first.metric)
        stage = STAGE_TITLES[summary.stage] if summary else first.metric
        return f"{stage} breaks first: {against(first)}."
    blamed = _blamed(run)
    if run.cases and not any(summary.scored for summary in run.metrics.values()):
        return "Nothing was scored: this run says nothing."
    met = [finding for finding in card.findings if finding.status == "met"]
    failed = sum(case.failure is not None for case in run.cases)
    if failed * 10 > len(run.cases):
        return f"The pipeline failed on {failed} of {count(len(run.cases), 'case')}."
    if card.grave:
        return card.grave
    text = "Every target that can be read is met" if met else "No target was held against this run"
    if blamed:
        return f"{text}; {blamed}."
    return f"{text}."


def _blamed(run: Run) -> str:
    """Say which stage most of the cases that broke are to be blamed on; "" if none broke."""
    stages = Counter(
        case.diagnosis.stage for case in run.cases if case.diagnosis and case.diagnosis.stage
    )
    if not stages:
        return ""
    stage, n = stages.most_common(1)[0]
    left = stages.total()
    title = STAGE_TITLES[stage].lower()
    if n == left:
        return f"{title} is to blame for what is left ({count(n, 'case')})"
    most = "most of what is left, " if 2 * n > left else ""
    return f"{title} is to blame for {most}{n} of {count(left, 'case')}"


def against(finding: Finding) -> str:
    """Say how a line stands to its target: `recall@5 is 0.81, below its target 0.90`."""
    value, target, name = score(finding.value, 2), score(finding.target, 2), finding.metric
    if finding.status == "missing":
        return f"{name} has no value (target {target})"
    if finding.status == "below":
        above = finding.value is not None and finding.value > finding.target
        return f"{name} is {value}, {'above' if above else 'below'} its target {target}"
    return f"{name} is {value} (target {target}{' met' if finding.status == 'met' else ''})"


def facts(info: RunInfo) -> list[tuple[str, str]]:
    """Return what a run was made of and with, as label and text."""
    golden = f"{info.golden.path or 'golden set'} · {count(info.golden.cases, 'case')}"
    rows = [
        ("Run", info.id),
        ("Created", when(info.created)),
        ("Pipeline", f"{info.pipeline.name} · {short(info.pipeline.fingerprint)}"),
        ("Mode", info.mode),
        ("Golden set", f"{golden} · {short(info.golden.version)}"),
        (
            "Judge",
            f"{info.judge.model} · {short(info.judge.fingerprint)}" if info.judge else "none",
        ),
    ]
    if info.commit is not None:
        dirty = ", uncommitted changes" if info.commit.dirty else ""
        branch = f" on {info.commit.branch}" if info.commit.branch else ""
        rows.append(("Commit", f"{info.commit.sha[:10]}{branch}{dirty}"))
    if info.status != "finished":
        rows.append(("Status", info.status))
    return rows


def when(created: str) -> str:
    """Return a time as people read it: `2026-11-29 21:54 UTC`."""
    minute = created[:16].replace("T", " ")
    return f"{minute} UTC" if created.endswith("Z") else minute


def short(fingerprint: str) -> str:
    """Return the first digits of a tagged hash."""
    return fingerprint.rpartition(":")[2][:10]


def coverage(run: Run) -> str:
    """Say how many outcomes that apply were scored."""
    scored = sum(summary.scored for summary in run.metrics.values())
    applicable = scored + sum(summary.failed for summary in run.metrics.values())
    if not applicable:
        return "nothing applicable"
    return f"{share(scored / applicable)} of {count(applicable, 'applicable score')}"


def operations(run: Run) -> list[tuple[str, str]]:
    """Return latency, tokens, money and the judge's use, as label and text."""
    ops = run.operations
    rows = [
        (f"Latency, {part}", f"p50 {milliseconds(p.p50)}, p95 {milliseconds(p.p95)}")
        for part, p in ops.latency_ms.items()
    ]
    if ops.tokens is not None:
        rows.append(("Tokens", f"{ops.tokens.input:,} in, {ops.tokens.output:,} out"))
    if ops.cost_usd is not None:
        rows.append(("Pipeline cost", money(ops.cost_usd)))
    if ops.judge is not None:
        use = ops.judge
        text = f"{count(use.calls, 'call')}, {use.cached:,} from the cache"
        text += f", {count(use.tokens, 'token')}" if use.tokens else ""
        text += f", {money(use.cost_usd)}" if use.cost_usd is not None or use.tokens else ""
        if use.calls or use.cached or use.embedding is None:
            rows.append(("Judge", text))
        rows += _several(use)
    return rows


def _several(use: JudgeUse) -> list[tuple[str, str]]:
    """Return what a cascade and a panel did and what embedding took, as label and text."""
    rows = []
    if use.cascade is not None and use.cascade.saving is not None:
        did = use.cascade
        text = f"{share(did.saving)} of {count(did.asked, 'prompt')} spared the last judge"
        if did.agreement is not None:
            text += f"; audited {did.audited:,}, agreed on {share(did.agreement)}"
        rows.append(("Cascade", text))
    panel = {name: each for name, each in (use.panel or {}).items() if each.voted}
    if panel:
        voted = sum(each.voted for each in panel.values())
        alike = sum(each.unanimous for each in panel.values())
        least, its = min(panel.items(), key=lambda one: one[1].unanimous / one[1].voted)
        text = f"of one mind on {share(alike / voted)} of {count(voted, 'verdict')}"
        if len(panel) > 1 and alike < voted:
            text += f", least on {least} ({share(its.unanimous / its.voted)} of {its.voted:,})"
        rows.append(("Panel", text))
    if use.embedding is not None:
        took = use.embedding
        rows.append(("Embedding", f"{count(took.tokens, 'token')}, {money(took.cost_usd)}"))
    return rows


def tag_counts(run: Run) -> dict[str, int]:
    """Return how many cases each tag has, in the order of the run's tag table."""
    counts = Counter(tag for case in run.cases for tag in case.tags)
    return {tag: counts[tag] for tag in run.tags}


def tag_metrics(run: Run, card: Scorecard) -> list[str]:
    """Return the metrics that the tag table has, those with targets first."""
    named = [finding.metric for finding in card.findings if finding.metric in run.metrics]
    ordered = named + [name for name in run.metrics if name not in named]
    return [name for name in ordered if any(name in means for means in run.tags.values())]


def worst_first(run: Run) -> list[CaseResult]:
    """Return the cases, the worst first: broken before unknown before ok, then by mean score."""
    return sorted(run.cases, key=lambda case: (_rank(case), _mean(run, case)))


def broken(run: Run) -> list[CaseResult]:
    """Return the cases in which something is known to have broken, the worst first."""
    return [case for case in worst_first(run) if not _rank(case)]


def _rank(case: CaseResult) -> int:
    diagnosis = case.diagnosis
    if diagnosis is None or (diagnosis.verdict == UNKNOWN and diagnosis.stage is None):
        return 1
    return 2 if diagnosis.verdict == GOOD else 0


def _mean(run: Run, case: CaseResult) -> float:
    values = [
        outcome.value if run.metrics[name].direction == "higher" else 1 - outcome.value
        for name, outcome in case.scores.items()
        if isinstance(outcome, Score) and name in run.metrics
    ]
    return fmean(values) if values else 0.0


def failures(run: Run) -> list[tuple[str, int, str]]:
    """Return why scores failed: the reason, how many it concerns, and the first of them.

    The commonest come first. Cases that the pipeline failed are left out: their verdicts tell why.
    """
    met: dict[str, list[str]] = {}
    for case in run.cases:
        for name, outcome in case.scores.items():
            if case.failure is None and isinstance(outcome, Failure):
                met.setdefault(outcome.why, []).append(f"{case.id}, {name}")
    ordered = sorted(met.items(), key=lambda reason: -len(reason[1]))
    return [(why, len(places), places[0]) for why, places in ordered]


def low_scores(run: Run, case: CaseResult, limit: int) -> list[tuple[str, Score]]:
    """Return a case's lowest scores that carry a reason, the lowest first."""
    scored: Sequence[tuple[str, Score]] = [
        (name, outcome)
        for name, outcome in case.scores.items()
        if isinstance(outcome, Score) and outcome.reason and outcome.value < 1.0
    ]
    higher = [pair for pair in scored if name_is_higher(run, pair[0])]
    return sorted(higher, key=lambda pair: pair[1].value)[:limit]


def name_is_higher(run: Run, metric: str) -> bool:
    """Say whether higher values of a metric are better; metrics without a summary count as such."""
    summary = run.metrics.get(metric)
    return summary is None or summary.direction == "higher"
