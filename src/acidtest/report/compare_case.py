"""A case in two runs as the comparison page shows it: verdicts, answers, scores and passages of both."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from acidtest.data.outcomes import Failure, Outcome, Score, Skip
from acidtest.data.runs import CaseResult
from acidtest.data.terms import Direction
from acidtest.report.answer_view import ClaimView, claims_of
from acidtest.report.case_view import LONGEST_REASON
from acidtest.report.clean import clip
from acidtest.report.compare_answer import Pieces, both_answers
from acidtest.report.compare_passages import Passages, key_of, passages
from acidtest.report.figures import NONE, delta, score
from acidtest.report.view import GOOD, STAGE_TITLES, UNKNOWN
from acidtest.report.words import Tone, verdict_tone

TIE = 1e-9

TONES: dict[str, Tone] = {"better": "good", "worse": "bad", "mixed": "warn", "same": "mute"}

Pair = tuple[CaseResult, CaseResult]


class Moved(Struct, frozen=True, kw_only=True):
    """How far a case moved: what the cases are sorted and filtered by.

    `steps` are the improvements by metric, positive where the candidate is better, whichever way the
    metric points. `size` is their mean without sign, each at most 1.
    """

    flow: tuple[str, str]
    steps: dict[str, float]
    size: float
    kind: str
    different: bool


class ScorePair(Struct, frozen=True, kw_only=True):
    """One metric of the case on both sides."""

    metric: str
    before: str
    after: str
    delta: str
    tone: Tone
    reasons: tuple[tuple[str, str], ...]


class Idle(Struct, frozen=True, kw_only=True):
    """Metrics that apply to the case in neither run, for one reason."""

    metrics: tuple[str, ...]
    why: str


class Side(Struct, frozen=True, kw_only=True):
    """One run's part: its name, verdict, answer and claims."""

    key: str
    name: str
    verdict: str
    tone: Tone
    blamed: str
    why: str
    failure: Failure | None
    answer: Pieces | None
    claims: tuple[ClaimView, ...]
    passage_at: dict[int, int]


class PairView(Struct, frozen=True, kw_only=True):
    """All that is shown of a case; `key` is unique in the page."""

    key: str
    case: CaseResult
    question: str
    moved: Moved
    tone: Tone
    sides: tuple[Side, Side]
    same_answer: bool
    scores: tuple[ScorePair, ...]
    idle: tuple[Idle, ...]
    passages: Passages
    brief: tuple[tuple[str, str, Tone], ...]
    search: str


def paired(before: Sequence[CaseResult], after: Sequence[CaseResult]) -> list[Pair]:
    """Return the cases that ask the same in both runs, in the baseline's order."""
    theirs = {case.id: case for case in after}
    return [
        (case, other)
        for case in before
        if (other := theirs.get(case.id)) is not None
        and (case.question, case.answerable) == (other.question, other.answerable)
    ]


def verdict_of(case: CaseResult) -> str:
    """Return a case's verdict, or `unknown`."""
    return clip(case.diagnosis.verdict, 100) if case.diagnosis else UNKNOWN


def moved(pair: Pair, directions: Mapping[str, Direction]) -> Moved:
    """Return how far a case moved.

    Args:
        pair: The case in the baseline and in the candidate.
        directions: The metrics that are compared, and which way is better.
    """
    before, after = pair
    steps = {}
    for name, way in directions.items():
        old, new = before.scores.get(name), after.scores.get(name)
        if isinstance(old, Score) and isinstance(new, Score):
            by = new.value - old.value
            steps[name] = 0.0 if abs(by) <= TIE else by if way == "higher" else -by
    flow = verdict_of(before), verdict_of(after)
    up = any(by > 0 for by in steps.values()) or (flow[0] != GOOD and flow[1] == GOOD)
    down = any(by < 0 for by in steps.values()) or (flow[0] == GOOD and flow[1] != GOOD)
    sizes = [min(1.0, abs(by)) for by in steps.values()]
    return Moved(
        flow=flow,
        steps=steps,
        size=sum(sizes) / len(sizes) if sizes else 0.0,
        kind="mixed" if up and down else "better" if up else "worse" if down else "same",
        different=up or down or flow[0] != flow[1] or _differ(before, after, directions),
    )


def _differ(before: CaseResult, after: CaseResult, directions: Mapping[str, Direction]) -> bool:
    """Whether answer, ranking or the kind of any outcome differs."""
    if before.answer != after.answer or before.failure != after.failure:
        return True
    rankings = [
        None if c.retrieved is None else list(map(key_of, c.retrieved)) for c in (before, after)
    ]
    if rankings[0] != rankings[1]:
        return True
    return any(type(before.scores.get(m)) is not type(after.scores.get(m)) for m in directions)


