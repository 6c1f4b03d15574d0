"""Statements: texts held against windows, all in one go, each with its ruling."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from acidtest.judges.local.remarks import remark
from acidtest.judges.local.terms import terms, unmarked
from acidtest.judges.nli.model import Model
from acidtest.judges.nli.rules import Ruling, Thresholds, rule
from acidtest.judges.nli.windows import Window, nearest
from acidtest.text.language import guess
from acidtest.text.refusal import declined


@dataclass(frozen=True)
class Ruled:
    """A statement and its ruling.

    Attributes:
        statement: What was held against the windows.
        ruling: The verdict.
        window: What the ruling rests on; None where nothing does.
        why: The reason, with the probability.
    """

    statement: str
    ruling: Ruling
    window: Window | None
    why: str


def stated(sentences: Sequence[str]) -> list[str | None]:
    """Return what each sentence states, without markers; None where it claims nothing.

    A sentence is one claim, as it is to the local judge; greetings, questions, headings and refusals claim
    nothing.
    """
    language = guess("\n".join(sentences))
    return [_stated(sentence, language) for sentence in sentences]


def rulings(
    statements: Sequence[str],
    found: Sequence[Window],
    model: Model,
    cut: Thresholds,
    *,
    name: Callable[[Window], str],
    stopped: Callable[[], bool],
) -> list[Ruled]:
    """Rule on statements.

    Args:
        statements: The claims.
        found: The windows of all that may support them.
        model: Who says how likely a window entails a claim.
        cut: Where the rules cut.
        name: What to call a window's text in a reason.
        stopped: Asked before every batch; when it says so, the rest is left.

    Raises:
        JudgeError: The model failed or was stopped.
    """
    read = [model.tokens.count(each) <= model.tokens.room for each in statements]
    near = nearest(statements, found)
    against = [some if whole else [] for some, whole in zip(near, read, strict=True)]
    pairs = [(w.text, each) for each, some in zip(statements, against, strict=True) for w in some]
    said = iter(model.odds(pairs, stopped))
    made = []
    for each, some in zip(statements, against, strict=True):
        odds = [next(said) for _ in some]
        if odds:
            ruled = rule(odds, [name(window) for window in some], cut)
            made.append(Ruled(each, ruled.ruling, some[ruled.window], ruled.why))
        elif found:
            made.append(Ruled(each, "undecided", None, "it is longer than the model reads"))
        else:
            made.append(Ruled(each, "unsupported", None, "there is no text that could entail it"))
    return made


def _stated(sentence: str, language: str) -> str | None:
    if remark(sentence) or declined(sentence).declined:
        return None
    statement = unmarked(sentence)
    return statement if terms(statement, language) else None
