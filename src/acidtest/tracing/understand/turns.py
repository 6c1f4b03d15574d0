"""Which spans belong to the last turn, where one trace holds several answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from acidtest.data.golden import Turn
from acidtest.tracing.conventions.asked import answer, question
from acidtest.tracing.understand.tree import Node, Tree

_NUMBER = re.compile(r"\d+")
_WHOLE = frozenset({"agent", "chain", "llm", None})


@dataclass(frozen=True)
class Scope:
    """The spans of the turn that is understood, and what was said before it.

    `question` and `answer` are set only where spans are single messages.
    """

    nodes: tuple[Node, ...]
    tops: tuple[Node, ...]
    history: tuple[Turn, ...] = ()
    question: str | None = None
    answer: str | None = None
    notes: tuple[str, ...] = ()


def last_turn(tree: Tree) -> Scope:
    """Return the last turn of a trace; without several turns, all of its spans.

    Turns are spans of one name, digits aside, that stand beside each other (as roots, under a root
    that itself neither was asked nor answered, or under a span that is missing), each with a question
    and an answer of its own and a call of a model below. Steps of one answer are not turns.
    """
    spoken = [node for node in tree.nodes if node.kind == "turn"]
    if spoken:
        return _spoken(tree, spoken)
    turns = max(_families(tree), key=len, default=[])
    if len(turns) < 2:
        return Scope(tree.nodes, tree.roots)
    return _of(tree, turns)


def _of(tree: Tree, turns: Sequence[Node]) -> Scope:
    last = turns[-1]
    earlier = {node.id for turn in turns[:-1] for node in tree.under(turn)}
    before = max(turn.end for turn in turns[:-1])
    above = {node.id for node in last.above()}
    kept = [
        node
        for node in tree.nodes
        if node.id not in earlier
        and node.id not in above
        and (node is last or last in node.above() or node.start >= before)
    ]
    history: list[Turn] = []
    for turn in turns[:-1]:
        history += [
            Turn("user", question(turn.said.input) or ""),
            Turn("assistant", answer(turn.said.output) or ""),
        ]
    note = f"The trace holds {len(turns)} turns; the last is the answer, the others are history."
    return Scope(tuple(kept), (last,), tuple(history), notes=(note,))


def _families(tree: Tree) -> list[list[Node]]:
    """Return the groups of spans that may be turns, each by start."""
    groups: dict[tuple[str, str], list[Node]] = {}
    for node in tree.nodes:
        beside = _beside(node)
        if beside is not None and node.kind in _WHOLE and _whole(tree, node):
            groups.setdefault((beside, _NUMBER.sub("#", node.span.name)), []).append(node)
    return [group for _, group in sorted(groups.items()) if _apart(group)]


def _beside(node: Node) -> str | None:
    """Return what a possible turn stands under: a silent root, a missing span, or nothing."""
    if node.parent is None:
        return node.span.parent_id or ""
    above = node.parent
    silent = question(above.said.input) is None and answer(above.said.output) is None
    return above.id if above.parent is None and silent else None


def _whole(tree: Tree, node: Node) -> bool:
    if question(node.said.input) is None or answer(node.said.output) is None:
        return False
    if node.kind == "llm" and not tree.children(node):
        return False
    return any(below.kind == "llm" for below in tree.under(node))


def _apart(group: Sequence[Node]) -> bool:
    """Say whether each starts after the one before it ended, and none works on what another gave.

    Under a span that is silent or missing, steps on the same question are no turns.
    """
    rooted = all(node.span.parent_id is None for node in group)
    for earlier, later in pairwise(group):
        asked, before = question(later.said.input), question(earlier.said.input)
        if later.start < earlier.end or asked == answer(earlier.said.output):
            return False
        if asked == before and not rooted:
            return False
    return True


def _spoken(tree: Tree, spoken: Sequence[Node]) -> Scope:
    """Return the last exchange where each span is one message."""
    said = [(node, node.said.messages[0]) for node in sorted(spoken, key=lambda n: (n.start, n.id))]
    answers = [i for i, (_, turn) in enumerate(said) if turn.role == "assistant"]
    upto = answers[-1] if answers else len(said)
    asks = [i for i, (_, turn) in enumerate(said[:upto]) if turn.role == "user"]
    ask = asks[-1] if asks else None
    earlier = [turn for _, turn in said[: ask or 0] if turn.role in {"user", "assistant"}]
    return Scope(
        tree.nodes,
        tree.roots,
        tuple(earlier),
        question=said[ask][1].text if ask is not None else None,
        answer=said[upto][1].text if answers else None,
        notes=(f"The trace holds {len(said)} messages; the last exchange is the answer.",),
    )
