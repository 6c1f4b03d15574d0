"""The judge that is a language model: render, ask, parse, check, ask again; whoever the provider is.

An invalid reply is asked again with what was wrong with it, a truncated one with twice the room, each
up to `REASKS` times and counted apart. Everything that was asked counts, also where no verdict came.
Prompts that begin with the same long passages go together; see `together`.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import msgspec

from acidtest.codec.json import content_hash
from acidtest.errors import BudgetSpent, JudgeError
from acidtest.judges.again import asking_again
from acidtest.judges.backend import Backend, Completion, Request
from acidtest.judges.faults import Filtered, InvalidReply, Refused, TooLong, Truncated
from acidtest.judges.parse import Parsed, Rejected, parse
from acidtest.judges.render import SYSTEM, complaining, rendered
from acidtest.judges.schema import schema, schema_name
from acidtest.judges.together import Together
from acidtest.ports import Prompt, Reply, Spent, Verdict

REASKS = 2
"""How often an invalid reply is asked again, and how often a truncated one."""

LONGEST = 4_000_000
"""Characters of a prompt: about a million tokens, more than any window of today."""

_KEPT = 20_000
"""Characters of one rejected reply that are kept as evidence."""

Price = Callable[[Completion], float | None]
"""What a completion cost in US dollars; None when the model's price is unknown."""


