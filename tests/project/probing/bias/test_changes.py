"""Changes keep what an answer says, faults do not; where one does not fit there is none."""

import random

import pytest

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.metrics.generation.answer_relevance import ANSWER_RELEVANCE
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.project.probing.bias.changes import CHANGES
from acidtest.project.probing.bias.family import family_of
from acidtest.project.probing.bias.items import Item, built_in
from acidtest.project.probing.bias.plants import FAULTS, planted
from acidtest.project.probing.bias.reversed import turned
from acidtest.project.probing.bias.topics import TOPICS
from acidtest.text.sentences import sentences

BY_NAME = {change.name: change for change in CHANGES}


def item(text, *contexts, reference=None):
    return Item(
        case=Case(id="q", question="What?", reference=reference),
        answer=Answer(
            case_id="q", text=text, retrieved=tuple(Chunk(text=each) for each in contexts)
        ),
    )


def changed(name, text, *contexts):
    made = BY_NAME[name].make(item(text, *contexts), random.Random(0))
    return made.text if made is not None else None


@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        ("restated", "It is 5.", "It is 5.\n\nIt is 5."),
        ("bullets", "It is 5. It was 4.", "- It is 5.\n- It was 4."),
        ("bullets", "- It is 5.", None),
        ("bold", "It costs 4.50 euros in Lisbon.", "It costs **4.50** euros in **Lisbon**."),
        ("bold", "Nothing of note here.", None),
        ("bold-lines", "It is 5. It was 4.", "**It is 5.**\n**It was 4.**"),
        ("capitals", "It is in Lisbon.", "IT IS IN LISBON."),
        ("capitals", "It draws 5 mW.", None),
        ("capitals", "Call load_run() first.", None),
        ("capitals", "Er heißt Groß.", None),
        ("numbers", "It takes 3 days and 12,500 euros.", "It takes three days and 12500 euros."),
        ("numbers", "It is 12500 metres.", "It is 12,500 metres."),
        ("numbers", "It was in 2004.", None),
        ("numbers", "It is on page 3 of the book.", None),
        ("numbers", "Es kostet 12,500 Euro und das ist viel.", None),
        ("spaces", "It is 5.", "It  is  5."),
        ("spaces", "Use `a b`.", None),
        ("quotes", 'The "Pro" plan\'s price.', "The “Pro” plan’s price."),
        ("courtesies", "Der Plan kostet 49 Euro und das ist nicht viel.", None),
    ],
)
def test_an_answer_is_changed_or_left_alone(name, text, after):
    assert changed(name, text) == after


@pytest.mark.parametrize("change", [c for c in CHANGES if c.of in ("answer", "addition")])
@pytest.mark.parametrize("each", built_in(40), ids=lambda each: each.case.id)
def test_sentences_keep_their_places(change, each):
    made = change.make(each, random.Random(0))
    if made is None:
        return
    before, after = sentences(each.text), sentences(made.text)
    if change.of == "addition":
        assert after[: len(before)] == before
    else:
        assert len(after) == len(before)


def test_every_change_fits_some_of_the_built_in_items():
    for change in CHANGES:
        assert any(change.make(each, random.Random(0)) for each in built_in(40)), change.name


def test_contexts_are_shuffled_never_left_and_not_where_they_are_cited():
    for seed in range(20):
        made = BY_NAME["contexts"].make(item("Yes.", "a", "b", "c"), random.Random(seed))
        assert [c.text for c in made.contexts] != ["a", "b", "c"]
        assert sorted(c.text for c in made.contexts) == ["a", "b", "c"]
    assert BY_NAME["contexts"].make(item("Yes [1].", "a", "b"), random.Random(0)) is None
    assert BY_NAME["contexts"].make(item("Yes.", "a", "a"), random.Random(0)) is None


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_a_fault_stands_in_its_sentence_and_in_no_context(fault, topic):
    right = next(i for i in built_in(40) if i.case.id == f"{topic.name}-right")
    made = planted(right, fault, random.Random(1))
    if made is None:
        assert fault != "made-up"  # some answers have no place for the others
        return
    said = sentences(made.item.text)
    assert made.new in said[made.sentence - 1]
    known = " ".join(chunk.text for chunk in right.contexts)
    assert said[made.sentence - 1] not in known
    if fault != "negation":
        assert made.new not in known.split()
    others = [s for n, s in enumerate(said, start=1) if n != made.sentence]
    assert all(each in sentences(right.text) for each in others)


@pytest.mark.parametrize(("fault", "least"), list(zip(FAULTS, (18, 7, 14, 20), strict=True)))
def test_most_built_in_answers_have_a_place_for_a_fault(fault, least):
    right = [i for i in built_in(40) if i.case.id.endswith("-right")]
    assert sum(planted(i, fault, random.Random(0)) is not None for i in right) >= least


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("number", "See [1] for v2.0 and item #7."),
        ("number", "1. Open the door."),
        ("number", "### Step 40"),
        ("number", "These 40 are:"),
        ("name", "1. **The Lisbon office**:"),
        ("name", "Lisbon is where."),
        ("negation", "It is not open."),
        ("negation", "It isn't open."),
        ("negation", "Is it open?"),
        ("negation", "Sie ist offen und das ist gut."),
    ],
)
def test_no_fault_where_none_can_be_planted_safely(fault, text):
    assert planted(item(text, "ctx"), fault, random.Random(0)) is None


def test_only_what_the_reference_states_is_exchanged():
    made = item("It took 40 days and 7300 euros.", "ctx")
    assert planted(made, "number", random.Random(0), stated_in="40 days").old == "40"
    assert planted(made, "number", random.Random(0), stated_in="a while") is None
    twice = planted(
        item("It took 40 days. All 40 were cold.", "ctx"),
        "number",
        random.Random(0),
        stated_in="40",
    )
    assert "40" not in twice.item.text


@pytest.mark.parametrize("prompt", [CORRECTNESS, ANSWER_RELEVANCE, FAITHFULNESS])
def test_verdicts_are_offered_in_reverse(prompt):
    before = prompt.template
    after = turned(before)
    assert after != before
    assert sorted(after.split("\n")) == sorted(before.split("\n"))
    assert turned(after) == before


def test_reversed_options_keep_their_further_lines():
    text = "x\n- a: one\n  more\n- b: two\ny\n- not an option of this list\nz"
    assert turned(text).startswith("x\n- b: two\n- a: one\n  more\ny")


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("openai:gpt-4.1", "openai"),
        ("o3-mini", "openai"),
        ("claude-sonnet-4", "anthropic"),
        ("meta-llama/Llama-3.1-8B", "meta"),
        ("llama3:8b", "meta"),
        ("openai:mistral-large", "mistral"),
        ("local", None),
        ("openai:stub", None),
        ("", None),
    ],
)
def test_families_by_name(model, family):
    assert family_of(model) == family
