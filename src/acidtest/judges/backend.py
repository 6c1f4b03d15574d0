"""What a language model looks like to a judge: a request in, a completion out.

A backend speaks one provider's wire format and nothing else. Rendering, parsing, asking again, caching
and limiting are around it, the same for all providers.
"""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from msgspec import Struct

from acidtest.errors import JudgeError

Finish = Literal["stop", "length", "refusal", "filtered"]
"""Why the model stopped: of itself, out of room, unwilling, or cut by the provider's filter."""


class Request(Struct, frozen=True, kw_only=True):
    """One question as it goes to a model.

    `schema` is the JSON Schema of the reply; a backend that cannot enforce it says so with what it
    sends, and the reply is checked all the same. `temperature` is None to leave it out. `prefix` are
    the characters of `text` that other requests, asked now, begin with too, where a provider's prompt
    cache can serve them; 0 where not.
    """

    text: str
    schema: Mapping[str, Any]
    schema_name: str
    max_tokens: int
    system: str = ""
    temperature: float | None = 0.0
    prefix: int = 0


class Completion(Struct, frozen=True, kw_only=True):
    """What came back: the text as it came, and what the provider says of it.

    `cached_tokens` are those of `input_tokens` that the provider read from its prompt cache,
    `cache_write_tokens` those that it wrote there, where it says so. `room` is the room that the reply
    had, where that is less than was asked for because the model gives no more. `dropped` names parameters that the model refused and that were left out, such as "temperature".
    `wait_s` are the seconds after which the endpoint has room for another such call, by what it says
    of its rate limits; 0 when it has room now, or says nothing.
    """

    text: str
    finish: Finish = "stop"
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    room: int | None = None
    dropped: tuple[str, ...] = ()
    wait_s: float = 0.0


class Backend(Protocol):
    """A model behind an endpoint."""

    @property
    def model(self) -> str:
        """The model as it was named, such as `gpt-5-mini`."""

    @property
    def endpoint(self) -> str:
        """What limits are shared by: the URL's origin, without login."""

    async def complete(self, request: Request) -> Completion:
        """Ask the model once; no retry, no limit, no cache.

        Raises:
            Throttled: Too many requests, or overloaded: come back later.
            Unreachable: No connection, time-out, or a server error: it may pass.
            JudgeError: It will not pass: bad key, unknown model, prompt too long.
        """

    async def aclose(self) -> None:
        """Release the connection."""


class Throttled(JudgeError):  # noqa: N818 - says what is wrong
    """The endpoint asks to slow down; `retry_after` are the seconds that it names, if it does."""

    retry_after: float | None = None


class Unreachable(JudgeError):  # noqa: N818
    """The endpoint did not answer, or answered with a server error."""


class Stumbled(Unreachable):
    """The endpoint answered 500: it is there, and what it was asked may be what it stumbles over."""
