"""Which stage changed, in sentences: a table of rules over what two runs show, read top to bottom.

"Changed" is said only of what the corrected test makes clear. Of the rest it is said how small a change
these cases could have shown.
"""

import math
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from acidtest.comparison.scores import base_name
from acidtest.comparison.stage_evidence import LENGTH, Evidence
from acidtest.data.compared import Change, StageSplit
from acidtest.data.terms import Stage

CLEAR = 0.05
"""A change is clear up to this corrected p-value."""

NAMED = 0.025
"""The generator is named up to this: a stage that is named has to be right more often."""

FEW = 0.05
"""Up to this share of cases with other contexts is what approximate search does by itself."""

COVERAGE = frozenset({"recall", "hit", "token_recall", "semantic_recall", "context_recall"})
"""Metrics of what was found, whatever its order."""

SHOWN = 3
"""So many metrics a sentence names."""

CROSS = "only crossing the stages (--cross) tells"


class Told(Struct, frozen=True):
    """The sentences, and the stages that they name as changed."""

    words: tuple[str, ...]
    stages: frozenset[Stage]


class _Rule(Struct, frozen=True):
    holds: Callable[[Evidence], bool]
    say: Callable[[Evidence], str]
    stage: Stage | None = None


def tell_stages(evidence: Evidence) -> Told:
    """Say which stage changed, and what cannot be told."""
    words, stages = [], set()
    for rules in (_RETRIEVER, _GENERATOR):
        rule = next(rule for rule in rules if rule.holds(evidence))
        words.append(rule.say(evidence))
        if rule.stage is not None:
            stages.add(rule.stage)
    words += _parts(evidence)
    if not stages and not any(_is_clear(c, CLEAR) for c in evidence.changes.values()):
        words.append(_nothing(evidence))
    return Told(tuple(word for word in words if word), frozenset(stages))


# What is clear.


def _is_clear(change: Change, level: float) -> bool:
    return change.p_adjusted is not None and change.p_adjusted <= level


def _clear(changes: Iterable[Change], level: float) -> list[Change]:
    found = [change for change in changes if _is_clear(change, level)]
    return sorted(found, key=lambda change: change.p_adjusted or 0.0)


def _retrieval(e: Evidence) -> list[Change]:
    return [c for c in e.changes.values() if c.stage == "retrieval"]


def _answering(e: Evidence) -> list[Change]:
    return [c for c in e.changes.values() if c.stage in ("generation", "end_to_end")]


def _coverage(e: Evidence) -> list[Change]:
    return [c for c in _retrieval(e) if base_name(c.metric) in COVERAGE]


def _ordering(e: Evidence) -> list[Change]:
    return [c for c in _retrieval(e) if base_name(c.metric) not in COVERAGE]


def _by_contexts(e: Evidence) -> list[StageSplit]:
    """Return the splits by which contexts moved a metric, where nothing else measures retrieval."""
    if _retrieval(e):
        return []
    clear = {c.metric for c in _clear(_answering(e), CLEAR)}
    return [
        s
        for s in e.splits.values()
        if s.metric in clear and s.retrieval_ci and not s.retrieval_ci[0] <= 0 <= s.retrieval_ci[1]
    ]


def _kept(e: Evidence) -> list[Change]:
    return [c for name, c in e.kept.items() if name != LENGTH]


def _only_order(e: Evidence) -> bool:
    clear = _clear(_ordering(e), CLEAR)
    return bool(clear and _coverage(e)) and not _clear(_coverage(e), CLEAR)


# How it is said.


def _moves(changes: Sequence[Change]) -> str:
    told = [
        f"{c.metric} {'rose' if c.delta > 0 else 'fell'} ({c.base:.2f} to {c.candidate:.2f})"
        for c in changes[:SHOWN]
    ]
    return _listed(told)


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _smallest(changes: Iterable[Change]) -> str:
    told = [f"{c.metric} {c.min_detectable:.2f}" for c in changes if c.min_detectable is not None]
    return f" (smallest: {', '.join(told[:SHOWN])})" if told else " (too few to show any)"


def _cases(n: int) -> str:
    return "1 case" if n == 1 else f"{n} cases"


def _others(e: Evidence) -> str:
    if e.moved == e.contexts.get("reordered", 0):
        return f"{e.moved} of {_cases(e.known)} got the same chunks in another order"
    return f"{e.moved} of {_cases(e.known)} got other contexts"


def _say_coverage(e: Evidence) -> str:
    moves = _moves(_clear(_retrieval(e), CLEAR))
    still = _answering(e)
    quiet = (
        f" No change of the answers that {_cases(e.cases)} could show{_smallest(still)}."
        if still and not _clear(still, CLEAR)
        else ""
    )
    return f"{moves}, and {_others(e)}: the retriever changed.{quiet}"


def _say_order(e: Evidence) -> str:
    same = [c.metric for c in _coverage(e) if not c.wins and not c.losses]
    how = (
        f"{_listed(same[:SHOWN])} the same in every case"
        if same
        else f"no change that {_cases(e.cases)} could show{_smallest(_coverage(e))}"
    )
    moves = _moves(_clear(_ordering(e), CLEAR))
    return f"Coverage is unchanged ({how}), ordering changed: {moves}, and {_others(e)}."


