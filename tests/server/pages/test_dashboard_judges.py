"""A change of judge on the dashboard: a break, which is told, and no fall."""

from tests.server.pages.conftest import make

from acidtest.data.outcomes import Score
from acidtest.data.traces import Feedback

DAY = 24 * 60


async def test_another_judge_is_a_break_that_is_told(opened, kept):
    down = (Feedback(good=False),)  # a rule has all of these scored
    kept.traces(*(make(f"t{n}", n * DAY + 5, feedback=down) for n in range(10)))
    for n in range(10):
        strict = n < 4  # the newest
        value = Score(0.5 if strict else 1.0)
        kept.scores(f"t{n}", {"faithfulness": value}, judge="strict" if strict else "mild")
    async with opened() as client:
        text = (await client("GET", "/")).text
    assert '<p class="figure">0.50</p>' in text
    assert "it is scored by another judge: 6 earlier scores cannot be compared" in text
    assert text.count('class="break"') == 1
    assert "10 scored, 100%" in text
