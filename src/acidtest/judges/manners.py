"""What a model will take: the parameters that it refused are left out from then on.

A request goes out in the best manner first: the schema enforced, temperature and room for the reply
given. A refusal that names one of them lowers that one by a step; nothing is probed.
"""

import re
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from acidtest.judges.backend import Request
from acidtest.judges.complaint import Complaint
from acidtest.judges.dialect import limited

Form = Literal["strict", "bare", "open", "json", "text"]
"""How the reply's form is asked for: a schema in a dialect, "some JSON", or in words only."""

_DROPPED = {
    "bare": "schema_limits",
    "open": "schema_limits",
    "json": "json_schema",
    "text": "response_format",
}
_FORM_WORDS = (
    "response_format", "responseformat", "json_schema", "jsonschema", "schema", "structured output",
    "grammar", "json mode", "json_object", "output_config", "output_format", "response_mime_type",
    "responsemimetype", "guided",
)  # fmt: skip
_REFUSING = re.compile(
    r"unsupported|not support|unknown|unrecogni[sz]ed|unexpected|extra (?:inputs|fields)"
    r"|not permitted|not allowed|deprecated|instead|cannot find field"
)


class Manner(Struct, frozen=True, kw_only=True):
    """How a model is asked.

    Attributes:
        forms: The forms that this provider knows, the best first; `form` is the one in use.
        rooms: The names that the limit on the reply's tokens goes by; `room` is the one in use,
            one past the last for none.
        temperature: Whether it is sent.
        system: Whether the system text goes in a message of its own.
        marks: Whether a beginning that others share is marked for the prompt cache, where that is done.
    """

    forms: tuple[Form, ...]
    rooms: tuple[str, ...]
    form: int = 0
    room: int = 0
    temperature: bool = True
    system: bool = True
    marks: bool = True

    @property
    def now(self) -> Form:
        """The form in use."""
        return self.forms[self.form]

    @property
    def room_name(self) -> str | None:
        """The name of the limit on the reply's tokens; None when it is left out."""
        return self.rooms[self.room] if self.room < len(self.rooms) else None

    def dropped(self, request: Request) -> tuple[str, ...]:
        """Name what was left out of a request."""
        names = []
        if request.temperature is not None and not self.temperature:
            names.append("temperature")
        if self.form:
            names.append(_DROPPED[self.now])
        if self.room_name is None:
            names.append("max_tokens")
        if request.prefix and not self.marks:
            names.append("cache_control")
        return tuple(names)


def lowered(manner: Manner, complaint: Complaint, request: Request) -> Manner | None:
    """Return the manner without what is complained of; None when the complaint is of something else.

    A parameter that the complaint names apart outranks the words of its message, which may quote
    the prompt.
    """
    if complaint.too_long:
        return None
    refusing = bool(_REFUSING.search(f"{complaint.code} {complaint.message[:2000]}".lower()))
    if complaint.param:
        found = _step(manner, Complaint(message=complaint.param), request, refusing=refusing)
        if found is not None:
            return found
    return _step(manner, complaint, request, refusing=refusing)


def _step(
    manner: Manner, complaint: Complaint, request: Request, *, refusing: bool
) -> Manner | None:
    if manner.temperature and request.temperature is not None and complaint.says("temperature"):
        return replace(manner, temperature=False)
    if manner.marks and request.prefix and refusing and complaint.says("cache_control"):
        return replace(manner, marks=False)
    if manner.room_name is not None and refusing and complaint.says(manner.room_name.lower()):
        return replace(manner, room=manner.room + 1)
    if manner.form + 1 < len(manner.forms) and complaint.says(*_FORM_WORDS):
        return _next_form(manner, request)
    if (
        manner.system
        and request.system
        and refusing
        and complaint.says("system role", "system mess")
    ):
        return replace(manner, system=False)
    return None


def _next_form(manner: Manner, request: Request) -> Manner:
    """Step down; "bare" is passed over where the schema has no limits to leave out."""
    step = manner.form + 1
    if manner.now == "strict" and manner.forms[step] == "bare":
        step += not limited(request.schema) and step + 1 < len(manner.forms)
    return replace(manner, form=step)
