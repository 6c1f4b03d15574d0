"""How a text is typeset says nothing: bold, capitals, white space must not move a ruling."""

import pytest

from acidtest.judges.local.claims import answer
from acidtest.judges.local.correctness import answer as correctness
from acidtest.judges.local.remarks import remark
from acidtest.judges.local.rules import THRESHOLDS

PLAN = (
    "The Pro plan of Contoso costs 1,000 euros per month from 3 March 2024 on. "
    "Replies are sent no later than the 3rd day. It does not include telephone support in Lisbon."
)
CLAIMS = (
    ("The Pro plan of Contoso costs 1,000 euros per month from 3 March 2024 on.", "supported"),
    ("Replies are sent no later than the 3rd day.", "supported"),
    ("It does not include telephone support in Lisbon.", "supported"),
    ("The Pro plan of Contoso costs 1,500 euros per month.", "unsupported"),
    ("Visitors park bicycles behind the northern warehouse.", "unsupported"),
    ("It does include telephone support in Lisbon.", "undecided"),
    ("It does not include telephone support in Toronto.", "undecided"),
)


def ruled(sentence, passage=PLAN):
    claims = answer({"sentences": [sentence], "passages": [passage]}, THRESHOLDS)
    return [claim["verdict"] for claim in claims["sentences"][0]["claims"]]


CHANGES = {
    "as it is": lambda text: text,
    "bold": lambda text: f"**{text}**",
    "bold and italic": lambda text: f"***{text}***",
    "underlined": lambda text: f"__{text}__",
    "italic": lambda text: f"*{text}*",
    "bold item": lambda text: f"- **{text}**",
    "bold numbered item": lambda text: f"2. **{text}**",
    "bold heading": lambda text: f"## {text}",
    "two spaces": lambda text: text.replace(" ", "  "),
    "tabs": lambda text: text.replace(" ", "\t"),
    "lines": lambda text: text.replace(" ", "\n"),
    "hard spaces": lambda text: text.replace(" ", "\u00a0"),
    "spaces around": lambda text: f"\n  {text}\n\n",
    "capitals": str.upper,
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("sentence", "verdict"), CLAIMS)
def test_a_claim_typeset_otherwise_gets_the_same_ruling(sentence, verdict, change):
    assert ruled(CHANGES[change](sentence)) == [verdict]


@pytest.mark.parametrize("change", ["two spaces", "tabs", "hard spaces", "capitals"])
@pytest.mark.parametrize(("sentence", "verdict"), CLAIMS)
def test_so_does_one_whose_passage_is(sentence, verdict, change):
    assert ruled(sentence, CHANGES[change](PLAN)) == [verdict]


def test_in_capitals_a_word_of_no_passage_may_be_a_name():
    passage = "The company was founded in Lyon in 2010 by Anna Smith and two colleagues."
    claim = "The company was founded in Lyon in 2010 by Maria Smith and two colleagues."
    assert ruled(claim, passage) == ruled(claim.upper(), passage) == ["undecided"]


def test_capitals_make_nothing_unsupported():
    passage = "The office in Lyon sends the parcels out on Monday."
    assert ruled("PARCELS LEAVE THE OFFICE EVERY WEEK, QUICKLY AND SAFELY.", passage) != [
        "supported"
    ]
    assert ruled("THE OFFICE SENDS THE BIG PARCELS QUICKLY.", passage) == ["undecided"]


@pytest.mark.parametrize(
    "line",
    [
        "**Pricing**",
        "**Pricing and plans**",
        "**Pricing and plans**:",
        "**Pricing and plans:**",
        "***Pricing***",
        "__Pricing__",
        "## Pricing and plans of the year",
        "---",
        "***",
        "**What does it cost?**",
        "**Certainly!**",
        "Here are the steps: 1.",
    ],
)
def test_headings_claim_nothing(line):
    assert remark(line)


@pytest.mark.parametrize(
    "line",
    [
        "**The Pro plan costs 49 euros.**",
        "**The Pro plan costs 49 euros per month and no more**",
        "**Die Frist beträgt zwei Wochen zum Monatsende**",
        "**专业版每月收费四十九欧元，包含优先技术支持服务**",
        "# The Pro plan costs 49 euros.",
        "**Price**: it costs 49 euros.",
        "**Support** and **updates** are included",
    ],
)
def test_bold_statements_claim_something(line):
    assert not remark(line)


def test_a_number_at_the_end_of_a_sentence_is_no_list_marker():
    passage = "The engine is faster compared to version 75. Another engine is used."
    assert ruled("The engine is faster compared to version 75.", passage) == ["supported"]
    assert ruled("The engine is faster compared to version 76.", passage) == ["unsupported"]


@pytest.mark.parametrize("change", ["two spaces", "tabs", "lines", "bold", "capitals"])
@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("It was founded by Anna Maria Smith.", "correct"),
        ("It was founded by Bob Jones.", "incorrect"),
        ("It was founded by Anna Jones.", "undecided"),
        ("It was not founded by Anna Maria Smith.", "undecided"),
    ],
)
def test_an_answer_typeset_otherwise_gets_the_same_ruling(said, verdict, change):
    fields = {"reference": "Anna Maria Smith", "answer": CHANGES[change](said)}
    assert correctness(fields, THRESHOLDS)["verdict"] == verdict
