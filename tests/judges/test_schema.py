"""The schema of a reply: strict, counted, without the abstaining word, made once."""

import re
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from acidtest.judges.schema import full_schema, in_words, misfit, schema, schema_name
from acidtest.metrics.contexts.context_recall import CONTEXT_RECALL
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.ports import Prompt

FIELDS = {"passages": ["a", "b", "c"], "sentences": ["x", "y"], "question": "q"}
FIELDS |= {"answer": "a", "reference": "r"}
PROMPTS = [FAITHFULNESS, CONTEXT_RECALL, CONTEXT_USEFULNESS, CORRECTNESS]


class Rating(Struct, frozen=True):
    """A rating."""

    why: str
    stars: Annotated[int, Meta(ge=0, le=10)]
    share: Annotated[float, Meta(ge=0, le=1)] = 0.0
    level: Literal[1, 2, 3] = 1
    tone: Literal["polite", "rude", "undecided"] | None = None


class Tree(Struct, frozen=True):
    name: str
    inner: "tuple[Tree, ...]" = ()


def nodes(node):
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            inside = value.values() if key in {"properties", "$defs"} else [value]
            for each in inside:
                yield from nodes(each)
    elif isinstance(node, list):
        for each in node:
            yield from nodes(each)


def prompt(reply, **more):
    return Prompt(name="p", version="1", template="", reply=reply, **more)


@pytest.mark.parametrize("asked", [*PROMPTS, prompt(Rating), prompt(Tree)], ids=lambda p: p.name)
def test_it_is_what_strict_structured_output_takes(asked):
    made = schema(asked, FIELDS)
    assert made["type"] == "object"
    assert "$ref" not in made
    for node in nodes(made):
        assert not node.keys() & {"title", "description", "default", "oneOf", "allOf"}
        if "properties" in node:
            assert node["required"] == list(node["properties"])
            assert node["additionalProperties"] is False
        if "enum" in node:
            assert node["type"] in {"string", "integer"}


@pytest.mark.parametrize("asked", PROMPTS, ids=lambda p: p.name)
def test_abstaining_is_not_offered(asked):
    words = [word for node in nodes(schema(asked, FIELDS)) for word in node.get("enum", [])]
    assert words
    assert "undecided" not in words
    every = [word for node in nodes(full_schema(asked.reply)) for word in node.get("enum", [])]
    assert sorted(every) == sorted([*words, "undecided"])


def test_a_prompt_may_say_that_the_word_is_ordinary():
    made = schema(prompt(Rating, abstain=None), {})
    assert "undecided" in str(made)
    assert "rude" not in str(schema(prompt(Rating, abstain="rude"), {}))


def test_reasons_come_before_verdicts_as_in_the_struct():
    claim = schema(FAITHFULNESS, FIELDS)["properties"]["sentences"]["items"]["properties"]["claims"]
    assert list(claim["items"]["properties"]) == ["claim", "passage", "quote", "why", "verdict"]


def test_scales_are_kept():
    inside = schema(prompt(Rating), {})["properties"]
    assert inside["stars"] == {"type": "integer", "minimum": 0, "maximum": 10}
    assert inside["share"] == {"type": "number", "minimum": 0, "maximum": 1}
    assert inside["level"] == {"type": "integer", "enum": [1, 2, 3]}


def test_lists_named_as_a_numbered_field_have_its_length_and_no_others():
    made = schema(FAITHFULNESS, FIELDS)["properties"]["sentences"]
    assert (made["minItems"], made["maxItems"]) == (2, 2)
    assert "minItems" not in made["items"]["properties"]["claims"]
    useful = schema(CONTEXT_USEFULNESS, FIELDS)["properties"]["passages"]
    assert (useful["minItems"], useful["maxItems"]) == (3, 3)
    assert (
        "minItems" not in schema(FAITHFULNESS, {"sentences": "a text"})["properties"]["sentences"]
    )


def test_it_is_made_once_a_struct_and_count():
    first = schema(FAITHFULNESS, FIELDS)
    assert schema(FAITHFULNESS, {**FIELDS, "sentences": ["other", "texts"]}) is first
    assert schema(CONTEXT_RECALL, FIELDS) is first
    other = schema(FAITHFULNESS, {**FIELDS, "sentences": ["one"]})
    assert other["properties"]["sentences"]["maxItems"] == 1
    assert first["properties"]["sentences"]["maxItems"] == 2


def test_a_reply_that_holds_itself_keeps_its_reference():
    made = schema(prompt(Tree), {})
    assert made["$defs"]["Tree"]["properties"]["inner"]["items"] == {"$ref": "#/$defs/Tree"}
    assert misfit({"name": "a", "inner": [{"name": "b", "inner": []}]}, made) is None


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"sentences": [{"sentence": 1, "claims": []}, {"sentence": 2, "claims": []}]}, None),
        ({"sentences": [{"sentence": 1, "claims": []}]}, "1 items, and 2 were asked for"),
        ({"sentences": [{"sentence": n, "claims": []} for n in range(5)]}, "5 items"),
        (
            {"sentences": [{"sentence": 1, "claims": [{"verdict": "undecided"}]}, {}]},
            r"\$.sentences\[0\].claims\[0\].verdict is .undecided., and must be one of contradicted, supported",
        ),
    ],
)
def test_what_does_not_fit_is_named(value, fault):
    said = misfit(value, schema(FAITHFULNESS, FIELDS))
    if fault is None:
        assert said is None
    else:
        assert re.search(fault, said or "")


def test_alternatives_fit_when_one_of_them_does():
    form = schema(prompt(Rating), {})
    assert misfit({"tone": None}, form) is None
    assert misfit({"tone": "polite"}, form) is None
    assert misfit({"tone": "undecided"}, form) is not None


def test_names_are_what_providers_allow():
    assert schema_name(FAITHFULNESS) == "faithfulness"
    odd = Prompt(name="häuser & " + "x" * 99, version="1", template="", reply=Rating)
    assert schema_name(odd) == ("h_user___" + "x" * 99)[:64]


def test_it_can_be_asked_for_in_words():
    words = in_words(schema(CORRECTNESS, FIELDS))
    assert msgspec.json.decode(words.split("\n", 1)[1]) == schema(CORRECTNESS, FIELDS)
