"""OpenAI's chat completions, as spoken by OpenAI, Azure, vLLM, Ollama, llama.cpp and gateways.

https://platform.openai.com/docs/api-reference/chat/create. The schema of the reply goes into
`response_format`; endpoints that refuse it get JSON mode, then the schema in words. OpenAI's own prompt cache
keeps beginnings by itself, but takes the schema for the very first part: requests that share a beginning
go in JSON mode, the schema in words at the end.
"""

import difflib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from acidtest.judges.backend import Completion, Finish, Request, Unreachable
from acidtest.judges.dialect import encoded
from acidtest.judges.endpoint import Endpoint
from acidtest.judges.http_backend import HttpBackend
from acidtest.judges.lenient import as_json
from acidtest.judges.manners import Manner
from acidtest.judges.schema import in_words
from acidtest.judges.session import Answer, Session
from acidtest.judges.told import count, named, read, word

BASE_URL = "https://api.openai.com/v1"
AZURE = (".azure.com", ".azure.us", ".azure.cn")

SHARED_FROM = 4_500
"""Characters of a beginning that OpenAI's prompt cache keeps: some 1,024 tokens."""

_FINISHES: dict[str | None, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filtered",
}


_BROKEN = frozenset({"error", "insufficient_system_resource"})
"""How gateways say that the provider behind them failed in the middle of a reply."""


class _Message(Struct):
    content: Any = None
    refusal: Any = None
    reasoning_content: Any = None
    reasoning: Any = None


class _Choice(Struct):
    message: _Message
    finish_reason: Any = None


class _Reply(Struct):
    choices: list[_Choice] | None = None
    model: Any = None
    usage: Any = None
    error: Any = None


class _Model(Struct):
    id: str = ""


class _Models(Struct):
    data: list[_Model]


_REPLY = msgspec.json.Decoder(_Reply)
_MODELS = msgspec.json.Decoder(_Models)


class OpenAIBackend(HttpBackend):
    """A model that speaks chat completions.

    Args:
        model: As the endpoint names it; Azure: the deployment.
        api_key: None for servers without one. Azure gets it as `api-key`, others as a bearer token.
        base_url: Up to `/v1`; Azure: `https://NAME.openai.azure.com/openai/v1`, or with dated
            versions `.../openai/deployments/DEPLOYMENT`.
        api_version: Azure's dated version, sent as `api-version`.
        headers: Sent with every call, as gateways may want.
        session: Shared with others; by default its own.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str = BASE_URL,
        api_version: str | None = None,
        headers: Mapping[str, str] | None = None,
        session: Session | None = None,
    ) -> None:
        url, key_header, host = openai_address(base_url, api_version)
        # OpenAI's own models know the newer name; what imitates them, mostly the older one.
        rooms = ("max_tokens", "max_completion_tokens")
        newer = host == "api.openai.com" or host.endswith(AZURE)
        super().__init__(
            Endpoint(
                model,
                base_url=url,
                key_header=key_header,
                api_key=api_key,
                headers=headers or {},
                session=session,
            ),
            Manner(forms=("strict", "bare", "json", "text"), rooms=rooms[::-1] if newer else rooms),
            # What imitates them charges nothing for input, or keeps nothing: nobody waits there.
            shared_from=SHARED_FROM if newer else None,
        )

    async def check(self) -> list[str]:
        """Look the model up in the list of models; see `HttpBackend.check`."""
        return await look_up(self._http)

    def _route(self) -> str:
        return "/chat/completions"

    def _body(self, request: Request, manner: Manner) -> bytes:
        text, form = request.text, manner.now
        if request.prefix and form in {"strict", "bare"}:
            form = "json"
        body: dict[str, Any] = {"model": self.model}
        if form in {"json", "text"}:
            text = f"{text}\n\n{in_words(request.schema)}"
        if form == "json":
            body["response_format"] = {"type": "json_object"}
        elif form in {"strict", "bare"}:
            schema = encoded(request.schema, "strict" if form == "strict" else "bare")
            name = re.sub(r"[^\w-]", "_", request.schema_name, flags=re.ASCII)[:64] or "reply"
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": name, "strict": True, "schema": schema},
            }
        messages = [{"role": "user", "content": text}]
        if request.system and manner.system:
            messages.insert(0, {"role": "system", "content": request.system})
        elif request.system:
            messages[0]["content"] = f"{request.system}\n\n{text}"
        body["messages"] = messages
        if manner.room_name is not None:
            body[manner.room_name] = request.max_tokens
        if request.temperature is not None and manner.temperature:
            body["temperature"] = request.temperature
        return msgspec.json.encode(body)

    def _read(self, answer: Answer) -> Completion:
        reply: _Reply = self._http.decoded(answer, _REPLY, "chat completion")
        if reply.error and not reply.choices:  # some gateways report errors with status 200
            self._misreported(reply.error)
        if not reply.choices:
            self._http.fail(Unreachable, "its reply has no choices", answer, "Check base_url.")
        choice = reply.choices[0]
        ended = word(choice.finish_reason)
        if ended in _BROKEN:
            self._http.fail(Unreachable, f"the model ended with {ended!r}", answer)
        usage, refusal = reply.usage, word(choice.message.refusal)
        return Completion(
            text=refusal or _said(choice.message),
            finish="refusal" if refusal else _FINISHES.get(ended, "stop"),
            model=named(reply.model, self.model),
            input_tokens=count(usage, "prompt_tokens"),
            output_tokens=count(usage, "completion_tokens"),
            cached_tokens=count(usage, "prompt_tokens_details", "cached_tokens"),
            cache_write_tokens=count(usage, "prompt_tokens_details", "cache_write_tokens"),
        )

    def _misreported(self, error: Any) -> None:
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and 400 <= code < 600 else 502
        self._http.check(Answer(status, {}, msgspec.json.encode({"error": error})))


async def look_up(http: Endpoint) -> list[str]:
    """Look an endpoint's model up in its list of models; see `HttpBackend.check`."""
    answer = await http.get("/models")
    if answer.status in {400, 403, 404, 405, 501}:  # not every server lists its models
        return []
    http.check(answer)
    try:
        names = [model.id for model in read(answer.body, _MODELS).data]
    except ValueError:
        return []
    return missing(http.model, names, http.origin)


