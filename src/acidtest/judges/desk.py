"""Where the questions of a rehearsal are written down: what each is, who is asked, how long it is.

Each prompt is rendered as `LLMJudge` renders it.
"""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import msgspec
from msgspec import Struct

from acidtest.errors import JudgeError
from acidtest.judges.cache import question_key
from acidtest.judges.llm import LONGEST, LLMJudge, Price
from acidtest.judges.local.judge import ANSWERS, LocalJudge
from acidtest.judges.nli.judge import ANSWERS as NLI_ANSWERS
from acidtest.judges.nli.judge import NliJudge
from acidtest.judges.render import SYSTEM, rendered
from acidtest.judges.schema import Schema, schema
from acidtest.judges.synthetic import reply_tokens
from acidtest.judges.tokens import tokens
from acidtest.ports import Judge, Prompt, Verdict


class Model(Struct, frozen=True, kw_only=True):
    """One judge that answers by itself.

    Attributes:
        name: As it was named.
        local: It computes on this machine: it takes no tokens and costs nothing.
        knows: Names of the prompts that it can answer; None for all.
        price: What a completion costs; None when no price is known.
        longest: Characters of a prompt that it takes.
        shared_from: Characters from which the passages of a prompt come from the provider's prompt cache
            when other prompts begin with them; None for never.
        kept: Whether its verdicts are kept, so that equal questions are asked once.
    """

    name: str
    local: bool = False
    knows: frozenset[str] | None = None
    price: Price | None = None
    longest: int = LONGEST
    shared_from: int | None = None
    kept: bool = True


class Question(Struct, frozen=True, kw_only=True):
    """One question as it would go to a model.

    Attributes:
        key: What its verdict is kept under; equal questions have equal keys.
        model: Who would be asked.
        bytes: UTF-8 of the prompt, with the words before it and the reply's schema.
        input_tokens: About how many tokens these are.
        output_tokens: About how many tokens a reply has.
        beginning: A hash of the passages that it begins with, where a prompt cache may serve them.
        beginning_tokens: About how many tokens these are.
        answered: The verdict that the journal has, if it has one.
    """

    key: str
    model: Model
    bytes: int
    input_tokens: float
    output_tokens: float
    beginning: int | None = None
    beginning_tokens: float = 0.0
    answered: Verdict[Any] | None = None


def model_of(judge: Judge) -> Model:
    """Return what is known of a judge that answers by itself."""
    if isinstance(judge, LocalJudge):
        return Model(name=judge.model, local=True, knows=frozenset(ANSWERS), kept=False)
    if isinstance(judge, NliJudge):
        return Model(name=judge.model, local=True, knows=frozenset(NLI_ANSWERS))
    if isinstance(judge, LLMJudge):
        return Model(
            name=judge.model,
            price=judge.price,
            longest=judge.longest,
            shared_from=judge.shared_from,
        )
    return Model(name=judge.model)


class Desk:
    """Where the questions of a rehearsal are written down, each once.

    Args:
        judge: Who would be asked.
        known: Returns what the journal keeps under a key; None for an empty journal.
    """

    def __init__(self, judge: Judge, *, known: Callable[[str], bytes | None] | None = None) -> None:
        self.whole = judge
        """Who would be asked."""
        self._known = known
        self._questions: dict[str, Question] = {}
        self._forms: dict[int, _Form] = {}
        self._models: dict[int, tuple[Model, str]] = {}
        self._system = tokens(SYSTEM)
        self._numbers = count()
        self.local: dict[str, Verdict[Any]] = {}
        """What the local judge of a cascade really said, by the hash of its question."""

    def model(self, judge: Judge) -> tuple[Model, str]:
        """Return what is known of a judge that answers by itself, and its fingerprint."""
        found = self._models.get(id(judge))
        if found is None:
            found = self._models[id(judge)] = model_of(judge), judge.fingerprint
        return found

    def question(
        self, judge: Judge, prompt: Prompt[Any], fields: dict[str, Any], draw: int
    ) -> Question:
        """Return the question that a prompt and its fields are to a judge.

        Raises:
            JudgeError: The prompt is longer than the judge takes: it would fail without being sent.
        """
        model, fingerprint = self.model(judge)
        key = question_key(fingerprint, prompt, fields, draw, "")
        question = self._questions.get(key)
        if question is None:
            question = self._questions[key] = self._made(model, key, prompt, fields)
        if model.kept:
            return question
        return msgspec.structs.replace(question, key=f"{key}#{next(self._numbers)}")

    def _made(
        self, model: Model, key: str, prompt: Prompt[Any], fields: dict[str, Any]
    ) -> Question:
        if model.local:
            answered = self._answered(key, prompt) if model.kept else None
            return Question(
                key=key, model=model, bytes=0, input_tokens=0, output_tokens=0, answered=answered
            )
        made, form = rendered(prompt, fields), self._form(prompt, fields)
        text, least = made.text, model.shared_from
        begins = text[: made.prefix] if least is not None and made.prefix >= least else ""
        if len(text) > model.longest:
            raise JudgeError(f"the prompt {prompt.name!r} is too long to be sent")
        return Question(
            key=key,
            model=model,
            bytes=len(text.encode()) + len(SYSTEM) + form.bytes,
            input_tokens=tokens(text) + self._system + form.bytes / 4,
            output_tokens=form.tokens,
            beginning=hash(begins) if begins else None,
            beginning_tokens=tokens(begins),
            answered=self._answered(key, prompt),
        )

    def _form(self, prompt: Prompt[Any], fields: Mapping[str, Any]) -> "_Form":
        shape = schema(prompt, fields)
        form = self._forms.get(id(shape))
        if form is None:
            size = len(msgspec.json.encode(shape))
            form = self._forms[id(shape)] = _Form(shape, size, reply_tokens(shape, fields))
        return form

    def _answered(self, key: str, prompt: Prompt[Any]) -> Verdict[Any] | None:
        body = self._known(key) if self._known is not None else None
        if body is None:
            return None
        try:
            return msgspec.json.decode(body, type=Verdict[prompt.reply])  # type: ignore[name-defined]
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None


class _Form(Struct, frozen=True):
    """A schema with what is known of it; the schema is held so that its id stays its own."""

    schema: Schema
    bytes: int
    tokens: float
