"""The form of a rubric: what a `[rubric.NAME]` table may say, read and checked."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from acidtest.data.terms import Direction
from acidtest.errors import BadConfig, UnknownName

Input = Literal["question", "answer", "contexts", "reference"]
RubricStage = Literal["retrieval", "generation", "end_to_end"]
OPEN = "undecided"
"""The verdict by which a judge abstains; no scale may use the word."""

_NAME = re.compile(r"[^\W\d][\w-]{0,59}")
_WORD = re.compile(r"\w[\w-]{0,39}")
_LONGEST = 20_000
_FIXES = {
    "inputs": f"inputs is a list of: {', '.join(get_args(Input))}.",
    "scale": "Write scale as words with values: { good = 1.0, fair = 0.5, poor = 0.0 }.",
    "criteria": "Say in words what is to be judged.",
}


class Anchor(Struct, frozen=True, forbid_unknown_fields=True):
    """What a word of the scale is worth, and when it is to be given."""

    value: float
    means: str = ""


class Rubric(Struct, frozen=True, kw_only=True):
    """A rubric as it is written: one `[rubric.NAME]` table.

    `scale` maps each verdict word to its value in 0..1, or to `{value, means}`. `unanswerable` says
    whether cases that must abstain are judged; by default they are, unless the reference is an input.
    """

    criteria: str
    scale: dict[str, float | Anchor]
    inputs: tuple[Input, ...] = ("question", "answer")
    stage: RubricStage = "generation"
    direction: Direction = "higher"
    version: str = "1"
    unanswerable: bool | None = None

    @property
    def anchors(self) -> dict[str, Anchor]:
        """The scale with every word as an anchor, in the order it was written."""
        return {
            word: anchor if isinstance(anchor, Anchor) else Anchor(anchor)
            for word, anchor in self.scale.items()
        }


def read_rubric(name: str, table: Mapping[str, Any], where: str) -> Rubric:
    """Return the checked rubric of a table.

    Raises:
        UnknownName: A key that a rubric does not have; the nearest one is suggested.
        BadConfig: A value that is not possible.
    """
    if not _NAME.fullmatch(name):
        raise BadConfig(
            f"{name!r} cannot be a metric's name",
            where=where,
            fix="Start with a letter, and use letters, digits, _ and -.",
        )
    fields = [field.name for field in msgspec.structs.fields(Rubric)]
    for key in table:
        if key not in fields:
            raise UnknownName("key", key, fields, where=where)
    try:
        rubric = msgspec.convert(table, Rubric)
    except msgspec.ValidationError as error:
        what, _, place = str(error).replace("[...]", ".*").partition(" - at `$")
        key = place.strip("`.")
        missing = what.partition("required field `")[2].rstrip("`")
        fix = _FIXES.get(missing or re.split(r"\W", key)[0])
        at = f"{where} {key}".strip()
        raise BadConfig(what.replace("`", "'"), where=at, fix=fix) from error
    for key, what in _faults(rubric):
        raise BadConfig(what, where=f"{where} {key}", fix=_FIXES.get(key))
    return rubric


def _faults(rubric: Rubric) -> Iterator[tuple[str, str]]:
    """Give what is wrong with the values: the key, and what."""
    if not rubric.criteria.strip():
        yield "criteria", "the criteria are empty"
    if not rubric.inputs:
        yield "inputs", "there are no inputs"
    if len(set(rubric.inputs)) < len(rubric.inputs):
        yield "inputs", "an input is named twice"
    if len(rubric.scale) < 2:
        yield "scale", "a scale needs two words or more"
    if len({word.casefold() for word in rubric.scale}) < len(rubric.scale):
        yield "scale", "two words of the scale differ only in case"
    yield from _text_faults("criteria", rubric.criteria)
    for word, anchor in rubric.anchors.items():
        if word == OPEN:
            yield "scale", f"{OPEN!r} is the word of judges that abstain: take another"
        if not _WORD.fullmatch(word):
            yield "scale", f"{word!r} is not one word of letters, digits, _ and -"
        if not 0.0 <= anchor.value <= 1.0:
            yield "scale", f"the value of {word!r} is {anchor.value:g}, which is not in 0..1"
        yield from _text_faults("scale", anchor.means)


def _text_faults(key: str, text: str) -> Iterator[tuple[str, str]]:
    if "{{" in text:
        yield key, "a text holds '{{', which marks the fields of a prompt: name them in plain words"
    if len(text) > _LONGEST:
        yield key, f"a text has {len(text):,} characters, and {_LONGEST:,} are the most"
