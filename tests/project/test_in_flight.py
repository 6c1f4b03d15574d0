"""Calls in flight, as the endpoint counts them: never more than allowed, whatever it answers."""

import pytest
from tests.judges.stub import Reply, chat, says, serving

import acidtest as at

METRICS = ("faithfulness", "answer_relevance", "context_precision_judged", "context_recall")
BUSY = Reply(status=429, headers={"Retry-After": "0"})
BROKEN = says({"choices": [{"message": {"content": '{"sentences": [,,'}, "finish_reason": "stop"}]})
CUT = says({"choices": [{"message": {"content": '{"sent'}, "finish_reason": "length"}]})


def golden(cases):
    return [
        {
            "id": str(n),
            "question": f"What is {n}?",
            "reference": f"It is {n}. It costs {n} euros.",
            "response": f"It is number {n}. It costs {n} euros.",
            "retrieved_contexts": [f"Number {n} costs {n} euros.", f"Page {n} is about {n}."],
        }
        for n in range(cases)
    ]


async def judged(endpoint, tmp_path, monkeypatch, cases, concurrency):
    monkeypatch.setenv("OPENAI_BASE_URL", f"{endpoint.origin}/v1")
    return await at.aevaluate(
        None,
        golden(cases),
        metrics=METRICS,
        judge="openai:stub",
        concurrency=concurrency,
        store=str(tmp_path / "store.db"),
    )


@pytest.mark.parametrize("faulty", [False, True])
async def test_no_more_calls_than_allowed_and_no_fewer(tmp_path, monkeypatch, faulty):
    calls = 0

    def answer(asked):
        nonlocal calls
        if asked.method == "GET":
            return says({"data": [{"id": "stub"}]})
        calls += 1
        if faulty and calls % 10 == 0:
            return (BUSY, Reply(status=500), BROKEN, CUT)[calls // 10 % 4]
        return chat(asked)

    async with serving(answer, latency_s=0.01) as endpoint:
        run = await judged(endpoint, tmp_path, monkeypatch, cases=20, concurrency=4)
    assert endpoint.peak == 4
    assert {name: s.scored for name, s in run.metrics.items()} == dict.fromkeys(METRICS, 20)
    # Precision and recall ask the same question: three calls a case, and those that failed again.
    failed = calls // 10 if faulty else 0
    assert calls == 60 + failed
