"""The protocols that acidtest is extended by, all in one place.

A pipeline answers a question, a judge answers a prompt, an embedder turns texts into vectors. Each is
one method; the engine and the metrics know nothing else of them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Skip
from acidtest.data.terms import Mode

Reply = TypeVar("Reply", bound=Struct)


class PipelineOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How hard a pipeline may be pressed.

    `timeout_s` is per attempt, `retries` how often a failed attempt is repeated, `k` is handed to
    the pipeline only when set. `inputs` are the names under which an object of a framework takes the
    question, where they cannot be told: a chain's key, or a Haystack pipeline's "component.input"s.
    """

    concurrency: int = 4
    timeout_s: float = 120.0
    retries: int = 0
    k: int | None = None
    inputs: tuple[str, ...] = ()


class Pipeline(Protocol):
    """A system under test, whatever its shape was."""

    @property
    def name(self) -> str:
        """What the run is called after."""

    @property
    def fingerprint(self) -> str:
        """A hash of what is known of the pipeline: it tells one plan from another."""

    @property
    def options(self) -> PipelineOptions:
        """Concurrency, time-out, retries."""

    def refuses(self, mode: Mode) -> str | None:
        """Say why this pipeline cannot run in a mode; None when it can."""

    async def ask(
        self, case: Case, *, mode: Mode = "live", contexts: Sequence[Chunk] | None = None
    ) -> Answer:
        """Answer one case; `contexts` are the known-relevant chunks in golden-context mode.

        Time-outs and retries are the pipeline's own business.

        Raises:
            PipelineError: It threw, hung or returned something that is not an answer; `detail` is
                the traceback.
        """

    async def aclose(self) -> None:
        """Release what the pipeline holds (sessions, processes)."""


class Prompt(Struct, Generic[Reply], frozen=True, kw_only=True):
    """A question to a judge: the metric that asks it owns it.

    Backends that render it fill `template` from the fields; judges that know it by `name` answer
    it directly. `reply` is the Struct that every answer must satisfy, and `check` says in one
    sentence what else is wrong with a reply to these fields (a number missing, a quote that occurs
    nowhere), or None; backends ask again with that sentence, metrics fail on it.

    `abstain` is the verdict word by which a judge leaves something open. Judges that go by rules may
    use it, language models are never offered it and may not give it; None when there is none.
    """

    name: str
    version: str
    template: str
    reply: type[Reply]
    check: Callable[[Reply, Mapping[str, Any]], str | None] | None = None
    abstain: str | None = "undecided"


class Spent(Struct, frozen=True, kw_only=True):
    """What asking took, whether or not a verdict came of it; None is an unknown price.

    `cached_tokens` are those of `input_tokens` that the provider read from its prompt cache.
    """

    attempts: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        known = self.cost_usd is not None and other.cost_usd is not None
        return Spent(
            attempts=self.attempts + other.attempts,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cost_usd=(self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
        )


class Verdict(Struct, Generic[Reply], frozen=True, kw_only=True):
    """A judge's reply, parsed, with what it took.

    Tokens, money and seconds are those of all `attempts` at the prompt, rejected replies included.
    `cached` says that nobody was asked; `cached_tokens` are those of `input_tokens` that the provider
    read from its prompt cache. `dropped` names parameters that the model refused. `agreement` is the
    share of the votes that went the way of the verdict, where several judges gave it.
    """

    reply: Reply
    raw: str = ""
    model: str = ""
    repaired: bool = False
    cached: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    cached_tokens: int = 0
    attempts: int = 1
    dropped: tuple[str, ...] = ()
    agreement: float | None = None


class Judge(Protocol):
    """Anything that answers prompts."""

    @property
    def model(self) -> str:
        """The model as the provider names it."""

    @property
    def fingerprint(self) -> str:
        """A hash of model, prompts and parameters."""

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Answer one prompt; Skip when this judge cannot judge that.

        Raises:
            JudgeError: No usable verdict could be had.
        """


class Embedder(Protocol):
    """Texts to vectors."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector per text, in order."""


class Journal(Protocol):
    """Where a judge's verdicts are kept by the hash of their question.

    It is the cache of judging and the journal of what was paid for in one.
    """

    async def get(self, key: str) -> bytes | None:
        """Return what is kept under a key."""

    async def put(self, key: str, model: str, body: bytes) -> None:
        """Keep a verdict; it is on disk when this returns."""
