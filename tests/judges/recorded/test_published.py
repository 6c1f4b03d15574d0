"""Figures that others published of judges and people come out of this project's code again."""

import pytest

ROUNDED_TWICE = {
    "mtrag: bert_kprec by people's faithfulness, Spearman": 0.67497,
    "mtrag: rb_llm by people's faithfulness, Spearman": 0.22461,
    "RAGChecker: correctness, people with each other, Pearson": 0.49452,
}
"""Of these the last digit that was given is one too high: .675 was made .68."""


@pytest.fixture(scope="module")
def published(bench):
    return bench("judges_published")


@pytest.fixture(scope="module")
def found(published, bench, shared):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bench("judges_tables"), "DRAWS", 20)  # no interval is looked at
        return {each.what: each for each in published.figures(shared / "data")}


def test_published_figures_come_out(found):
    assert len(found) == 43
    assert {name for name, each in found.items() if not each.same} == set(ROUNDED_TWICE)
    for name, value in ROUNDED_TWICE.items():
        assert found[name].value == pytest.approx(value, abs=1e-4)


def test_a_figure_that_does_not_come_out_is_told(published):
    assert published.Figure("x", ".43", 0.4349).same
    assert not published.Figure("x", ".43", 0.4361).same
    assert not published.Figure("x", ".43", 0.42).same


def test_the_figures_that_matter_most(found):
    assert found["mtrag: RAGAS faithfulness, kappa"].value == pytest.approx(0.427, abs=5e-4)
    assert found["nq301: gpt-4, kappa"].value == pytest.approx(0.696, abs=5e-4)
    assert found["nq301: people with each other, kappa"].value == pytest.approx(0.736, abs=5e-4)
    assert found["evouna: contains a gold answer, kappa"].value == pytest.approx(0.674, abs=5e-4)
    of = ("correctness", "completeness", "overall")
    rs = [found[f"RAGChecker: {name}, Pearson"].value for name in of]
    assert rs == pytest.approx([0.492, 0.593, 0.627], abs=5e-4)
