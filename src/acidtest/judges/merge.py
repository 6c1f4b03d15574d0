"""Merging the replies of several judges to one prompt into one.

Along the reply's schema: a verdict word is voted on, a number is averaged, an integer is the lower
median, and what goes with a verdict - reason, quote, passage - comes from the first judge that voted
with the majority. Lists are merged item by item: numbered ones by number, others (the claims of a
sentence) by place when they are equally long. When they are not, the judges first vote on which verdicts
occur in the list at all, and the most common length among the winners counts.

Dissent is shown where people look: the `why` beside a verdict ends with who said otherwise.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from acidtest.judges.schema import Schema, full_schema
from acidtest.judges.vote import Vote, vote
from acidtest.judges.words import words_in
from acidtest.ports import Reply


def merge(replies: Sequence[Reply], *, abstain: str | None) -> tuple[Reply, float | None]:
    """Return the one reply that stands for all, and the share of the votes that went its way.

    Args:
        replies: One a judge, of one Struct, each of them valid; the judge named first comes first.
        abstain: The prompt's abstaining word.
    """
    kind = type(replies[0])
    votes: list[Vote] = []
    said = [msgspec.to_builtins(each) for each in replies]
    merged = _Merging(abstain, votes).value(said, full_schema(kind))
    cast = sum(each.votes for each in votes)
    agreement = sum(each.won for each in votes) / cast if cast else None
    return msgspec.convert(merged, kind), agreement


class _Merging:
    """One walk along a schema; every vote on the way is noted."""

    def __init__(self, abstain: str | None, votes: list[Vote]) -> None:
        self._abstain = abstain
        self._votes = votes

    def value(self, said: Sequence[Any], node: Schema) -> Any:
        if len(said) == 1:
            return said[0]
        if "properties" in node:
            return self._object(said, node["properties"])
        if "items" in node:
            return self._list(said, node["items"])
        if "enum" in node and all(isinstance(each, str) for each in said):
            return self._vote(said, node).winner
        return _number(said, node)

    def _object(self, said: Sequence[Mapping[str, Any]], inside: Schema) -> dict[str, Any]:
        made: dict[str, Any] = {}
        notes: list[str] = []
        siding = list(said)
        for name in (name for name, node in inside.items() if "enum" in node):
            result = self._vote([each[name] for each in said], inside[name])
            made[name] = result.winner
            siding = [each for each in siding if each[name] == result.winner] or siding
            notes += [result.dissent] if result.dissent else []
        voted = bool(made)
        for name, node in inside.items():
            if "enum" in node:
                continue
            if voted and node.get("type") != "number" and not node.keys() & {"items", "properties"}:
                made[name] = siding[0][name]  # it belongs to that judge's verdict
                continue
            given = [each[name] for each in (siding if voted else said)]
            made[name] = self.value(given, node)
            if node.get("type") == "number" and len(set(given)) > 1:
                notes.append(f"mean of {', '.join(f'{each:g}' for each in given)}")
        if notes and isinstance(made.get("why"), str):
            made["why"] = f"{made['why']} ({'; '.join(notes)})".lstrip()
        return {name: made[name] for name in inside}

    def _list(self, said: Sequence[Sequence[Any]], item: Schema) -> list[Any]:
        # An item that is numbered by us has its number first: judges may answer in any order.
        members: Mapping[str, Schema] = item.get("properties", {})
        first = next(iter(members), None)
        if first is not None and members[first].get("type") == "integer":
            said = [sorted(each, key=lambda one: one[first]) for each in said]
        if len({len(each) for each in said}) > 1:
            said = self._alike(said, item)
        return [self.value(each, item) for each in zip(*said, strict=True)]

    def _alike(self, said: Sequence[Sequence[Any]], item: Schema) -> list[Sequence[Any]]:
        """Return the lists, equally long, of the judges that win the vote on the verdicts in them."""
        found = [" and ".join(sorted(set(words_in(each, {"items": item})))) for each in said]
        result = vote(found, abstain=self._abstain)
        self._votes.append(result)
        winner = result.winner if result.winner in found else found[0]
        siding = [each for each, words in zip(said, found, strict=True) if words == winner]
        length = Counter(map(len, siding)).most_common(1)[0][0]
        return [each for each in siding if len(each) == length]

    def _vote(self, said: Sequence[str], node: Schema) -> Vote:
        result = vote(said, abstain=self._abstain if self._abstain in node["enum"] else None)
        self._votes.append(result)
        return result


def _number(said: Sequence[Any], node: Schema) -> Any:
    """Return the mean of numbers, the lower median of integers, else what the first judge says."""
    if node.get("type") == "integer":
        return sorted(said)[(len(said) - 1) // 2]
    if node.get("type") == "number":
        return sum(said) / len(said)
    return said[0]
