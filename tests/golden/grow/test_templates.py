"""Drafts by patterns: what each gives, in which language, and what they leave alone."""

import pytest

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.golden.grow.near import Nearest
from acidtest.golden.grow.templates import templates


def drafts(text, kind="lookup", others=(), **more):
    chunk = CorpusChunk(**{"id": "c", "text": text} | more)
    every = [chunk, *(CorpusChunk(id=f"o{n}", text=other) for n, other in enumerate(others))]
    return templates(chunk, kind, Nearest(Corpus(every)))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("A **golden set** is a list of questions with answers.", "What is a golden set?"),
        ("The default timeout is 30 seconds for every call.", "What is the default timeout?"),
        ("The Pro plan costs 49 euros a month, all in all.", "What does the Pro plan cost?"),
        ("JSONL is the canonical form of a set of cases.", "What is JSONL?"),
        ("Die Standardfrist ist eine Woche nach dem Kauf der Ware.", "Was ist Die Standardfrist?"),
        ("La garantie est une promesse du vendeur de la machine.", "Qu'est-ce que La garantie ?"),
        ("润滑油是一种减少摩擦的液体，每周需要更换一次。", "润滑油是什么？"),
    ],
)
def test_definitions(text, question):
    found = drafts(text)
    assert [(each.pattern, each.question) for each in found] == [("definition", question)]
    start, end = found[0].place
    assert text[start:end].replace("*", "") == found[0].reference


@pytest.mark.parametrize(
    "text",
    [
        "Proof of enrolment is due by 31 October of every year.",
        "The office is closed from 24 December on for two weeks.",
        "The deposit is refunded within 14 days of the return.",
        "It is a good thing that this was said so early on.",
        "This is the reason why nobody came to the party at all.",
        "There is a way around it that few people know about.",
        "Nothing here defines anything, and so nobody asks.",
        "```\nThe port is 8080 in this listing of code, be sure.\n```",
        "# Heading is a word here that is not a sentence at all",
    ],
)
def test_what_is_no_definition(text):
    assert drafts(text) == []


def test_tables():
    text = "Prices:\n\n| Plan | Price | Seats |\n|---|---|---|\n| Basic | €9 | 1 |\n| Pro | €49 | 5 |\n"
    found = drafts(text)
    assert [(each.question, each.reference) for each in found] == [
        ("What is the price of Basic?", "€9"),
        ("What is the seats of Basic?", "1"),
        ("What is the price of Pro?", "€49"),
        ("What is the seats of Pro?", "5"),
    ]
    assert text[slice(*found[-1].place)] == "| Pro | €49 | 5 |"


def test_headings_are_typed_into_a_search_box():
    (found,) = drafts(
        "Open the account page and press the red button at its end, then wait.",
        section="Cancel a plan",
        title="Billing",
    )
    assert (found.pattern, found.question) == ("heading", "Billing: Cancel a plan")
    assert found.reference.startswith("Open the account page")


def test_identifiers_and_names_like_them_that_stand_nowhere():
    text = "Error E-4031 says that the disk of the machine is full of old logs."
    (known,) = drafts(text, "identifier")
    assert known.question == "What does E-4031 mean?"
    assert known.reference == text
    (swapped,) = drafts(text, "unanswerable", others=["E-4032, e-4041, E-4131 and E-5031."])
    assert swapped.question == "What does E-4033 mean?"
    assert (swapped.reference, swapped.place) == (None, None)


def test_a_name_without_a_free_neighbour_is_left_alone():
    taken = " ".join(f"K{n}" for n in range(10))
    assert drafts("The valve K1 opens first, as the manual says.", "unanswerable", [taken]) == []


def test_other_languages_get_the_words_alone():
    (found,) = drafts("Ошибка E-4031 означает, что диск машины полон.", "identifier")
    assert found.question == "E-4031"


def test_other_kinds_get_nothing():
    assert drafts("A valve is a thing that opens and shuts in a pipe.", "multi-hop") == []


def test_hostile_texts_are_only_texts():
    text = "The {0} %s {{x}} is a \\ thing " + "that | goes | on " * 500
    for kind in ("lookup", "identifier", "unanswerable"):
        drafts(text, kind, section="{} {1} {name}", title="%d")
    (found,) = drafts("A {0} of {name} is a thing that opens and shuts.")
    assert found.question == "What is a {0} of {name}?"
