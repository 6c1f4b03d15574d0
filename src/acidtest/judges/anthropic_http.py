"""Anthropic's Messages API.

https://platform.claude.com/docs/en/api/messages. The schema goes into `output_config.format`
(structured outputs); it knows no limits on lengths and numbers, so they are left out and checked in
the reply. Models before structured outputs refuse it and get the schema in words. Only what is marked is
kept in the prompt cache, and an enforced schema is part of what must be the same: a beginning that other
requests share is marked, and the schema then stands in words after it. The header's version
stays 2023-06-01: the next one takes no temperature for any model, and on this one the models that
refuse it say so.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct

from acidtest.judges.backend import Completion, Finish, Request
from acidtest.judges.dialect import encoded
from acidtest.judges.endpoint import Endpoint
from acidtest.judges.http_backend import HttpBackend
from acidtest.judges.manners import Manner
from acidtest.judges.schema import in_words
from acidtest.judges.session import Answer, Session
from acidtest.judges.told import count, named, word

BASE_URL = "https://api.anthropic.com"
VERSION = "2023-06-01"

SHARED_FROM = 16_000
"""Characters of a beginning worth marking: some 4,096 tokens, the least that Opus and Haiku 4.5 keep."""

_FINISHES: dict[str | None, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class _Block(Struct):
    type: Any = ""
    text: Any = ""


class _Reply(Struct):
    content: list[_Block]
    stop_reason: Any = None
    model: Any = None
    usage: Any = None


_REPLY = msgspec.json.Decoder(_Reply)


class AnthropicBackend(HttpBackend):
    """A model of Anthropic's, or of a gateway that speaks its Messages API.

    Args:
        model: Such as `claude-haiku-4-5`.
        api_key: None for gateways without one.
        base_url: Without `/v1`.
        headers: Sent with every call.
        session: Shared with others; by default its own.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str = BASE_URL,
        headers: Mapping[str, str] | None = None,
        session: Session | None = None,
    ) -> None:
        super().__init__(
            Endpoint(
                model,
                base_url=base_url,
                key_header=("x-api-key", ""),
                api_key=api_key,
                headers={"anthropic-version": VERSION, **(headers or {})},
                session=session,
            ),
            # max_tokens is required: it has no other name and cannot be left out.
            Manner(forms=("bare", "text"), rooms=("max_tokens",)),
            shared_from=SHARED_FROM,
        )

    async def check(self) -> list[str]:
        """Look the model up; see `HttpBackend.check`."""
        answer = await self._http.get(f"/v1/models/{quote(self.model, safe='')}")
        if answer.status == 404 and b"not_found_error" in answer.body:
            return [f"{self.endpoint} does not list the model {self.model!r}"]
        if answer.status not in {400, 403, 404, 405, 501}:
            self._http.check(answer)
        return []

    def _route(self) -> str:
        return "/v1/messages"

    def _body(self, request: Request, manner: Manner) -> bytes:
        text = request.text
        body: dict[str, Any] = {"model": self.model, "max_tokens": request.max_tokens}
        if request.system:
            body["system"] = request.system
        marked = request.prefix if manner.marks else 0
        if manner.now == "bare" and not marked:
            schema = encoded(request.schema, "bare")
            body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        else:
            text = f"{text}\n\n{in_words(request.schema)}"
        content = [_marked(text[:marked]), _block(text[marked:])] if marked else text
        body["messages"] = [{"role": "user", "content": content}]
        if request.temperature is not None and manner.temperature:
            body["temperature"] = request.temperature
        return msgspec.json.encode(body)

    def _read(self, answer: Answer) -> Completion:
        reply: _Reply = self._http.decoded(answer, _REPLY, "message")
        cached = count(reply.usage, "cache_read_input_tokens")
        written = count(reply.usage, "cache_creation_input_tokens")
        return Completion(
            text="".join(word(each.text) or "" for each in reply.content if each.type == "text"),
            finish=_FINISHES.get(word(reply.stop_reason), "stop"),
            model=named(reply.model, self.model),
            # Anthropic counts what went through the prompt cache apart.
            input_tokens=count(reply.usage, "input_tokens") + cached + written,
            output_tokens=count(reply.usage, "output_tokens"),
            cached_tokens=cached,
            cache_write_tokens=written,
        )


def _block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _marked(text: str) -> dict[str, Any]:
    return {**_block(text), "cache_control": {"type": "ephemeral"}}
