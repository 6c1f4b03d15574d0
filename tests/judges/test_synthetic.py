"""Made-up replies: valid for every prompt there is, and for forms that nobody has thought of."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from acidtest.judges.schema import schema
from acidtest.judges.synthetic import PATHS, reply_tokens, synthetic
from acidtest.judges.words import words
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
from acidtest.ports import Prompt

FIELDS: dict[str, Any] = {
    "passages": ["The page.", "", "Another page."],
    "question": "When?",
    "sentences": ["It is now.", "It was then."],
    "points": ["It is now."],
    "claims": ["It is now.", "It was then."],
    "answer": "Сейчас. Это ответ.",
    "reference": "Now.",
    "count": 4,
}
PROMPTS = (
    CONTEXT_PRECISION, CONTEXT_RECALL, CONTEXT_RELEVANCE, CONTEXT_USEFULNESS, REFERENCE_IN_CONTEXTS,
    CORRECTNESS, FACTUAL_CORRECTNESS, ANSWER_RELEVANCE, ANSWER_RELEVANCY, FAITHFULNESS,
    FAITHFULNESS_SCORE, CLAIMS_AGAINST_REFERENCE,
)  # fmt: skip


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
@pytest.mark.parametrize("path", range(PATHS))
def test_every_prompt_of_ours_gets_a_valid_reply(prompt, path):
    reply = synthetic(prompt, FIELDS, path)
    assert isinstance(reply, prompt.reply)
    assert prompt.check is None or prompt.check(reply, FIELDS) is None
    assert prompt.abstain not in words(reply)
    assert 3 < reply_tokens(schema(prompt, FIELDS), FIELDS) < 1000


def test_the_paths_meet_all_combinations_of_a_list_of_two_and_one_of_three():
    class Both(Struct):
        two: Literal["a", "b"]
        three: Literal["x", "y", "z"]

    prompt = Prompt(name="both", version="1", template="", reply=Both)
    replies = [synthetic(prompt, {}, path) for path in range(PATHS)]
    assert len({(r.two, r.three) for r in replies}) == 6


def test_numbers_take_both_ends_of_their_scale():
    class Marks(Struct):
        score: Annotated[int, Meta(ge=2, le=9)]
        share: Annotated[float, Meta(ge=0.5, le=0.75)]
        sure: bool

    prompt = Prompt(name="marks", version="1", template="", reply=Marks)
    assert {(r.score, r.share, r.sure) for r in (synthetic(prompt, {}, p) for p in range(2))} == {
        (9, 0.75, True),
        (2, 0.5, False),
    }


class Tree(Struct):
    name: str
    leaves: tuple["Tree", ...]
    next: "Tree | None" = None


def test_a_form_that_stands_in_itself_comes_to_an_end():
    prompt = Prompt(name="tree", version="1", template="", reply=Tree)
    assert isinstance(synthetic(prompt, {"count": 90}, 0), Tree)
    assert 0 < reply_tokens(schema(prompt, {}), {}) < 1e6


class Pairs(Struct):
    pair: tuple[int, str]
    maybe: str | None
    words: list[str]
    named: dict[str, int]


def test_other_shapes():
    prompt = Prompt(name="pairs", version="1", template="", reply=Pairs)
    reply = synthetic(prompt, {}, 0)
    assert len(reply.pair) == 2
    assert reply.maybe
    assert reply.words


def test_what_must_stand_in_a_field_is_taken_from_it():
    class Span(Struct):
        span: str

    prompt = Prompt(
        name="span",
        version="1",
        template="",
        reply=Span,
        check=lambda reply, fields: None if reply.span in fields["text"] else "it is not there",
    )
    assert synthetic(prompt, {"text": "  12: The span."}, 0).span in "  12: The span."


def test_a_check_that_nothing_passes_or_that_raises_gives_no_reply():
    class Word(Struct):
        word: str

    def raises(reply, fields):
        raise ValueError(fields["missing"])

    for check in (lambda _reply, _fields: "never", raises):
        prompt = Prompt(name="word", version="1", template="", reply=Word, check=check)
        assert synthetic(prompt, {"a": "text", "n": 3}, 0) is None


def test_a_reply_is_longer_the_more_is_asked():
    few, many = ({**FIELDS, "sentences": ["x"] * n} for n in (1, 10))
    assert reply_tokens(schema(FAITHFULNESS, many), many) > 8 * reply_tokens(
        schema(FAITHFULNESS, few), few
    )
