"""The prompts: what stands in them, and that their fields are those that are asked."""

import re

import pytest

from acidtest.metrics.contexts.context_recall import CONTEXT_RECALL
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.metrics.generation.faithfulness import FAITHFULNESS

FIELDS = {
    FAITHFULNESS: ["passages", "question", "sentences"],
    CONTEXT_RECALL: ["passages", "question", "sentences"],
    CONTEXT_USEFULNESS: ["passages", "question", "answer"],
    CORRECTNESS: ["question", "reference", "answer"],
}
VERDICTS = {
    FAITHFULNESS: ["supported", "contradicted", "unsupported"],
    CONTEXT_RECALL: ["supported", "contradicted", "unsupported"],
    CONTEXT_USEFULNESS: ["useful", "useless"],
    CORRECTNESS: ["correct", "partial", "incorrect"],
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
