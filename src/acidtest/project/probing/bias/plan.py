"""What a bias probe asks: every change and fault that fits, drawn the same with the same seed."""

import random
from collections.abc import Sequence

from msgspec import Struct

from acidtest.metrics.bound import Bound
from acidtest.project.probing.bias.applies import applies, faults
from acidtest.project.probing.bias.changes import CHANGES, Change
from acidtest.project.probing.bias.items import Item
from acidtest.project.probing.bias.plants import Fault, Planted, planted
from acidtest.project.probing.bias.scoring import Task
from acidtest.text.sentences import sentences

KINDS = (*dict.fromkeys(change.kind for change in CHANGES), "leniency", "self-preference")
"""Every kind of probe."""


class Changed(Struct, frozen=True, kw_only=True):
    """One change for one metric: the changed items by their place; None where it does not fit."""

    bound: Bound
    change: Change
    items: tuple[Item | None, ...]

    def task(self, place: int) -> Task | None:
        """Return what is to be scored of the item at a place."""
        item = self.items[place]
        if item is None:
            return None
        return Task(bound=self.bound, item=item, turned=self.change.of == "prompt")


class Faulty(Struct, frozen=True, kw_only=True):
    """One fault for one metric: the items with it, by their place."""

    bound: Bound
    fault: Fault
    items: tuple[Planted | None, ...]


class BiasPlan(Struct, frozen=True, kw_only=True):
    """Everything that may be asked; of faults only what stands in answers that pass without."""

    bounds: tuple[Bound, ...]
    items: tuple[Item, ...]
    repeat: int
    changed: tuple[Changed, ...]
    faulty: tuple[Faulty, ...]

    def plain(self) -> list[Task]:
        """Return the items as they are, asked `repeat` times: draw by draw, metric by metric."""
        return [
            Task(bound=bound, item=item, draw=draw)
            for draw in range(self.repeat)
            for bound in self.bounds
            for item in self.items
        ]


def bias_plan(
    bounds: Sequence[Bound], items: Sequence[Item], kinds: Sequence[str], *, repeat: int, seed: int
) -> BiasPlan:
    """Make every change and plant every fault.

    Args:
        bounds: The metrics.
        items: What is judged.
        kinds: Some of `KINDS`.
        repeat: How often the unchanged items are asked.
        seed: The same seed gives the same orders, places and faults.
    """
    made = {
        change.name: tuple(change.make(item, _rng(seed, change.name, item)) for item in items)
        for change in CHANGES
        if change.kind in kinds
    }
    return BiasPlan(
        bounds=tuple(bounds),
        items=tuple(items),
        repeat=repeat,
        changed=tuple(
            Changed(bound=bound, change=change, items=made[change.name])
            for bound in bounds
            for change in CHANGES
            if change.name in made and applies(change, bound)
        ),
        faulty=tuple(
            Faulty(
                bound=bound,
                fault=fault,
                items=tuple(_planted(bound, item, fault, seed) for item in items),
            )
            for bound in bounds
            for fault in (faults(bound) if "leniency" in kinds else ())
        ),
    )


def _planted(bound: Bound, item: Item, fault: Fault, seed: int) -> Planted | None:
    by_reference = "reference" in bound.metric.needs
    stated_in = item.case.reference if by_reference else None
    if by_reference and len(sentences(stated_in or "")) != 1:
        return None  # of a long reference it is not sure what is asked for
    return planted(item, fault, _rng(seed, fault, item), stated_in=stated_in)


def _rng(seed: int, name: str, item: Item) -> random.Random:
    return random.Random(f"{seed} {name} {item.case.id}")
