"""A run whose cases have long passages, at an endpoint that keeps what is marked: order, tokens, money."""

import json

import pytest

from acidtest.project.evaluate import aevaluate

PASSAGES = [f"Passage {n}. " + "The Pro plan costs 49 euros a month. " * 120 for n in range(4)]
GOLDEN = [{"id": "pro", "question": "What does Pro cost?", "reference": "49 euros a month."}]
TOKENS = 4_000
CLAIM = {"claim": "c", "passage": 1, "quote": "", "why": "w", "verdict": "supported"}
SENTENCES = [{"sentence": 1, "claims": [CLAIM]}]
REPLIES = {
    "Rule on every passage": {
        "sentences": SENTENCES,
        "passages": [{"passage_id": n, "why": "w", "verdict": "relevant"} for n in range(1, 5)],
    },
    "the passages are all that": {"sentences": SENTENCES},
}


class Keeping:
    """Anthropic's prompt cache, as documented: what is marked is kept, if all before it is the same."""

    def __init__(self, stub):
        self.stub = stub
        self.kept = set()
        self.money = 0.0

    def __call__(self, asked):
        body = asked.json
        first, second = body["messages"][0]["content"]
        assert first["cache_control"] == {"type": "ephemeral"}
        beginning = json.dumps([body["system"], body.get("output_config"), first["text"]])
        found = beginning in self.kept
        self.kept.add(beginning)
        self.money += (TOKENS * (0.1 if found else 1.25) + 500 + 100 * 5) / 1e6
        said = next(reply for words, reply in REPLIES.items() if words in second["text"])
        return self.stub.says(
            {
                "model": "claude-x-1",
                "content": [{"type": "text", "text": json.dumps(said)}],
                "stop_reason": "end_turn",
                "usage": {
                    "input_tokens": 500,
                    "cache_read_input_tokens": TOKENS if found else 0,
                    "cache_creation_input_tokens": 0 if found else TOKENS,
                    "output_tokens": 100,
                },
            }
        )


CONFIG = """
[judge]
model = "anthropic:claude-x"
[judge.price]
input = 1.0
output = 5.0
cached_input = 0.1
cache_write = 1.25
"""


async def test_the_second_prompt_of_a_case_finds_what_the_first_wrote(stub, monkeypatch, tmp_path):
    metrics = ["faithfulness", "context_recall"]
    keeping = Keeping(stub)
    models = stub.says({"id": "claude-x", "type": "model"})
    (tmp_path / "acidtest.toml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-0123456789")

    def answer(question):
        return {"answer": "It costs 49 euros.", "contexts": PASSAGES}

    def say(asked):
        return models if asked.method == "GET" else keeping(asked)

    async with stub.serving(say, latency_s=0.05) as endpoint:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", endpoint.origin)
        run = await aevaluate(answer, GOLDEN, metrics, store=f"sqlite:///{tmp_path}/store.db")
    assert [run.metrics[name].mean for name in metrics] == [1.0, 1.0]
    posts = [asked for asked in endpoint.asked if asked.method == "POST"]
    assert len(posts) == 2
    assert len(keeping.kept) == 1  # the same beginning, whichever metric asks
    assert endpoint.peak == 1  # the second waited
    use = run.operations.judge
    assert use.calls == 2
    assert use.cost_usd == pytest.approx(keeping.money)
    # By hand: passages 1.25 + 0.1 times, 500 more a prompt, 100 out at $5.
    assert use.cost_usd == pytest.approx((1.35 * TOKENS + 2 * 500 + 2 * 100 * 5) / 1e6)
    assert use.tokens == 2 * (TOKENS + 500 + 100)
