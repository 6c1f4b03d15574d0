"""A judge of one's own: any callable or object, made into a `Judge`.

- an object with `ask(prompt, **fields)` is one already;
- an object with `complete(request)` is a model: a `Backend`;
- a callable of one argument takes the whole prompt as text and returns the model's text;
- a callable of two takes the `Prompt` and its fields and returns the reply: the Struct, the same as
  plain data, JSON text, a whole `Verdict`, or a `Skip`.

Callables may be sync (they run in a thread) or async. What they return is checked like any model's.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec

from acidtest.codec.json import content_hash
from acidtest.data.outcomes import Skip
from acidtest.errors import BadConfig, JudgeError
from acidtest.judges.backend import Completion, Request
from acidtest.judges.foreign import called, shown
from acidtest.judges.identity import identity_of, name_of
from acidtest.judges.llm import LLMJudge
from acidtest.judges.parse import Rejected, parse
from acidtest.judges.schema import in_words, misfit, schema
from acidtest.ports import Judge, Prompt, Reply, Spent, Verdict
from acidtest.text.surrogates import without_halves, without_halves_in


def own_judge(
    thing: Any, *, name: str | None = None, version: str = "1", max_tokens: int = 4096
) -> Judge:
    """Return the judge that an object or callable is.

    Args:
        thing: See the module.
        name: What to call it; its own name by default.
        version: Part of its fingerprint; raise it when it changes in a way that neither its code nor the plain
            values that it was made with show (see `identity`).
        max_tokens: Room for a reply, for those that take a request.

    Raises:
        BadConfig: It is none of these.
    """
    if isinstance(thing, type):
        raise BadConfig(
            f"the class {thing.__qualname__!r} cannot be a judge",
            fix=f"Give an object of it: {thing.__qualname__}(...).",
        )
    model = model_of(thing)
    called_so = name or str(model or name_of(thing))
    if callable(getattr(thing, "ask", None)):
        whole = all(isinstance(getattr(thing, n, None), str) for n in ("model", "fingerprint"))
        return (
            cast("Judge", thing)
            if whole
            else _Asked(thing.ask, called_so, identity_of(thing, version))
        )
    if callable(getattr(thing, "complete", None)):
        if not isinstance(model, str):
            raise BadConfig(
                f"{called_so!r} cannot be a judge: it has complete, and no model that is a text",
                fix="Give it an attribute, such as model = 'mine': verdicts are kept under it.",
            )
        return LLMJudge(thing, max_tokens=max_tokens)
    wanted = _arguments(thing)
    if wanted == 1:
        return _TextJudge(_TextModel(thing, called_so), identity_of(thing, version), max_tokens)
    if wanted == 2:
        return _Asked(
            lambda prompt, **fields: thing(prompt, fields), called_so, identity_of(thing, version)
        )
    raise BadConfig(
        f"{called_so!r} cannot be a judge: it is neither an object with ask or complete nor a callable of "
        "one or two arguments",
        fix="Give a function (text) -> text, or (prompt, fields) -> reply.",
    )


def model_of(thing: Any) -> Any:
    """Return the attribute `model` of a callable or object; None when it has none.

    Raises:
        BadConfig: It cannot be read.
    """
    try:
        return getattr(thing, "model", None)
    except Exception as error:
        raise BadConfig(
            f"{name_of(thing)!r} cannot be a judge: reading its model threw {type(error).__name__}",
            fix="Give a judge: an object with a model, a fingerprint and `await ask(prompt, **fields)`.",
        ) from error


class _TextModel:
    """A callable from text to text, as a backend."""

    def __init__(self, call: Callable[[str], Any], name: str) -> None:
        self._call = call
        self.model = name
        self.endpoint = f"python:{name}"

    async def complete(self, request: Request) -> Completion:
        text = f"{request.system}\n\n{request.text}\n\n{in_words(request.schema)}"
        said = await called(self._call, self.model, text)
        if isinstance(said, Completion):
            return said
        if isinstance(said, str):
            return Completion(text=without_halves(said), model=self.model)
        raise JudgeError(
            f"it returned {type(said).__name__}, and text was expected",
            where=f"judge {self.model}",
            detail=shown(said),
        )

    async def aclose(self) -> None:
        """Nothing is held."""


class _TextJudge(LLMJudge):
    """A language model behind a callable: its code is part of its identity."""

    def __init__(self, backend: _TextModel, code: str, max_tokens: int) -> None:
        super().__init__(backend, max_tokens=max_tokens)
        self._code = code

    @property
    def fingerprint(self) -> str:
        return content_hash({"judge": super().fingerprint, "code": self._code})


class _Asked:
    """Something that takes prompt and fields."""

    def __init__(self, ask: Callable[..., Any], name: str, code: str) -> None:
        self._ask = ask
        self.model = name
        self.fingerprint = content_hash({"own": name, "code": code})

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        try:
            return await self._asked(prompt, fields)
        except JudgeError as error:
            # It was asked, as a model is that replies with nothing of use; nobody knows the price.
            error.spent = error.spent or Spent(attempts=1, cost_usd=None)
            raise

    async def _asked(
        self, prompt: Prompt[Reply], fields: Mapping[str, Any]
    ) -> Verdict[Reply] | Skip:
        said = await called(self._ask, self.model, prompt, **fields)
        if isinstance(said, Skip):
            return said
        if isinstance(said, Verdict):
            self._check(said.reply, prompt, fields)
            return said
        if isinstance(said, str):
            said = without_halves(said)
            read = parse(said, prompt.reply, schema(prompt, fields))
            if isinstance(read, Rejected):
                raise self._invalid(prompt, read.why, said)
            return Verdict(reply=read.reply, raw=said, model=self.model, repaired=read.repaired)
        try:
            plain = without_halves_in(msgspec.to_builtins(said))
            reply = msgspec.convert(plain, prompt.reply)
        except (msgspec.ValidationError, TypeError) as error:
            raise self._invalid(prompt, str(error), shown(said)) from error
        self._check(reply, prompt, fields)
        return Verdict(reply=reply, raw=msgspec.json.encode(plain).decode(), model=self.model)

    def _check(self, reply: Any, prompt: Prompt[Reply], fields: Mapping[str, Any]) -> None:
        """Check lengths and closed lists; code that goes by rules may abstain, unlike a model."""
        if not isinstance(reply, prompt.reply):
            raise self._invalid(prompt, f"it is a {type(reply).__name__}", shown(reply))
        form = schema(msgspec.structs.replace(prompt, abstain=None), fields)
        complaint = misfit(msgspec.to_builtins(reply), form)
        if complaint is not None:
            raise self._invalid(prompt, complaint, shown(reply))

    def _invalid(self, prompt: Prompt[Any], why: str, raw: str) -> JudgeError:
        return JudgeError(
            f"its reply to {prompt.name!r} is not valid: {why}",
            where=f"judge {self.model}",
            detail=raw[:20_000],
        )


def _arguments(thing: Any) -> int | None:
    """Return how many arguments a callable must be given; None when it is not to be called."""
    if not callable(thing):
        return None
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return 1  # built-ins do not say
    plain = [p for p in parameters if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD}]
    needed = [p for p in plain if p.default is p.empty]
    return len(needed) if needed else min(len(plain), 1) or None