def most_changed_first(pairs: Sequence[tuple[Pair, Moved]]) -> list[tuple[Pair, Moved]]:
    """Return the cases, those with another verdict first, then by how far their scores moved."""
    return sorted(
        pairs,
        key=lambda one: (
            one[1].flow[0] == one[1].flow[1],
            -round(one[1].size, 6),
            not one[1].different,
        ),
    )


def view_pair(
    pair: Pair, how: Moved, key: str, names: tuple[str, str], directions: Mapping[str, Direction]
) -> PairView:
    """Return what is shown of one case.

    Args:
        pair: The case in both runs.
        how: How far it moved.
        key: A prefix for the page's anchors, made by us and not from outside.
        names: What the runs are called.
        directions: The metrics that are compared, and which way is better.
    """
    before, after = pair
    claims = claims_of(before), claims_of(after)
    found = passages(before, after, claims, names)
    answers = both_answers(before.answer, after.answer, claims)
    at = found.at_before, found.at_after
    idle = _idle(pair)
    said = {name for one in idle for name in one.metrics}
    scores = tuple(
        _scores(name, pair, how.steps.get(name), directions, names)
        for name in dict.fromkeys((*directions, *before.scores, *after.scores))
        if (name in before.scores or name in after.scores) and name not in said
    )
    return PairView(
        key=key,
        case=after,
        question=clip(after.question, 4_000),
        moved=how,
        tone=TONES[how.kind],
        sides=(
            _side(f"{key}-b", names[0], before, answers[0], claims[0], at[0]),
            _side(f"{key}-a", names[1], after, answers[1], claims[1], at[1]),
        ),
        same_answer=before.answer is not None and before.answer == after.answer,
        scores=scores,
        idle=idle,
        passages=found,
        brief=_brief(scores, how),
        search=" ".join((after.id, after.question, *after.tags)).casefold()[:2_000],
    )


def _idle(pair: Pair) -> tuple[Idle, ...]:
    """Return what is skipped in both runs for the same reason, by reason."""
    reasons: dict[str, list[str]] = {}
    for name, outcome in pair[0].scores.items():
        other = pair[1].scores.get(name)
        if isinstance(outcome, Skip) and isinstance(other, Skip) and outcome.why == other.why:
            reasons.setdefault(outcome.why, []).append(name)
    return tuple(
        Idle(metrics=tuple(metrics), why=clip(why, LONGEST_REASON))
        for why, metrics in reasons.items()
    )


def _side(
    key: str,
    name: str,
    case: CaseResult,
    answer: Pieces | None,
    claims: tuple[ClaimView, ...],
    at: dict[int, int],
) -> Side:
    diagnosis = case.diagnosis
    return Side(
        key=key,
        name=name,
        verdict=verdict_of(case),
        tone=verdict_tone(diagnosis),
        blamed=STAGE_TITLES[diagnosis.stage] if diagnosis and diagnosis.stage else "",
        why=clip(diagnosis.why, LONGEST_REASON) if diagnosis else "",
        failure=case.failure,
        answer=answer,
        claims=claims,
        passage_at=at,
    )


def _scores(
    name: str,
    pair: Pair,
    step: float | None,
    directions: Mapping[str, Direction],
    names: tuple[str, str],
) -> ScorePair:
    old, new = pair[0].scores.get(name), pair[1].scores.get(name)
    change = NONE if step is None else delta(step if directions.get(name) != "lower" else -step)
    tone = "mute" if not step else "good" if step > 0 else "bad"
    told = [clip(_reason(outcome), LONGEST_REASON) for outcome in (old, new)]
    reasons = [("", told[0])] if told[0] == told[1] else list(zip(names, told, strict=True))
    return ScorePair(
        metric=name,
        before=_figure(old),
        after=_figure(new),
        delta=change,
        tone=tone,
        reasons=tuple((who, why) for who, why in reasons if why),
    )


def _figure(outcome: Outcome | None) -> str:
    if outcome is None:
        return NONE
    if isinstance(outcome, Score):
        return score(outcome.value)
    return "failed" if isinstance(outcome, Failure) else "skipped"


def _reason(outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    return outcome.reason if isinstance(outcome, Score) else outcome.why


def _brief(scores: Sequence[ScorePair], how: Moved) -> tuple[tuple[str, str, Tone], ...]:
    """Return the three scores that moved most."""
    most = sorted(
        (s for s in scores if how.steps.get(s.metric)), key=lambda s: -abs(how.steps[s.metric])
    )
    return tuple((s.metric, s.delta, s.tone) for s in most[:3])
