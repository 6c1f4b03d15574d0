"""What the providers' backends have in common: a question put, refused parameters left out."""

from abc import ABC, abstractmethod

from msgspec.structs import replace

from acidtest.judges.backend import Completion, Request
from acidtest.judges.complaint import Complaint, complaint_of
from acidtest.judges.endpoint import Endpoint
from acidtest.judges.manners import Manner, lowered
from acidtest.judges.rates import room_after
from acidtest.judges.room import most_room
from acidtest.judges.session import Answer


class HttpBackend(ABC):
    """A model behind an HTTP endpoint; see `backend.Backend`.

    Args:
        http: The endpoint.
        manner: The best way to ask.
        shared_from: See the attribute.

    Attributes:
        shared_from: Characters from which a beginning that several requests share is kept by the
            provider's prompt cache; None where nothing is gained by it.
    """

    def __init__(self, http: Endpoint, manner: Manner, *, shared_from: int | None = None) -> None:
        self._http = http
        self._manner = manner
        self._most: int | None = None
        self.shared_from = shared_from

    @property
    def model(self) -> str:
        """The model as it was named."""
        return self._http.model

    @property
    def endpoint(self) -> str:
        """What limits are shared by: scheme, host and port."""
        return self._http.origin

    def __repr__(self) -> str:
        """Name the model and the endpoint; no key, no path, no query."""
        return f"{type(self).__name__}({self.model!r}, endpoint={self.endpoint!r})"

    async def complete(self, request: Request) -> Completion:
        """Ask the model; see `backend.Backend.complete`.

        A refused parameter is left out and the question put again; what worked is remembered. So is
        the most room for a reply that the model gives.
        """
        first = manner = self._manner
        asked, capped = request, False
        if self._most is not None and self._most < request.max_tokens:
            request = replace(request, max_tokens=self._most)
        while True:
            answer = await self._http.post(self._route(), self._body(request, manner))
            if answer.status in {400, 422}:
                complaint = complaint_of(answer)
                if self._filtered(complaint):
                    message = self._http.without_secrets(complaint.message)
                    return Completion(text=message, finish="filtered", model=self.model)
                most = most_room(complaint, request.max_tokens) if manner.room_name else None
                if most is not None and not capped:
                    capped = True
                    self._most = most.tokens if most.of_model else self._most
                    request = replace(request, max_tokens=most.tokens)
                    continue
                lower = lowered(manner, complaint, request)
                if lower is not None:
                    manner = lower
                    continue
            self._http.check(answer)
            completion = self._read(answer)
            if manner is not first:  # another call may have learnt more in the meantime
                self._manner = manner
            return replace(
                completion,
                text=self._http.without_secrets(completion.text),
                model=self._http.without_secrets(completion.model),
                dropped=manner.dropped(request),
                room=request.max_tokens if request.max_tokens < asked.max_tokens else None,
                wait_s=room_after(
                    answer.headers, tokens=completion.input_tokens + completion.output_tokens
                ),
            )

    @abstractmethod
    async def check(self) -> list[str]:
        """Ask for the model, at no cost.

        Returns:
            Warnings, such as that the endpoint does not list the model; none when it cannot tell.

        Raises:
            Unreachable: The host is not known, the port closed, or the endpoint in trouble.
            JudgeError: The key is refused.
        """

    async def aclose(self) -> None:
        """Close the session, unless it is shared."""
        await self._http.aclose()

    @abstractmethod
    def _route(self) -> str:
        """Return the path that completes, after the base address."""

    @abstractmethod
    def _body(self, request: Request, manner: Manner) -> bytes:
        """Encode a request in the provider's form."""

    @abstractmethod
    def _read(self, answer: Answer) -> Completion:
        """Read a reply of status 200."""

    def _filtered(self, complaint: Complaint) -> bool:
        """Tell whether a refusal is the provider's content filter's."""
        return complaint.code == "content_filter"
