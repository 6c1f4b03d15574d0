"""Which stage changed, in sentences: a table of rules over what two runs show, read top to bottom.

"Changed" is said only of what a test makes clear. Of the rest it is said how small a change these cases
could have shown; and where answers changed and the generator may have brought as much of that as the
retriever, that it cannot be told from these runs.
"""

import math
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from acidtest.comparison.stage_evidence import LENGTH, Evidence
from acidtest.comparison.stage_facts import (
    CLEAR,
    FEW,
    NAMED,
    TOGETHER,
    clear_ones,
    clear_together,
    is_clear,
    moved_by_contexts,
    of_answers,
    of_coverage,
    of_kept,
    of_ordering,
    of_retrieval,
    only_order,
    undecided,
)
from acidtest.data.compared import Change
from acidtest.data.terms import Stage

SHOWN = 3
"""So many metrics a sentence names."""

CROSS = "only crossing the stages (--cross) tells"


class Told(Struct, frozen=True):
    """The sentences, the stages that they name as changed, and those that they leave open."""

    words: tuple[str, ...]
    stages: frozenset[Stage]
    open: frozenset[Stage]


class _Rule(Struct, frozen=True):
    holds: Callable[[Evidence], bool]
    say: Callable[[Evidence], str]
    stage: Stage | None = None
    open: Stage | None = None


def tell_stages(evidence: Evidence) -> Told:
    """Say which stage changed, and what cannot be told."""
    words, stages, left = [], set(), set()
    for rules in (_RETRIEVER, _GENERATOR):
        rule = next(rule for rule in rules if rule.holds(evidence))
        words.append(rule.say(evidence))
        if rule.stage is not None:
            stages.add(rule.stage)
        if rule.open is not None:
            left.add(rule.open)
    words += _parts(evidence)
    if not stages and not any(is_clear(c, CLEAR) for c in evidence.changes.values()):
        words.append(_nothing(evidence))
    return Told(tuple(word for word in words if word), frozenset(stages), frozenset(left))


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
    moves = _moves(clear_ones(of_retrieval(e), CLEAR))
    still = of_answers(e)
    quiet = (
        f" No change of the answers that {_cases(e.cases)} could show{_smallest(still)}."
        if still and not clear_ones(still, CLEAR)
        else ""
    )
    return f"{moves}, and {_others(e)}: the retriever changed.{quiet}"


def _say_order(e: Evidence) -> str:
    same = [c.metric for c in of_coverage(e) if not c.wins and not c.losses]
    how = (
        f"{_listed(same[:SHOWN])} the same in every case"
        if same
        else f"no change that {_cases(e.cases)} could show{_smallest(of_coverage(e))}"
    )
    moves = _moves(clear_ones(of_ordering(e), CLEAR))
    return f"Coverage is unchanged ({how}), ordering changed: {moves}, and {_others(e)}."


def _say_by_contexts(e: Evidence) -> str:
    names = _listed([split.metric for split in moved_by_contexts(e)[:SHOWN]])
    return f"{_others(e)}, and by estimate they moved {names}: the retriever changed."


def _say_differ(e: Evidence) -> str:
    said = f"The retriever changed ({_others(e)})"
    if not of_retrieval(e):
        return f"{said}; no metric of retrieval was scored in both runs."
    quiet = f"no retrieval metric shows a change that {_cases(e.cases)} could show"
    return f"{said}; {quiet}{_smallest(of_retrieval(e))}."


def _say_few(e: Evidence) -> str:
    return f"{_others(e)}: so few that it may be chance, such as that of approximate search."


def _say_kept(e: Evidence) -> str:
    return f"{_where(e)} {_moves(clear_ones(of_kept(e), NAMED))}: the generator changed."


def _say_together(e: Evidence) -> str:
    return (
        f"{_where(e)} {_all_moves(e)}, all measures together more than chance explains "
        f"(p {_p(e.together)}): the generator changed."
    )


def _all_moves(e: Evidence) -> str:
    """Tell how all measures moved, the clearest first."""
    moved = [c for c in clear_ones(e.kept.values(), 1.0) if c.delta][:SHOWN]
    return _listed(
        [f"answers are {_longer(c)}" if c.metric == LENGTH else _moves([c]) for c in moved]
    )


def _p(value: float | None) -> str:
    return f"{value:.2g}" if value is not None and value < 0.01 else f"{value or 0.0:.2f}"