def openai_address(base_url: str, api_version: str | None) -> tuple[str, tuple[str, str], str]:
    """Return the address with its version, the header that takes the key, and the host."""
    try:
        host = urlsplit(base_url).hostname or ""
    except ValueError:  # the endpoint says what is wrong with it
        host = ""
    if api_version:
        base_url += ("&" if "?" in base_url else "?") + f"api-version={api_version}"
    return base_url, ("api-key", "") if host.endswith(AZURE) else ("Authorization", "Bearer "), host


def missing(model: str, names: list[str], endpoint: str) -> list[str]:
    """Return the warning that a model is not among the names of an endpoint, if it is not."""
    if not names or model in names or f"{model}:latest" in names:
        return []
    near = difflib.get_close_matches(model, names, n=1, cutoff=0.5)
    listed = ", ".join(sorted(names)[:10]) + (", ..." if len(names) > 10 else "")
    hint = f"did you mean {near[0]!r}?" if near else f"it lists {listed}"
    return [f"{endpoint} does not list the model {model!r}; {hint}"]


def _said(message: _Message) -> str:
    """Return a message's text.

    Servers that set thoughts apart take the whole reply for thoughts when the model leaves the mark out
    that ends them. It is the reply if it is JSON and nothing else; a draft among thoughts is none.
    """
    text = _text(message.content)
    if not text.strip():
        for aside in (message.reasoning_content, message.reasoning):
            if isinstance(aside, str) and as_json(aside.strip()) is not None:
                return aside
    return text


def _text(content: Any) -> str:
    if isinstance(content, list):
        blocks = (each for each in content if isinstance(each, dict))
        parts = (each.get("text") for each in blocks if each.get("type", "text") == "text")
        return "".join(part for part in parts if isinstance(part, str))
    if isinstance(content, dict):  # a gateway that has read the JSON already
        return msgspec.json.encode(content).decode()
    return word(content) or ""
