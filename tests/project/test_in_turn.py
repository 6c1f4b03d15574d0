"""However many questions wait, no judge of the user's own is asked more of them at once than allowed."""

import asyncio

import pytest

import acidtest as at
from acidtest.judges.own import own_judge
from acidtest.judges.panel import Panel


@pytest.mark.parametrize("panel", [False, True])
async def test_an_own_judge_is_asked_in_turn(tmp_path, panel):
    flying = peak = 0

    async def slow(text):
        nonlocal flying, peak
        flying += 1
        peak = max(peak, flying)
        await asyncio.sleep(0.005)
        flying -= 1
        return '{"why": "", "verdict": "complete"}'

    golden = [
        {"id": str(n), "question": f"{n}?", "response": f"It is {n}.", "retrieved_contexts": ["x"]}
        for n in range(30)
    ]
    run = await at.aevaluate(
        None,
        golden,
        metrics=["answer_relevance"],
        judge=Panel([own_judge(slow), own_judge(slow, name="b")]) if panel else slow,
        concurrency=3,
        store=str(tmp_path / "store.db"),
    )
    assert run.metrics["answer_relevance"].scored == 30
    assert peak == 3
