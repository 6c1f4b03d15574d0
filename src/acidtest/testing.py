"""Fakes for tests of pipelines, metrics and judges: no network, no model, scripted and recorded.

They satisfy the same contracts as the real ones, so nothing needs to be patched.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from acidtest.codec.json import content_hash
from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Skip
from acidtest.data.terms import Mode
from acidtest.errors import JudgeError, PipelineError
from acidtest.ports import PipelineOptions, Prompt, Reply, Verdict

Script = Any
"""A reply as JSON-like data, a `Skip`, an exception to raise, a list of these (one a call, the last
one repeated), or a function from the prompt's fields to one of these."""


class FakeJudge:
    """A judge that answers from a script.

    Args:
        replies: Prompt name -> `Script`.
        model: What it calls itself.

    Attributes:
        calls: Every question that was asked, in order: the prompt's name and its fields.
    """

    def __init__(self, replies: Mapping[str, Script], *, model: str = "fake") -> None:
        self._replies = dict(replies)
        self._asked: dict[str, int] = {}
        self.model = model
        self.calls: list[tuple[str, dict[str, Any]]] = []

    @property
    def fingerprint(self) -> str:
        """A hash of the model's name: two fakes of one name are the same judge."""
        return content_hash({"fake": self.model})

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Answer from the script.

        Returns:
            The scripted reply, or a `Skip` for a prompt that the script does not know.

        Raises:
            JudgeError: The scripted data is not a reply to this prompt.
        """
        self.calls.append((prompt.name, fields))
        if prompt.name not in self._replies:
            return Skip(f"the script has no reply to {prompt.name!r}")
        said = _next(self._replies[prompt.name], self._asked, prompt.name)
        if callable(said) and not isinstance(said, type):
            said = said(fields)
        if isinstance(said, BaseException):
            raise said
        if isinstance(said, Skip):
            return said
        raw = msgspec.json.encode(said).decode()
        try:
            reply = msgspec.convert(msgspec.to_builtins(said), prompt.reply)
        except msgspec.ValidationError as error:
            raise JudgeError(f"not a reply: {error}", where=self.model, detail=raw) from error
        return Verdict(reply=reply, raw=raw, model=self.model)


class FakePipeline:
    """A pipeline that answers from a table.

    Args:
        answers: Case id or question -> the answer: an `Answer`, JSON-like data in its form (without
            `case_id`), a plain text, an exception to raise, or a function from the `Case` to one of
            these. A case that is not in the table raises `PipelineError`.
        name: What the run is called after.
        options: Concurrency, time-out, retries.
        refuse: Mode -> why it cannot run in that mode.

    Attributes:
        calls: Case id and mode of every question that was asked, in order.
        contexts: Case id -> the contexts that were handed over in golden-context mode.
        closed: Whether `aclose` was called.
    """

    def __init__(
        self,
        answers: Mapping[str, Any] | Callable[[Case], Any],
        *,
        name: str = "fake",
        options: PipelineOptions | None = None,
        refuse: Mapping[Mode, str] | None = None,
    ) -> None:
        self._answers = answers
        self._refuse = dict(refuse or {})
        self.name = name
        self.options = options or PipelineOptions()
        self.calls: list[tuple[str, Mode]] = []
        self.contexts: dict[str, Sequence[Chunk]] = {}
        self.closed = False

    @property
    def fingerprint(self) -> str:
        """A hash of the name."""
        return content_hash({"fake": self.name})

    def refuses(self, mode: Mode) -> str | None:
        """Say why it cannot run in a mode, as it was told to."""
        return self._refuse.get(mode)

    async def ask(
        self, case: Case, *, mode: Mode = "live", contexts: Sequence[Chunk] | None = None
    ) -> Answer:
        """Answer one case from the table.

        Raises:
            PipelineError: The table has no such case, or what it has is not an answer.
        """
        self.calls.append((case.id, mode))
        if contexts is not None:
            self.contexts[case.id] = contexts
        said = self._said(case)
        if callable(said) and not isinstance(said, type):
            said = said(case)
        if isinstance(said, BaseException):
            raise said
        if isinstance(said, str):
            said = {"text": said}
        if isinstance(said, Answer):
            said = msgspec.to_builtins(said)
        try:
            answer = msgspec.convert({**said, "case_id": case.id}, Answer)
        except (msgspec.ValidationError, TypeError) as error:
            raise PipelineError(
                f"not an answer: {error}", where=self.name, detail=repr(said)
            ) from error
        return msgspec.structs.replace(answer, retrieved=_ranked(answer.retrieved))

    async def aclose(self) -> None:
        """Note that it was closed."""
        self.closed = True

    def _said(self, case: Case) -> Any:
        if callable(self._answers):
            return self._answers(case)
        for key in (case.id, case.question):
            if key in self._answers:
                return self._answers[key]
        raise PipelineError(f"the table has no answer for case {case.id!r}", where=self.name)


def _next(script: Script, asked: dict[str, int], name: str) -> Script:
    if not isinstance(script, list):
        return script
    turn = asked.get(name, 0)
    asked[name] = turn + 1
    return script[min(turn, len(script) - 1)]


def _ranked(chunks: tuple[Chunk, ...] | None) -> tuple[Chunk, ...] | None:
    if chunks is None:
        return None
    return tuple(msgspec.structs.replace(c, rank=n) for n, c in enumerate(chunks, start=1))
