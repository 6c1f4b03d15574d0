"""What an endpoint says is wrong, in the forms that providers and gateways use."""

from collections.abc import Mapping
from typing import Any

import msgspec

from acidtest.judges.session import Answer
from acidtest.judges.told import read

_ANYTHING: msgspec.json.Decoder[Any] = msgspec.json.Decoder()
_TOO_LONG = (
    "context_length_exceeded", "context length", "context size", "context window", "prompt is too long",
    "input is too long", "request_too_large", "exceeds the maximum number of tokens", "input token count",
    "string_above_max_length",
)  # fmt: skip


class Complaint(msgspec.Struct, frozen=True, kw_only=True):
    """An error body, read as far as it can be.

    Attributes:
        message: In words; the beginning of the body when it has no known form.
        param: The parameter that is refused, if it is named apart.
        code: Such as "context_length_exceeded".
        kind: Such as "overloaded_error" or "UNAVAILABLE".
        retry_after: Seconds, where the body names them (Google's RetryInfo).
    """

    message: str
    param: str = ""
    code: str = ""
    kind: str = ""
    retry_after: float | None = None

    def says(self, *words: str) -> bool:
        """Tell whether it names one of these (in lower case)."""
        text = f"{self.param} {self.code} {self.kind} {self.message[:2000]}".lower()
        return any(word in text for word in words)

    @property
    def too_long(self) -> bool:
        """Whether the prompt is longer than the model takes."""
        return self.says(*_TOO_LONG)


def complaint_of(answer: Answer) -> Complaint:
    """Read an error body.

    Known: `{"error": {...}}` (OpenAI, Anthropic, Google, llama.cpp), the same in a list (Google),
    `{"error": "..."}` (Ollama), `{"message": ...}` (vLLM), `{"detail": ...}` (FastAPI).
    """
    try:
        said = read(answer.body, _ANYTHING)
    except ValueError:
        return Complaint(message=answer.begins())
    if isinstance(said, list) and said:
        said = said[0]
    if isinstance(said, dict) and "error" in said:
        said = said["error"]
    if isinstance(said, str):
        return Complaint(message=said)
    if not isinstance(said, dict):
        return Complaint(message=answer.begins())
    message = said.get("message", said.get("detail"))
    return Complaint(
        message=message if isinstance(message, str) else answer.begins(),
        param=_text(said.get("param")),
        code=_text(said.get("code")),
        kind=_text(said.get("status")) or _text(said.get("type")),
        retry_after=_retry_info(said.get("details")),
    )


def _text(value: Any) -> str:
    return str(value) if isinstance(value, (str, int)) else ""


def _retry_info(details: Any) -> float | None:
    for detail in details if isinstance(details, list) else []:
        delay = detail.get("retryDelay") if isinstance(detail, Mapping) else None
        if isinstance(delay, str) and delay.endswith("s"):
            try:
                found = float(delay[:-1])
            except ValueError:
                continue
            return found if 0 <= found < 1e7 else None
    return None