def _say_by_contexts(e: Evidence) -> str:
    names = _listed([split.metric for split in _by_contexts(e)[:SHOWN]])
    return f"{_others(e)}, and by estimate they moved {names}: the retriever changed."


def _say_differ(e: Evidence) -> str:
    said = f"The retriever changed ({_others(e)})"
    if not _retrieval(e):
        return f"{said}; no metric of retrieval was scored in both runs."
    quiet = f"no retrieval metric shows a change that {_cases(e.cases)} could show"
    return f"{said}; {quiet}{_smallest(_retrieval(e))}."


def _say_few(e: Evidence) -> str:
    return f"{_others(e)}: so few that it may be chance, such as that of approximate search."


def _say_kept(e: Evidence) -> str:
    return f"{_where(e)} {_moves(_clear(_kept(e), NAMED))}: the generator changed."


def _say_perhaps(e: Evidence) -> str:
    found = _clear(_kept(e), CLEAR)
    return f"{_where(e)} {_moves(found)}: perhaps the generator (p {found[0].p_adjusted:.2f})."


def _where(e: Evidence) -> str:
    if e.same == e.cases:
        return f"Contexts are identical in all {_cases(e.cases)} and"
    return f"In the {_cases(e.same)} that kept their contexts"


def _say_length(e: Evidence) -> str:
    delta = e.kept[LENGTH].delta
    way = f"{abs(math.expm1(delta)):.0%} {'longer' if delta > 0 else 'shorter'}"
    return (
        f"{_where(e)} answers are {way}: the generator changed, and no score shows what that "
        f"did{_smallest(_kept(e))}."
    )


def _say_alike(e: Evidence) -> str:
    noise = [c.metric for c in _kept(e) if c.wins or c.losses]
    judged = f" What moved in {_listed(noise[:SHOWN])} is the judge's noise." if noise else ""
    if e.same == e.cases:
        return (
            f"Contexts and answers are the same in all {_cases(e.cases)}: no stage changed.{judged}"
        )
    return (
        f"In the {_cases(e.same)} that kept their contexts every answer is the same: the generator "
        f"did not change.{judged}"
    )


def _say_quiet(e: Evidence) -> str:
    them = "they" if e.same == e.cases else "these"
    return f"{_where(e)} {them} show no change of the generator{_smallest(_kept(e))}."


def _say_none_kept(e: Evidence) -> str:
    moved = [c.metric for c in _clear(_answering(e), CLEAR)]
    about = f" to {_listed(moved[:SHOWN])}" if moved else ""
    return f"No case kept its contexts: {CROSS} what the generator did{about}."


def _parts(e: Evidence) -> list[str]:
    """Say how the clear changes of answers split, and where a reranking leaves it open."""
    clear = _clear(_answering(e), CLEAR)
    if not clear or not e.moved:
        return []
    told = [
        f"{s.metric} {c.delta:+.2f}, estimated: {_part(s.retrieval, s.retrieval_ci)} from retrieval, "
        f"{_part(s.generation, s.generation_ci)} from generation."
        for c in clear[:SHOWN]
        if (s := e.splits.get(c.metric)) is not None
    ]
    if _only_order(e):
        names = _listed([c.metric for c in clear[:SHOWN]])
        told.append(f"{CROSS[0].upper()}{CROSS[1:]} how much of {names} the order brought.")
    return told


def _part(value: float, ci: tuple[float, float] | None) -> str:
    return f"{value:+.2f}" + (f" [{ci[0]:+.2f}, {ci[1]:+.2f}]" if ci else "")


def _nothing(e: Evidence) -> str:
    if not e.changes:
        return ""
    return f"No metric changed by what {_cases(e.cases)} could show{_smallest(e.changes.values())}."


_RETRIEVER = (
    _Rule(
        lambda e: not e.known,
        lambda _: "What was retrieved is not known in both runs: no stage can be told.",
    ),
    _Rule(lambda e: not e.moved, lambda _: ""),
    _Rule(lambda e: bool(_clear(_coverage(e), CLEAR)), _say_coverage, "retrieval"),
    _Rule(_only_order, _say_order, "retrieval"),
    _Rule(lambda e: bool(_clear(_retrieval(e), CLEAR)), _say_coverage, "retrieval"),
    _Rule(lambda e: bool(_by_contexts(e)), _say_by_contexts, "retrieval"),
    _Rule(lambda e: e.moved > max(1.0, FEW * e.known), _say_differ, "retrieval"),
    _Rule(lambda _: True, _say_few),
)
"""What is said of the retriever; the first that holds."""

_GENERATOR = (
    _Rule(lambda e: not e.known or not (e.answers or _kept(e) or _answering(e)), lambda _: ""),
    _Rule(lambda e: not e.same, _say_none_kept),
    _Rule(lambda e: bool(e.answers) and e.alike == e.answers == e.same, _say_alike),
    _Rule(lambda e: bool(_clear(_kept(e), NAMED)), _say_kept, "generation"),
    _Rule(
        lambda e: LENGTH in e.kept and _is_clear(e.kept[LENGTH], NAMED), _say_length, "generation"
    ),
    _Rule(lambda e: bool(_clear(_kept(e), CLEAR)), _say_perhaps),
    _Rule(lambda _: True, _say_quiet),
)
"""What is said of the generator; the first that holds."""
