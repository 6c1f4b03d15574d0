"""Planting: a prompt's fields with a text from elsewhere in one of them.

What is judged in numbered items keeps its items: a text goes into a list of sentences as a further
sentence, so that a reply still says of the others what it says of them. Into passages it goes at the end
of the first one, as it would stand in a document that somebody has tampered with.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from acidtest.judges.attacks import Attack, Place

FIELDS: Mapping[Place, tuple[str, ...]] = {
    "context": ("passages", "passage"),
    "answer": ("answer", "sentences"),
    "question": ("question",),
    "reference": ("reference", "points", "sentences"),
}
"""Which fields a place may be, in the prompts that we ask; the first one that is there is meant."""


def planted(
    fields: Mapping[str, Any], attack: Attack, *, field: str | None = None
) -> dict[str, Any] | None:
    """Return a prompt's fields with an attack in them; None when they have no such place.

    Args:
        fields: The prompt's fields.
        attack: What to plant.
        field: Where, if the place alone does not tell (sentences may be an answer's or a reference's).
    """
    for name in (field,) if field is not None else FIELDS[attack.place]:
        value = fields.get(name)
        if isinstance(value, str):
            return {**fields, name: f"{value}\n{attack.text}"}
        if isinstance(value, Sequence) and value:
            return {**fields, name: _in_list(value, attack)}
    return None


def _in_list(items: Sequence[Any], attack: Attack) -> list[Any]:
    if attack.place != "context":
        return [*items, attack.text]
    return [f"{items[0]}\n{attack.text}", *items[1:]]
