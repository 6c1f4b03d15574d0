"""LLMBar's 225 cells: verdicts in both orders, counted as upstream counts them."""

import pytest


@pytest.fixture(scope="module")
def llmbar(bench):
    return bench("judges_llmbar")


@pytest.fixture(scope="module")
def cells(llmbar, shared):
    return llmbar.cells(llmbar.pairs(shared / "data"))


def test_there_are_225_and_none_is_out_of_bounds(cells):
    assert len(cells) == 225
    assert sum(cell.n for cell in cells.values()) == 413 * 45
    assert all(cell.both <= min(cell.first, cell.second) for cell in cells.values())


def test_published_counts_and_kappas_come_out(llmbar, cells):
    for key, theirs in llmbar.UPSTREAM.items():
        assert llmbar.same(cells[key], theirs), key
    whole = [key for key, theirs in llmbar.UPSTREAM.items() if cells[key].n == theirs.n]
    assert len(whole) == 49  # to the last digit of the kappa; of the others six pairs are missing
    assert {setting for _, setting in llmbar.UPSTREAM} == {setting for _, setting in cells}


def test_another_cell_is_not_the_same(llmbar, cells):
    key = ("Adversarial/Neighbor", "GPT-4/Vanilla")
    assert not llmbar.same(cells[key]._replace(first=105), llmbar.UPSTREAM[key])
    assert not llmbar.same(cells[key]._replace(kappa=0.86), llmbar.UPSTREAM[key])


@pytest.mark.parametrize(
    ("setting", "right", "consistent"),
    [
        ("GPT-4/Vanilla", 0.810, 0.92),
        ("GPT-4/Metrics_Reference", 0.845, 0.90),
        ("PaLM2/Vanilla", 0.657, 0.70),
        ("ChatGPT/Vanilla", 0.270, 0.64),
    ],
)
def test_adversarial_pairs_together(cells, setting, right, consistent):
    some = [c for (subset, name), c in cells.items() if name == setting and "/" in subset]
    n = sum(c.n for c in some)
    assert n == 319
    assert sum(c.first + c.second for c in some) / 2 / n == pytest.approx(right, abs=5e-4)
    assert sum(c.equal for c in some) / n == pytest.approx(consistent, abs=5e-3)


def test_a_cell_that_differs_is_named(llmbar, shared, monkeypatch):
    found = llmbar.against_upstream(shared / "data").figures
    assert sum(row["compared"] for row in found.values()) == 54
    assert not any(row["different"] for row in found.values())
    key = ("Adversarial/Manual", "PaLM2/Metrics")
    wrong = llmbar.UPSTREAM[key]._replace(both=28)
    monkeypatch.setitem(llmbar.UPSTREAM, key, wrong)
    assert llmbar.against_upstream(shared / "data").figures["Adversarial/Manual"]["different"] == [
        "PaLM2/Metrics"
    ]
