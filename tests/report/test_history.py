import io
import re

import pytest
from rich.console import Console

from acidtest.data.history import History, Moment
from acidtest.data.runs import Commit
from acidtest.report.history_page import chart, history_html, history_markdown
from acidtest.report.terminal_history import print_history, scale, trend


def moment(n, **more):
    return Moment(
        run=f"r{n}",
        created=f"2026-11-{n + 1:02}T10:00:00Z",
        commit=Commit(sha=f"{n}abcdefghij", branch="<b>", dirty=False),
        judge=None,
        golden="sha256:1",
        cases=20,
        **more,
    )


@pytest.fixture
def history():
    return History(
        name="<script>x</script>",
        columns=("recall@5", "latency_ms.total.p95"),
        directions={"recall@5": "higher", "latency_ms.total.p95": "lower"},
        moments=(
            moment(0, values={"recall@5": 0.7, "latency_ms.total.p95": 500.0}),
            moment(1, values={"recall@5": 0.4}, moved={"recall@5": -1}),
            moment(
                2, values={"recall@5": 0.8, "latency_ms.total.p95": 520.0}, moved={"recall@5": 1}
            ),
        ),
        notes=("From 1abcdefg on the judge is another.",),
        left_out=3,
    )


@pytest.mark.parametrize("width", [40, 60, 100])
def test_terminal(history, width):
    out = io.StringIO()
    print_history(history, Console(file=out, width=width))
    text = out.getvalue()
    assert all(len(line) <= width for line in text.splitlines())
    assert "0.400 -" in text
    assert "0.800 +" in text
    assert "3 older lines left out" in text
    assert ("Not shown" in text) is (width < 46)


def test_a_scale_does_not_make_mountains_of_noise(history):
    assert scale("recall@5", [0.70, 0.71]) == pytest.approx((0.655, 0.755))
    assert scale("recall@5", [0.2, 0.9]) == (0.2, 0.9)
    assert scale("cost_usd", [1.0, 1.0]) == pytest.approx((0.9, 1.1))
    assert scale("cost_usd", [0.0, 0.0]) == (-0.5, 0.5)
    assert trend(history, "recall@5") == "▆▁█"
    assert trend(history, "no_such") == ""


def test_markdown_shows_marks_and_obeys_nothing(history):
    text = history_markdown(history)
    assert "<script>" not in text
    assert "| `1abcdefg` | 2026-11-02 10:00 UTC | 0.400 ▼ | - |" in text
    assert "▲ clearly better" in text


def test_page_holds_everything_and_escapes(history):
    page = history_html(history)
    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page
    assert not re.search(r"(src|href)=\"https?:", page)
    assert page.count("<circle") == 5
    assert 'class="bad"' in page
    assert "lowest 0.400, highest 0.800" in page


def test_a_single_value_has_no_chart(history):
    alone = History(
        name="x", columns=("mrr",), directions={}, moments=(moment(0, values={"mrr": 1.0}),)
    )
    assert chart(alone, "mrr") is None
    assert "<figure" not in history_html(alone)
