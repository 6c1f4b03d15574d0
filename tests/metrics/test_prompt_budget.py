"""What judging a case takes: calls and bytes of prompt, and passages that caches can serve."""

import msgspec

from acidtest.data import Answer, Case, Chunk
from acidtest.judges.render import SYSTEM, render
from acidtest.judges.schema import schema
from acidtest.metrics.registry import find
from acidtest.run.score import score
from acidtest.testing import FakeJudge

LINE = "the cheap plan of every team costs less than before and holds more room to work in"
WORDS = LINE.split()
CHUNKS = tuple(Chunk(text=" ".join((WORDS * 8)[n : n + 120]) + f" {n}.") for n in range(5))
CASE = Case(
    id="x",
    question="What does the cheap plan cost, and how much more room does it hold for a team?",
    reference=" ".join(f"{LINE} {n}." for n in range(3)),
)
ANSWER = Answer(case_id="x", text=" ".join(f"{LINE} {n}." for n in range(4, 7)), retrieved=CHUNKS)
METRICS = ("faithfulness", "answer_relevance", "context_precision_judged", "context_recall")


def sentences(fields):
    claim = {"claim": "x", "verdict": "supported", "passage": 1}
    return [{"sentence": n, "claims": [claim]} for n in range(1, len(fields["sentences"]) + 1)]


def relevances(fields):
    return [{"passage_id": n, "verdict": "relevant"} for n in range(1, len(fields["passages"]) + 1)]


class Measured:
    """A fake judge that keeps what a language model would be sent."""

    model = fingerprint = "measured"

    def __init__(self):
        self.inner = FakeJudge(
            {
                "faithfulness": lambda f: {"sentences": sentences(f)},
                "reference_in_contexts": lambda f: {
                    "sentences": sentences(f),
                    "passages": relevances(f),
                },
                "answer_relevance": {"verdict": "complete"},
            }
        )
        self.sent = {}

    async def ask(self, prompt, **fields):
        text = render(prompt, fields)
        size = len(f"{SYSTEM}{text}".encode()) + len(msgspec.json.encode(schema(prompt, fields)))
        self.sent[text] = size
        return await self.inner.ask(prompt, **fields)


async def test_four_metrics_take_three_calls_and_14_kb():
    judge = Measured()
    for name in METRICS:
        outcome = await score(
            find(name),
            CASE,
            ANSWER,
            mode="live",
            judge=judge,
            embedder=None,
            unanswerable="skip",
        )
        assert outcome.value == 1.0
    assert sum(len(chunk.text) for chunk in CHUNKS) > 2_500
    assert len(judge.sent) == 3
    assert sum(judge.sent.values()) < 14 * 1024
    # Passages, then the question: the beginning is the same wherever there are passages.
    long = [text for text in judge.sent if CHUNKS[0].text in text]
    assert len(long) == 2
    shared = long[0].index("<sentence")
    assert CASE.question in long[0][:shared]
    assert long[0][:shared] == long[1][:shared]
