from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import Outcome, Score
from acidtest.metrics.declare import metric
from acidtest.metrics.reference_free import reference_free
from acidtest.metrics.registry import known, named


def test_which_of_our_metrics_need_nothing_but_question_contexts_and_answer():
    ours = {
        name
        for name, each in known().items()
        if each.fn.__module__.startswith("acidtest.") and reference_free(each)
    }
    assert ours == {
        "answer_relevance",
        "answer_relevancy",
        "citation_precision",
        "citation_recall",
        "citation_validity",
        "context_precision_judged",
        "context_relevance",
        "context_usefulness",
        "faithfulness",
        "faithfulness_binary",
        "faithfulness_score",
        "grounding_leak",
    }


def test_a_metric_of_ones_own_is_unless_it_says_otherwise():
    def tone(case: Case, answer: Answer) -> Outcome:
        return Score(1.0)

    assert reference_free(metric(stage="generation")(tone))
    assert not reference_free(metric(stage="generation", labelled=True)(tone))
    assert not reference_free(named("exact_match"))
