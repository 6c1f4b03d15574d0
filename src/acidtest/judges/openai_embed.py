"""OpenAI's embeddings, as spoken by OpenAI, Azure, vLLM, Ollama, llama.cpp and gateways.

https://platform.openai.com/docs/api-reference/embeddings/create
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from acidtest.errors import JudgeError
from acidtest.judges.backend import Unreachable
from acidtest.judges.endpoint import Endpoint
from acidtest.judges.openai_http import BASE_URL, look_up, openai_address
from acidtest.judges.session import Answer, Session
from acidtest.judges.told import count

BATCH_TEXTS = 256
BATCH_CHARACTERS = 200_000
"""Under OpenAI's 2,048 texts and 300,000 tokens a request, whatever the script."""


class _Vector(Struct):
    embedding: list[float]
    index: int | None = None


class _Reply(Struct):
    data: list[_Vector]
    usage: Any = None


_REPLY = msgspec.json.Decoder(_Reply)
_NO_NUMBER = re.compile(rb"[\[,]\s*-?(?:nan|inf(?:inity)?)\s*[\],]", re.IGNORECASE)
"""How servers write a coordinate that is none, though JSON knows no such number."""


class OpenAIEmbedder:
    """An embedding model; see `ports.Embedder`. `retry_embed.RetryingEmbedder` asks again batch by batch.

    Args:
        model: As the endpoint names it.
        api_key: As for `openai_http.OpenAIBackend`.
        base_url: As for `openai_http.OpenAIBackend`.
        api_version: As for `openai_http.OpenAIBackend`.
        headers: Sent with every call.
        session: Shared with others; by default its own.

    Attributes:
        input_tokens: What all calls took so far, as the endpoint counts.
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
        url, key_header, _ = openai_address(base_url, api_version)
        self._http = Endpoint(
            model,
            base_url=url,
            key_header=key_header,
            api_key=api_key,
            headers=headers or {},
            session=session,
        )
        self.model = model
        self.endpoint = self._http.origin
        self.input_tokens = 0

    def __repr__(self) -> str:
        """Name the model and the endpoint; no key."""
        return f"OpenAIEmbedder({self.model!r}, endpoint={self.endpoint!r})"

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector per text, in order.

        Raises:
            Throttled: Too many requests.
            Unreachable: No connection, time-out, or a server error.
            JudgeError: It will not pass.
        """
        return [vector for batch in self.batches(texts) for vector in await self.embed_batch(batch)]

    def batches(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """Cut texts into batches that endpoints take."""
        made: list[Sequence[str]] = []
        start = size = 0
        for i, text in enumerate(texts):
            if i > start and (i - start >= BATCH_TEXTS or size + len(text) > BATCH_CHARACTERS):
                made.append(texts[start:i])
                start, size = i, 0
            size += len(text)
        if start < len(texts):
            made.append(texts[start:])
        return made

    async def embed_batch(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed one batch; see `embed`."""
        body = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        answer = await self._http.post("/embeddings", msgspec.json.encode(body))
        self._http.check(answer)
        reply = self._read(answer)
        self.input_tokens += count(reply.usage, "prompt_tokens")
        data = reply.data
        if all(vector.index is not None for vector in data):
            data = sorted(data, key=lambda vector: vector.index or 0)
            if [vector.index for vector in data] != list(range(len(texts))):
                data = []
        if len(data) != len(texts):
            self._http.fail(
                Unreachable, f"{len(texts)} texts were asked, {len(reply.data)} came back", answer
            )
        width = len(data[0].embedding) if data else 0
        for vector in data:
            if len(vector.embedding) != width or not all(map(math.isfinite, vector.embedding)):
                self._no_vectors(answer)
        return [vector.embedding for vector in data]

    def _read(self, answer: Answer) -> _Reply:
        """Decode a reply; one that holds vectors that are none would not get better by asking again."""
        try:
            return _REPLY.decode(answer.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            if ".embedding" in str(error) or _NO_NUMBER.search(answer.body):
                self._no_vectors(answer)
        decoded: _Reply = self._http.decoded(answer, _REPLY, "list of embeddings")
        return decoded

    def _no_vectors(self, answer: Answer) -> NoReturn:
        self._http.fail(JudgeError, "its vectors differ in length or are no numbers", answer)

    async def check(self) -> list[str]:
        """Look the model up in the endpoint's list, at no cost; see `HttpBackend.check`."""
        return await look_up(self._http)

    async def aclose(self) -> None:
        """Close the session, unless it is shared."""
        await self._http.aclose()
