"""What the dashboard says of what its figures are held against: the judge, and the reference window."""

import msgspec
from tests.server.pages.conftest import make

from acidtest.data.outcomes import Score
from acidtest.data.traces import Feedback
from acidtest.data.watching import Reference
from acidtest.online.look import State
from acidtest.store.alerts import Alerts

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


async def test_each_tile_says_from_when_on_changes_are_told(opened, typical):
    async with opened() as client:
        assert "Nobody has looked for changes yet" in (await client("GET", "/")).text
        one = Reference(
            metric="error", scored=False, state="collecting", since_ms=1_767_571_200_000,
            until_ms=1_769_990_400_000, traces=40, days=4,
        )  # fmt: skip
        with Alerts(typical.url) as kept:
            assert kept.swap("watch", None, msgspec.json.encode(State(references=(one,))))
        text = (await client("GET", "/")).text
        assert "Nobody has looked" not in text
        assert (
            "Changes are told from 2026-02-02 on: what is usual is learnt since 2026-01-05" in text
        )
        assert "Changes are told" not in (await client("GET", "/?model=small-2")).text
