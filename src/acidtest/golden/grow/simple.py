"""One slot to one case without a model: the templates' drafts, held to what can be checked by rules."""

from collections.abc import Sequence
from typing import Any

from acidtest.data.golden import Case
from acidtest.golden.grow.dropped import Dropped, dropped
from acidtest.golden.grow.faults import in_reference
from acidtest.golden.grow.made import SOURCE, case_id
from acidtest.golden.grow.near import Nearest
from acidtest.golden.grow.plan import Slot
from acidtest.golden.grow.quotes import evidence_at
from acidtest.golden.grow.templates import CAN, Template, templates
from acidtest.text.quotations import comparable
from acidtest.text.reuse import reuse

NOTHING = "no pattern fits"
"""Why a slot is dropped that templates give nothing for."""

CANNOT = "templates cannot"
"""Why a slot is dropped of a kind that needs a model."""

VERSION = "1"


def simple_draft(slot: Slot, nearest: Nearest, plan: str, asked: Sequence[str]) -> Case | Dropped:
    """Return the case that templates make of a slot: of its drafts the first that nobody asks yet.

    Args:
        slot: What is wanted.
        nearest: The whole corpus.
        plan: What the case names as the plan that it comes from.
        asked: Questions to the same chunk that are there already.
    """
    known = {comparable(question) for question in asked}
    found = [
        each
        for each in templates(slot.chunks[0], slot.kind, nearest)
        if comparable(each.question) not in known
    ]
    faults = [_fault(each) for each in found]
    good = [each for each, fault in zip(found, faults, strict=True) if fault is None]
    if good:
        return _case(slot, good[0], plan)
    if found and faults[0] is not None:
        return dropped(slot, faults[0].partition(":")[0], faults[0], found[0].question)
    if slot.kind not in CAN:
        return dropped(slot, CANNOT, f"templates write no {slot.kind} questions")
    return dropped(
        slot, NOTHING, "the chunk has no definition, value, table, heading or identifier"
    )


def _fault(template: Template) -> str | None:
    if template.reference is None:
        return None
    return in_reference(template.reference, template.question)


def _case(slot: Slot, template: Template, plan: str) -> Case:
    chunk = slot.chunks[0]
    metadata: dict[str, Any] = {
        "review": "open",
        "generator": "template",
        "prompt": f"{template.pattern}/{VERSION}",
        "kind": slot.kind,
        "topic": slot.topic,
        "chunks": [chunk.id],
        "slot": slot.name,
        "plan": plan,
        "copied": round(reuse(template.question, chunk.text), 2),
    }
    found = evidence_at(chunk, *template.place) if template.place is not None else None
    return Case(
        id=case_id(template.question),
        question=template.question,
        reference=template.reference,
        relevant={} if found is None else {chunk.id: 3},
        evidence=() if found is None else (found,),
        answerable=found is not None,
        tags=(slot.kind,),
        source=SOURCE,
        metadata={name: value for name, value in metadata.items() if value != ""},
    )