def _say_perhaps(e: Evidence) -> str:
    found = clear_ones(of_kept(e), CLEAR)
    told = (_moves(found), found[0].p_adjusted) if found else (_all_moves(e), e.together)
    more = f"; {CROSS}" if e.moved else ""
    return f"{_where(e)} {told[0]}: perhaps the generator (p {_p(told[1])}){more}."


def _say_undecided(e: Evidence) -> str:
    moved = _listed([f"{c.metric} ({c.delta:+.2f})" for c in undecided(e)[:SHOWN]])
    one = e.same == 1
    few = (
        "the 1 case that kept its contexts shows"
        if one
        else f"the {e.same} cases that kept their contexts show"
    )
    return (
        f"Whether the generator changed cannot be told from these runs: {few} no change of it"
        f"{_smallest(of_kept(e))}, and {'is' if one else 'are'} too few to rule out that it brought half of "
        f"{moved}, or more. {CROSS[0].upper()}{CROSS[1:]}."
    )


def _where(e: Evidence) -> str:
    if e.same == e.cases:
        return f"Contexts are identical in all {_cases(e.cases)} and"
    return f"In the {_cases(e.same)} that kept their contexts"


def _say_length(e: Evidence) -> str:
    return (
        f"{_where(e)} answers are {_longer(e.kept[LENGTH])}: the generator changed, and no score shows what that "
        f"did{_smallest(of_kept(e))}."
    )


def _longer(length: Change) -> str:
    way = "longer" if length.delta > 0 else "shorter"
    return f"{abs(math.expm1(length.delta)):.0%} {way}"


def _say_alike(e: Evidence) -> str:
    noise = [c.metric for c in of_kept(e) if c.wins or c.losses]
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
    return f"{_where(e)} {them} show no change of the generator{_smallest(of_kept(e))}."


def _say_none_kept(e: Evidence) -> str:
    moved = [c.metric for c in clear_ones(of_answers(e), CLEAR)]
    about = f" to {_listed(moved[:SHOWN])}" if moved else ""
    return f"No case kept its contexts: {CROSS} what the generator did{about}."


def _parts(e: Evidence) -> list[str]:
    """Say how the clear changes of answers split, and where a reranking leaves it open."""
    clear = clear_ones(of_answers(e), CLEAR)
    if not clear or not e.moved:
        return []
    told = [
        f"{s.metric} {c.delta:+.2f}, estimated: {_part(s.retrieval, s.retrieval_ci)} from retrieval, "
        f"{_part(s.generation, s.generation_ci)} from generation."
        for c in clear[:SHOWN]
        if (s := e.splits.get(c.metric)) is not None
    ]
    if only_order(e):
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
    _Rule(lambda e: bool(clear_ones(of_coverage(e), CLEAR)), _say_coverage, "retrieval"),
    _Rule(only_order, _say_order, "retrieval"),
    _Rule(lambda e: bool(clear_ones(of_retrieval(e), CLEAR)), _say_coverage, "retrieval"),
    _Rule(lambda e: bool(moved_by_contexts(e)), _say_by_contexts, "retrieval"),
    _Rule(lambda e: e.moved > max(1.0, FEW * e.known), _say_differ, "retrieval"),
    _Rule(lambda _: True, _say_few),
)
"""What is said of the retriever; the first that holds."""

_GENERATOR = (
    _Rule(lambda e: not e.known or not (e.answers or of_kept(e) or of_answers(e)), lambda _: ""),
    _Rule(lambda e: not e.same, _say_none_kept, open="generation"),
    _Rule(lambda e: bool(e.answers) and e.alike == e.answers == e.same, _say_alike),
    _Rule(lambda e: bool(clear_ones(of_kept(e), NAMED)), _say_kept, "generation"),
    _Rule(
        lambda e: LENGTH in e.kept and is_clear(e.kept[LENGTH], NAMED), _say_length, "generation"
    ),
    _Rule(lambda e: clear_together(e, TOGETHER), _say_together, "generation"),
    _Rule(
        lambda e: bool(clear_ones(of_kept(e), CLEAR)) or clear_together(e, CLEAR),
        _say_perhaps,
        open="generation",
    ),
    _Rule(lambda e: bool(undecided(e)), _say_undecided, open="generation"),
    _Rule(lambda _: True, _say_quiet),
)
"""What is said of the generator; the first that holds."""
