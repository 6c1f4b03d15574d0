"""`acidtest compare --by`: a ranking of many runs."""

import json

import pytest

FOUND = '{"question": "%s", "answer": "x", "retrieved": [{"id": "%s"}]}'


@pytest.fixture
def swept(folder, cli):
    """Three runs: `poor` finds nothing, `good` all of 24, `fair` all but one."""
    golden = [{"id": f"q{n}", "question": f"Q {n}?", "relevant": [f"c{n}"]} for n in range(24)]
    (folder / "golden.jsonl").write_text("\n".join(map(json.dumps, golden)))
    for name, right in (("poor", 0), ("fair", 23), ("good", 24)):
        rows = [FOUND % (f"Q {n}?", f"c{n}" if n < right else "z") for n in range(24)]
        (folder / f"{name}.jsonl").write_text("\n".join(rows))
        done = cli(
            *("run", "--golden", "golden.jsonl", "--outputs", f"{name}.jsonl", "--name", name),
            *("-m", "recall@5", "-m", "mrr"),
        )
        assert done.status in (0, 3), done.err
    return folder


def test_the_best_are_told_and_no_winner_among_equals(cli, swept):
    done = cli("compare", "poor", "fair", "good", "--by", "recall@5", "--json")
    assert done.json["format"] == "acidtest/comparisons"
    assert len(done.json["comparisons"]) == 2
    ranking = done.json["ranking"]
    assert [(c["run"]["name"], c["best"]) for c in ranking["contenders"]] == [
        ("good", True),
        ("fair", True),
        ("poor", False),
    ]
    assert ranking["contenders"][0]["rank"] == [1, 2]
    shown = cli("compare", "poor", "fair", "good", "--by", "recall(k=5)").out
    assert "3 runs ranked by recall@5" in shown
    assert "2 of 3 runs may be the best" in shown
    written = cli("compare", "poor", "good", "--by", "mrr", "--markdown", "-").out
    assert "> good is clearly the best in mrr.  \n" in written


def test_the_page_is_the_ranking(cli, swept):
    done = cli("compare", "poor", "fair", "good", "--by", "recall@5", "--html", "page.html")
    assert (done.status, done.out) == (0, "")
    page = (swept / "page.html").read_text(encoding="utf-8")
    assert "3 runs ranked by" in page
    assert 'id="run-3"' in page
    assert "All 3 pairs of runs were compared at once" in page
    assert "data-cases" not in page


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("recal@5", "unknown metric 'recal@5'. Did you mean 'recall@5'"),
        ("quality", "unknown metric in these runs 'quality'. Known: mrr, recall@5."),
        ("latency_ms.total", "metric in every run 'latency_ms.total'. Known: mrr, recall@5."),
        ("fast", "is a tier"),
        ("ndcg@5", "metric in every run"),
        (" ", "empty"),
    ],
)
def test_what_cannot_rank(cli, swept, metric, message):
    done = cli("compare", "poor", "good", "--by", metric)
    assert done.status == 2
    assert message.lower() in done.err.lower()
