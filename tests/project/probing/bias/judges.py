"""Judges for tests of the bias probe: right ones, noisy ones, and such with one planted bias."""

import random
import re

from acidtest.data.outcomes import Skip
from acidtest.ports import Verdict
from acidtest.project.probing.bias.topics import TOPICS

RIGHT = {topic.right for topic in TOPICS}


class Judge:
    """Rules by the words of sentences and answers; `bias` may overrule with what it sees.

    `noise` is the chance of a verdict that is drawn instead, anew at every ask.
    """

    def __init__(self, bias=None, *, noise=0.0, seed=0, model="scripted"):
        self.model = self.fingerprint = model
        self._bias, self._noise = bias, noise
        self._rng = random.Random(seed)
        self.asked = 0

    async def ask(self, prompt, **fields):
        self.asked += 1
        whole = fields.get("answer") or "\n".join(fields.get("sentences", ()))
        said = self._bias(prompt, fields, whole) if self._bias else None
        make = {"faithfulness": self._claims, "correctness": self._grade}.get(prompt.name)
        if make is None:
            return Skip("not mine")
        import msgspec

        return Verdict(reply=msgspec.convert(make(fields, said), prompt.reply), model=self.model)

    def _ruled(self, right, said):
        if self._rng.random() < self._noise:
            return self._rng.random() < 0.5
        return right if said is None else said

    def _claims(self, fields, said):
        known = plain(" ".join(fields["passages"]))
        return {
            "sentences": [
                {"sentence": n, "claims": self._claim(each, known, said)}
                for n, each in enumerate(fields["sentences"], start=1)
            ]
        }

    def _claim(self, sentence, known, said):
        words = plain(sentence)
        if any(idle in words for idle in IDLE):
            return []
        right = self._ruled(words in known, said)
        return [{"claim": sentence, "verdict": "supported" if right else "unsupported"}]

    def _grade(self, fields, said):
        words = plain(fields["answer"])
        right = self._ruled(any(words.startswith(plain(each)) for each in RIGHT), said)
        return {"verdict": "correct" if right else "incorrect"}


IDLE = (
    "thank you",
    "read it with care",
    "hesitate",
    "hope that you",
    "pleasant day",
    "as an expert",
)
IDLE = (*IDLE, "three professors", "excellent answer")
WORDS = {
    "two": "2",
    "four": "4",
    "five": "5",
    "six": "6",
    "eight": "8",
    "nine": "9",
    "twelve": "12",
}


def plain(text):
    """Only what is said: no marks, no case, no spelled numbers."""
    words = re.findall(r"\w+", re.sub(r"(?<=\d)[:,](?=\d)", "", text.casefold()))
    return " ".join(WORDS.get(word, word) for word in words)
