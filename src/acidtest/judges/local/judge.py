"""The judge `local`: deterministic, no key, no download; it abstains rather than guess.

It knows four prompts by name - faithfulness, context_recall, context_usefulness, correctness - and
answers them from wording alone: a claim's content words in its best window of a passage, numbers with
units, names, negation. What needs understanding (paraphrase, inference, role swaps, contradiction by
meaning) it leaves undecided or cannot see; `acidtest judge check` shows how often it is right.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec

from acidtest.codec.json import content_hash
from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.judges.local import claims, correctness, usefulness
from acidtest.judges.local.rules import THRESHOLDS, Thresholds
from acidtest.ports import Prompt, Reply, Verdict

MODEL = "local"
VERSION = "2"

_Answerer = Callable[[Mapping[str, Any], Thresholds], Mapping[str, Any]]
ANSWERS: Mapping[str, _Answerer] = {
    "faithfulness": claims.answer,
    "context_recall": claims.answer,
    "context_usefulness": usefulness.answer,
    "correctness": correctness.answer,
}


class LocalJudge:
    """A judge that compares wording.

    Args:
        thresholds: Where its rules cut; the fitted ones unless you fit your own.
    """

    instant: ClassVar[bool] = True

    def __init__(self, thresholds: Thresholds = THRESHOLDS) -> None:
        self._thresholds = thresholds

    @property
    def model(self) -> str:
        """Its name, `local`."""
        return MODEL

    @property
    def fingerprint(self) -> str:
        """A hash of name, version and thresholds: what its verdicts depend on."""
        return content_hash({"model": MODEL, "version": VERSION, "cut": self._thresholds})

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Answer a prompt that it knows by name; Skip for any other.

        Raises:
            JudgeError: The prompt bears a known name, but its fields or reply are another's.
        """
        answer = ANSWERS.get(prompt.name)
        if answer is None:
            return Skip(f"the local judge cannot judge {prompt.name!r}: it only compares wording")
        try:
            said = answer(fields, self._thresholds)
            reply = msgspec.convert(said, prompt.reply)
        except (KeyError, msgspec.ValidationError) as error:
            raise JudgeError(
                f"the local judge does not know this prompt {prompt.name!r}: {error}",
                where=f"judge {MODEL}",
                fix="Give a prompt of your own another name.",
            ) from error
        raw = msgspec.json.encode(said).decode()
        return Verdict(reply=reply, raw=raw, model=MODEL, cost_usd=0.0)
