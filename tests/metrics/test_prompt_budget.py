"""What judging a case takes: calls and bytes of prompt, and passages that caches can serve."""

import json
import re

import msgspec

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.judges.backend import Completion
from acidtest.judges.llm import LLMJudge
from acidtest.metrics.bound import Bound
from acidtest.metrics.registry import find, known
from acidtest.metrics.rubric import rubric
from acidtest.run.score import score

# As long as a usual case: five passages of 670 bytes, sentences of a line.
LINE = "the cheap plan of every team costs less than before and holds more rooms to work in"
WORDS = LINE.split()
CHUNKS = tuple(
    Chunk(text=" ".join((f"passage{n} " + " ".join(WORDS * 9)).split()[:138]) + ".")
    for n in range(5)
)
CASE = Case(
    id="x",
    question="What does the cheap plan cost, and how much more room does it hold for a team?",
    reference=" ".join(f"{LINE} {n}." for n in range(3)),
)
ANSWER = Answer(case_id="x", text=" ".join(f"{LINE} {n}." for n in range(4, 7)), retrieved=CHUNKS)
METRICS = ("faithfulness", "answer_relevance", "context_precision_judged", "context_recall")


def instance(schema):
    """Make a reply from its schema: as many items as are asked for, the last word of each list."""
    if "anyOf" in schema:
        return None
    if "enum" in schema:
        return schema["enum"][-1]
    if schema["type"] == "array":
        items = [instance(schema["items"]) for _ in range(schema.get("minItems", 1))]
        for n, item in enumerate(items, start=1):
            if isinstance(item, dict):
                item.update({k: n for k, v in item.items() if type(v) is int})
        return items
    if schema["type"] == "object":
        return {name: instance(each) for name, each in schema["properties"].items()}
    return {"string": "", "integer": 1, "number": 1.0, "boolean": True}[schema["type"]]


class Model:
    """A model that keeps what it was sent."""

    model = endpoint = "kept"

    def __init__(self):
        self.sent = []

    async def complete(self, request):
        self.sent.append(request)
        reply = instance(request.schema)
        if "questions" in reply:
            reply["questions"] = ["What does the plan cost?"] * 3
        return Completion(text=json.dumps(reply))

    async def aclose(self):
        pass


def size(request):
    """Return the bytes that count as prompt: messages, and the schema in its envelope."""
    form = {"name": request.schema_name, "strict": True, "schema": request.schema}
    envelope = {"type": "json_schema", "json_schema": form}
    return len(f"{request.system}{request.text}".encode()) + len(msgspec.json.encode(envelope))


class Embedder:
    async def embed(self, texts):
        return [[1.0, 0.0] for _ in texts]


async def asked(bounds):
    model = Model()
    judge = LLMJudge(model)
    outcomes = [
        await score(
            bound,
            CASE,
            ANSWER,
            mode="live",
            judge=judge,
            embedder=Embedder(),
            unanswerable="skip",
        )
        for bound in bounds
    ]
    return outcomes, list({request.text: request for request in model.sent}.values())


async def test_four_metrics_take_three_calls_and_14_kb():
    outcomes, sent = await asked([find(name) for name in METRICS])
    assert all(hasattr(outcome, "value") for outcome in outcomes)
    assert sum(len(chunk.text) for chunk in CHUNKS) > 3_300
    assert len(CASE.reference) + len(ANSWER.text) > 500
    assert len(sent) == 3
    assert sum(size(request) for request in sent) < 14_000


OWN = rubric(
    "tone",
    criteria="Is it polite?",
    scale={"polite": 1.0, "rude": 0.0},
    inputs=("answer", "contexts"),
)


def every_form():
    """Return every judged metric in every form that shows all passages in one prompt."""
    for metric in [*known().values(), OWN]:
        if metric.cost == "judge":
            calls = metric.settings.get("calls")
            for form in calls.type.__args__ if calls else ():
                if form != "each":
                    yield Bound(metric, {"calls": form})
            if not calls:
                yield Bound(metric, {})


async def test_passages_stand_first_and_alike_in_all_prompts_of_a_case():
    _, sent = await asked(every_form())
    with_passages = [request.text for request in sent if CHUNKS[1].text in request.text]
    assert len(with_passages) >= 7
    blocks = re.compile(r"(?:<passage \d \w{8}>\n.*\n</passage \d \w{8}>\n){5}")
    shared = blocks.match(with_passages[0])[0]
    assert all(chunk.text in shared for chunk in CHUNKS)
    assert all(text.startswith(shared) for text in with_passages)
