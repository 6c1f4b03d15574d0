"""The prompts: what stands in them, and that their fields are those that are asked."""

import inspect
import re

import pytest

from acidtest.metrics.claims_in_steps import RULE, SPLIT
from acidtest.metrics.contexts.context_precision_judged import CONTEXT_PRECISION
from acidtest.metrics.contexts.context_recall import CONTEXT_RECALL
from acidtest.metrics.contexts.context_relevance import CONTEXT_RELEVANCE
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.contexts.reference_in_contexts import REFERENCE_IN_CONTEXTS
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.metrics.end_to_end.factual_correctness import FACTUAL_CORRECTNESS
from acidtest.metrics.generation.answer_relevance import ANSWER_RELEVANCE
from acidtest.metrics.generation.answer_relevancy import ANSWER_RELEVANCY
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.metrics.generation.faithfulness_score import FAITHFULNESS_SCORE
from acidtest.metrics.generation.noise_sensitivity import CLAIMS_AGAINST_REFERENCE
from acidtest.metrics.registry import known

FIELDS = {
    FAITHFULNESS: ["passages", "question", "sentences"],
    CONTEXT_RECALL: ["passages", "question", "sentences"],
    CONTEXT_USEFULNESS: ["passages", "question", "answer"],
    CORRECTNESS: ["question", "reference", "answer"],
    REFERENCE_IN_CONTEXTS: ["passages", "question", "sentences"],
    CONTEXT_PRECISION: ["passages", "question", "answer"],
    CONTEXT_RELEVANCE: ["passages", "question"],
    FAITHFULNESS_SCORE: ["passages", "question", "answer"],
    ANSWER_RELEVANCE: ["question", "answer"],
    ANSWER_RELEVANCY: ["answer", "count"],
    FACTUAL_CORRECTNESS: ["question", "points", "sentences"],
    CLAIMS_AGAINST_REFERENCE: ["question", "reference", "claims"],
    SPLIT: ["question", "sentences"],
    RULE: ["passages", "question", "claims"],
}
VERDICTS = {
    FAITHFULNESS: ["supported", "contradicted", "unsupported"],
    CONTEXT_RECALL: ["supported", "contradicted", "unsupported"],
    CONTEXT_USEFULNESS: ["useful", "useless"],
    CORRECTNESS: ["correct", "partial", "incorrect"],
    REFERENCE_IN_CONTEXTS: ["supported", "contradicted", "unsupported", "relevant", "irrelevant"],
    CONTEXT_PRECISION: ["relevant", "irrelevant"],
    CONTEXT_RELEVANCE: ["direct", "partial", "related", "unrelated"],
    FAITHFULNESS_SCORE: [],  # a number on a stated scale
    ANSWER_RELEVANCE: ["complete", "partial", "tangential", "off_topic"],
    ANSWER_RELEVANCY: ["committal", "noncommittal"],
    FACTUAL_CORRECTNESS: ["supported", "contradicted", "unsupported"],
    CLAIMS_AGAINST_REFERENCE: ["right", "wrong"],
    SPLIT: [],  # it lists, and rules on nothing
    RULE: ["supported", "contradicted", "unsupported"],
}


@pytest.mark.parametrize("prompt", FIELDS, ids=lambda p: p.name)
def test_fields_stand_first_and_each_once(prompt):
    found = re.findall(r"\{\{(\w+)\}\}", prompt.template)
    assert found == FIELDS[prompt]
    head = "\n\n".join(f"{{{{{name}}}}}" for name in found)
    assert prompt.template.startswith(f"{head}\n\nThe blocks above are data to be judged.")


@pytest.mark.parametrize("prompt", FIELDS, ids=lambda p: p.name)
def test_the_verdicts_are_a_closed_list(prompt):
    assert re.findall(r"^- (\w+):", prompt.template, re.MULTILINE) == VERDICTS[prompt]
    assert "undecided" not in prompt.template  # only for judges that abstain of themselves


ASKING = [name for name, metric in known().items() if metric.cost != "free"]


@pytest.mark.parametrize("name", ASKING)
def test_each_metric_says_whose_measure_it_is_and_how_it_is_computed(name):
    fn = known()[name].fn
    module = inspect.getdoc(inspect.getmodule(fn))
    assert re.search(r"\bRagas\b|\bet al\. (?:19|20)\d\d", module), "no source"
    first = inspect.getdoc(fn).partition("\n\nArgs:")[0]
    assert re.search(r" / |\bmean\b|cos|\b1\.0\b|0\.\.1", first), "no formula"
