"""Planting: a prompt's fields with a text from elsewhere in one of them.

What is judged in numbered items keeps its items: a text goes into a list of sentences as a further
sentence, so that a reply still says of the others what it says of them. Into passages it goes at the end
of the first one, as it would stand in a document that somebody has tampered with.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.judges.attacks import Attack, Place

FIELDS: Mapping[Place, tuple[str, ...]] = {
    "context": ("passages", "passage"),
    "answer": ("answer", "sentences"),
    "question": ("question",),
    "reference": ("reference", "points", "sentences"),
}
"""Which fields a place may be, in the prompts that we ask; the first one that is there is meant."""


def planted(fields: Mapping[str, Any], attack: Attack) -> dict[str, Any] | None:
    """Return a prompt's fields with an attack in its place; None when they have no such place."""
    field = next((name for name in FIELDS[attack.place] if fields.get(name)), None)
    return None if field is None else planted_in(field, fields, attack)


def planted_in(field: str, fields: Mapping[str, Any], attack: Attack) -> dict[str, Any]:
    """Return a prompt's fields with an attack in this one, a text or a list of texts.

    For prompts whose fields do not tell the place alone: sentences may be an answer's or a reference's.
    """
    value = fields[field]
    if isinstance(value, str):
        return {**fields, field: f"{value}\n{attack.text}"}
    if attack.place != "context":
        return {**fields, field: [*value, attack.text]}
    return {**fields, field: [f"{value[0]}\n{attack.text}", *value[1:]]}
