"""What a run took: time, tokens, money, judging."""

from msgspec import UNSET, Struct, UnsetType


class Percentiles(Struct, frozen=True):
    """Median and 95th percentile, in milliseconds."""

    p50: float
    p95: float


class Tokens(Struct, frozen=True, kw_only=True):
    """Tokens in and out, summed over the cases that report them."""

    input: int = 0
    output: int = 0


class CascadeUse(Struct, frozen=True, kw_only=True):
    """What a cascade of judges did.

    Attributes:
        asked: Prompts.
        spared: Prompts that the last judge was not asked.
        audited: Prompts that an earlier judge decided and the next was asked all the same.
        agreed: Audited prompts on which both gave the same verdicts, or, where replies are of
            different length, the same share of each.
    """

    asked: int = 0
    spared: int = 0
    audited: int = 0
    agreed: int = 0

    def __add__(self, other: "CascadeUse") -> "CascadeUse":
        return CascadeUse(
            asked=self.asked + other.asked,
            spared=self.spared + other.spared,
            audited=self.audited + other.audited,
            agreed=self.agreed + other.agreed,
        )

    @property
    def saving(self) -> float | None:
        """The share of prompts that the last judge was spared; None before the first prompt."""
        return self.spared / self.asked if self.asked else None

    @property
    def agreement(self) -> float | None:
        """The share of audited prompts on which both agree; None when none was audited."""
        return self.agreed / self.audited if self.audited else None


class PanelUse(Struct, frozen=True, kw_only=True):
    """Of how many verdicts of a panel (`voted`) all its judges voted for the same (`unanimous`)."""

    voted: int = 0
    unanimous: int = 0


class EmbeddingUse(Struct, frozen=True, kw_only=True):
    """What embedding took; `cost_usd` is None when no price is known."""

    tokens: int = 0
    cost_usd: float | None = None


class JudgeUse(Struct, frozen=True, kw_only=True):
    """What judging took; `cost_usd` is None when no price is known.

    `models` are those that gave the verdicts, kept ones too, by the names that their providers report: an
    alias such as `gpt-5-mini` may stand for another model tomorrow. `cascade` is what a cascade did, `panel` how often a panel was of one mind, by the name of the
    prompt, `embedding` what metrics that compare by embeddings took besides. `seconds` is the time that
    the calls took, summed, with retries; it is left out where the judge tells none.
    """

    calls: int = 0
    cached: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    models: tuple[str, ...] = ()
    cascade: CascadeUse | None = None
    panel: dict[str, PanelUse] | None = None
    embedding: EmbeddingUse | None = None
    seconds: float | UnsetType = UNSET


class Operations(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What the run took: the pipeline's latency, tokens and money, and the judge's."""

    latency_ms: dict[str, Percentiles] = {}
    tokens: Tokens | None = None
    cost_usd: float | None = None
    judge: JudgeUse | None = None
