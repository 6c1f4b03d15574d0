"""Google's Gemini API, `generateContent`.

https://ai.google.dev/api/generate-content. The schema goes into `responseJsonSchema`; models and
proxies that do not know it get the older `responseSchema`, then JSON mode, then words. Its prompt cache
keeps beginnings by itself.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct

from acidtest.judges.backend import Completion, Finish, Request, Unreachable
from acidtest.judges.dialect import encoded
from acidtest.judges.endpoint import Endpoint
from acidtest.judges.http_backend import HttpBackend
from acidtest.judges.manners import Manner
from acidtest.judges.schema import in_words
from acidtest.judges.session import Answer, Session
from acidtest.judges.told import count, named, word

BASE_URL = "https://generativelanguage.googleapis.com/v1beta"

SHARED_FROM = 16_000
"""Characters of a beginning worth going ahead: some 4,096 tokens, the least that Gemini 3 keeps."""

_FILTERED = "SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII LANGUAGE MODEL_ARMOR".split()  # noqa: SIM905
_FINISHES: dict[str | None, Finish] = {
    "MAX_TOKENS": "length",
    **dict.fromkeys(_FILTERED, "filtered"),
}


class _Part(Struct):
    text: Any = ""
    thought: Any = False


class _Content(Struct):
    parts: list[_Part] | None = None


class _Candidate(Struct, rename="camel"):
    content: _Content | None = None
    finish_reason: Any = None


class _Feedback(Struct, rename="camel"):
    block_reason: Any = None


class _Reply(Struct, rename="camel"):
    candidates: list[_Candidate] | None = None
    prompt_feedback: _Feedback | None = None
    usage_metadata: Any = None
    model_version: Any = None


_REPLY = msgspec.json.Decoder(_Reply)


class GoogleBackend(HttpBackend):
    """A Gemini model.

    Args:
        model: Such as `gemini-3.5-flash-lite`, with or without `models/` before it.
        api_key: Sent as a header, never in the address.
        base_url: Up to the version.
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
                model.removeprefix("models/"),
                base_url=base_url,
                key_header=("x-goog-api-key", ""),
                api_key=api_key,
                headers=headers or {},
                session=session,
            ),
            Manner(forms=("strict", "bare", "open", "json", "text"), rooms=("maxOutputTokens",)),
            shared_from=SHARED_FROM,
        )

    async def check(self) -> list[str]:
        """Look the model up; see `HttpBackend.check`."""
        answer = await self._http.get(self._model_route())
        if answer.status == 404 and b"NOT_FOUND" in answer.body:
            return [f"{self.endpoint} does not list the model {self.model!r}"]
        if answer.status not in {403, 404, 405, 501}:
            self._http.check(answer)
        return []

    def _model_route(self) -> str:
        return f"/models/{quote(self.model, safe='')}"

    def _route(self) -> str:
        return f"{self._model_route()}:generateContent"

    def _body(self, request: Request, manner: Manner) -> bytes:
        text, form = request.text, manner.now
        config: dict[str, Any] = {}
        if manner.room_name is not None:
            config[manner.room_name] = request.max_tokens
        if request.temperature is not None and manner.temperature:
            config["temperature"] = request.temperature
        if form != "text":
            config["responseMimeType"] = "application/json"
        if form in {"strict", "bare"}:
            dialect = "strict" if form == "strict" else "bare"
            config["responseJsonSchema"] = encoded(request.schema, dialect)  # type: ignore[arg-type]
        elif form == "open":
            config["responseSchema"] = encoded(request.schema, "open")
        else:
            text = f"{text}\n\n{in_words(request.schema)}"
        body: dict[str, Any] = {
            "contents": [{"role": "user", "parts": [{"text": text}]}],
            "generationConfig": config,
        }
        if request.system:
            body["systemInstruction"] = {"parts": [{"text": request.system}]}
        return msgspec.json.encode(body)

    def _read(self, answer: Answer) -> Completion:
        reply: _Reply = self._http.decoded(answer, _REPLY, "generateContent response")
        usage = reply.usage_metadata
        candidate = reply.candidates[0] if reply.candidates else None
        blocked = word(reply.prompt_feedback.block_reason) if reply.prompt_feedback else None
        if candidate is None and blocked is None:
            self._http.fail(Unreachable, "its reply has no candidates", answer)
        finish: Finish = "filtered"
        text = blocked or ""
        if candidate is not None:
            finish = _FINISHES.get(word(candidate.finish_reason), "stop")
            parts = (candidate.content and candidate.content.parts) or []
            text = "".join(word(part.text) or "" for part in parts if not part.thought)
        return Completion(
            text=text,
            finish=finish,
            model=named(reply.model_version, self.model),
            input_tokens=count(usage, "promptTokenCount"),
            # Thinking is paid for as output.
            output_tokens=count(usage, "candidatesTokenCount") + count(usage, "thoughtsTokenCount"),
            cached_tokens=count(usage, "cachedContentTokenCount"),
        )