class LLMJudge:
    """A judge over any backend.

    Args:
        backend: The model.
        max_tokens: Room for a reply. A truncated one gets twice as much, then four times.
        temperature: None to leave it to the model.
        price: What a completion cost; None when no price is known.
        longest: Characters of a prompt; a longer one fails without being sent.
        shared_from: Characters of passages from which the prompts that read them go together, so that
            the provider's prompt cache serves all but the first; None for never. An HTTP backend's
            `shared_from` is what its provider keeps.
        label: Part of the fingerprint: what tells two models of one name apart, such as their server.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        max_tokens: int = 4096,
        temperature: float | None = 0.0,
        price: Price | None = None,
        longest: int = LONGEST,
        shared_from: int | None = None,
        label: str | None = None,
    ) -> None:
        self._backend = backend
        self._room = max_tokens
        self._temperature = temperature
        self._price = price
        self._longest = longest
        self._together = Together(shared_from)
        self.shared_from = shared_from
        """Characters of passages from which a provider's prompt cache serves them; None for never."""
        known = {"model": backend.model, "temperature": temperature, "system": SYSTEM}
        self._fingerprint = content_hash(known if label is None else known | {"label": label})

    @property
    def model(self) -> str:
        """The model as it was named; each verdict has it as the provider reports it."""
        return self._backend.model

    @property
    def fingerprint(self) -> str:
        """A hash of model, temperature and the words around every prompt.

        Room for the reply is no part of it: a reply that was not cut does not depend on it.
        """
        return self._fingerprint

    @property
    def price(self) -> Price | None:
        """What a completion costs; None when no price is known."""
        return self._price

    @property
    def longest(self) -> int:
        """Characters of a prompt; a longer one is not sent."""
        return self._longest

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply]:
        """Ask the model until its reply is whole and valid, at most five times.

        Raises:
            JudgeError: The backend's own, or one of `faults`: `InvalidReply`, `Truncated`, `Refused`,
                `Filtered`, `TooLong`; `spent` is what it took, `detail` every raw reply.
        """
        first, prefix = self._request(prompt, fields)
        async with self._together.turn(first.text[:prefix]) as shared:
            began = time.perf_counter()
            request = msgspec.structs.replace(first, prefix=prefix) if shared else first
            had = [await self._complete(request, ())]
        invalid = cut = 0
        while True:
            read = _read(had[-1], prompt, fields, request)
            if isinstance(read, Parsed):
                return self._verdict(read, had, time.perf_counter() - began)
            if read is None:
                cut += 1
                if had[-1].room is not None:
                    why = f"was cut at {had[-1].room} tokens, the most that the model gives"
                    self._fail(Truncated, why, request, had)
                if cut > REASKS:
                    self._fail(Truncated, f"was cut {cut} times", request, had)
                request = msgspec.structs.replace(request, max_tokens=request.max_tokens * 2)
            else:
                invalid += 1
                if invalid > REASKS:
                    self._fail(InvalidReply, f"is not valid: {read.why}", request, had)
                text = complaining(first.text, read.why)
                request = msgspec.structs.replace(request, text=text, prefix=0)
            await asking_again()
            had.append(await self._complete(request, had))

    async def aclose(self) -> None:
        """Release the backend's connection."""
        await self._backend.aclose()

    def _request(self, prompt: Prompt[Any], fields: Mapping[str, Any]) -> tuple[Request, int]:
        """Return the request, and how long the beginning is that others may share."""
        made = rendered(prompt, fields)
        text = made.text
        if len(text) > self._longest:
            raise TooLong(
                f"the prompt {prompt.name!r} has {len(text):,} characters, "
                f"and {self._longest:,} may be sent",
                where=f"judge {self.model}",
                fix="Retrieve fewer or shorter contexts for this case.",
            )
        request = Request(
            text=text,
            schema=schema(prompt, fields),
            schema_name=schema_name(prompt),
            max_tokens=self._room,
            system=SYSTEM,
            temperature=self._temperature,
        )
        return request, made.prefix

    async def _complete(self, request: Request, had: Sequence[Completion]) -> Completion:
        try:
            completion = await self._backend.complete(request)
        except (JudgeError, BudgetSpent) as error:
            if request.max_tokens > self._room and type(error) in {JudgeError, TooLong}:
                # It took the same with less room: what is wrong is that the reply was cut.
                why = f"was cut, and more room for it is refused: {error.what}"
                self._fail(Truncated, why, request, had)
            error.spent = self._spent(had) + (error.spent or Spent())
            raise
        if completion.finish == "refusal":
            self._fail(Refused, "is a refusal", request, [*had, completion])
        if completion.finish == "filtered":
            self._fail(Filtered, "was cut by the provider's filter", request, [*had, completion])
        return completion

    def _fail(
        self, kind: type[JudgeError], why: str, request: Request, had: Sequence[Completion]
    ) -> NoReturn:
        error = kind(
            f"the judge's reply to {request.schema_name!r} {why}",
            where=f"judge {had[-1].model or self.model}",
            detail=_evidence(had),
        )
        error.spent = self._spent(had)
        raise error

    def _verdict(
        self, read: Parsed[Reply], had: Sequence[Completion], seconds: float
    ) -> Verdict[Reply]:
        spent = self._spent(had)
        return Verdict(
            reply=read.reply,
            raw=had[-1].text,
            model=had[-1].model or self.model,
            repaired=read.repaired,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cached_tokens=spent.cached_tokens,
            cost_usd=spent.cost_usd,
            seconds=seconds,
            attempts=spent.attempts,
            dropped=tuple(dict.fromkeys(name for each in had for name in each.dropped)),
        )

    def _spent(self, had: Sequence[Completion]) -> Spent:
        return sum((self._one(each) for each in had), Spent())

    def _one(self, completion: Completion) -> Spent:
        return Spent(
            attempts=1,
            input_tokens=completion.input_tokens,
            output_tokens=completion.output_tokens,
            cached_tokens=completion.cached_tokens,
            cost_usd=self._price(completion) if self._price else None,
        )


def _read(
    completion: Completion, prompt: Prompt[Reply], fields: Mapping[str, Any], request: Request
) -> Parsed[Reply] | Rejected | None:
    """Return the checked reply, why it is none, or None when it was cut.

    A whole reply counts however it ended. A cut one is not searched for drafts; some servers do not
    say that they cut, but no reply that fills its room is merely invalid.
    """
    if completion.finish == "length" and not _whole(completion.text):
        return None
    read = parse(completion.text, prompt.reply, request.schema)
    if isinstance(read, Parsed):
        complaint = prompt.check(read.reply, fields) if prompt.check else None
        return read if complaint is None else Rejected(complaint)
    full = completion.output_tokens >= (completion.room or request.max_tokens)
    return None if full and not _whole(completion.text) else read


def _whole(text: str) -> bool:
    try:
        msgspec.json.decode(text.strip())
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _evidence(had: Sequence[Completion]) -> str:
    if len(had) == 1:
        return had[0].text[:_KEPT]
    shown = (f"--- reply {n} ---\n{each.text[:_KEPT]}" for n, each in enumerate(had, start=1))
    return "\n".join(shown)
