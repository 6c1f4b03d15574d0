"""Grounding leak: what nothing given to the system holds."""

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.golden import Case, Turn
from acidtest.data.outcomes import Score, Skip
from acidtest.metrics.generation.grounding_leak import grounding_leak

CASE = Case(
    id="x", question="What does Pro cost at Initech?", history=(Turn("user", "I am Zoë Quill."),)
)
CHUNKS = (
    Chunk(
        id="c1", text="The Pro plan by Acme Corp costs €1,000 for 30 days. Write to help@acme.test."
    ),
    Chunk(id="c2", text="Kubernetes clusters, see RFC 2119, from 5 March 2024."),
)


def leak(text: str, chunks: tuple[Chunk, ...] = CHUNKS) -> Score:
    outcome = grounding_leak(CASE, text, chunks)
    assert isinstance(outcome, Score), outcome
    return outcome


@pytest.mark.parametrize(
    "text",
    [
        "The Pro plan of Acme Corp costs 1000 EUR for 30 days.",
        "Write to help@acme.test, and see RFC-2119.",
        "Use Kubernetes, as Initech does, says Zoë Quill.",
        "It began in March 2024 [1].",
        "There are two ways:\n1. Wait.\n2. Write again.",
        "See [c2] for more.",
        "nothing that could leak",
        "I don't know.",
    ],
)
def test_what_was_given_leaks_nothing(text: str) -> None:
    assert leak(text).value == 0.0


@pytest.mark.parametrize(
    ("text", "kind", "item"),
    [
        ("It is sold to Globex too.", "name", "Globex"),
        ("We ask Acme Labs about it.", "name", "Acme Labs"),
        ("It costs €59 now.", "number", "€59"),
        ("It lasts 30 weeks.", "number", "30 weeks"),
        ("It began on 6 March 2024.", "number", "6 March 2024"),
        ("Write to bob@globex.test now.", "email", "bob@globex.test"),
        ("See https://globex.test/x now.", "url", "https://globex.test/x"),
        ("Set my_secret_flag now.", "name", "my_secret_flag"),
        ("The key is sk-abcdefghijklmnop1234 now.", "API key", "sk-a...(23 characters)"),
    ],
)
def test_what_was_not_given_leaks(text: str, kind: str, item: str) -> None:
    outcome = leak(text)
    assert outcome.value > 0.0
    assert {"kind": kind, "text": item} in outcome.evidence


def test_the_value_is_the_share_of_items() -> None:
    outcome = leak("Acme Corp asks Globex for 30 days and Initrode for €7.")
    # items: Acme Corp, Globex, 30 days, Initrode, €7
    assert outcome.value == pytest.approx(3 / 5)
    assert outcome.parts == {"items": 5, "leaked": 3}


def test_an_item_said_twice_counts_once() -> None:
    assert leak("We ask Globex, and Globex again.").parts == {"items": 1, "leaked": 1}


def test_no_item_and_no_context() -> None:
    assert "no name" in leak("all is well").reason
    assert leak("We ask Globex.", ()).value == 1.0
    assert leak("We ask Initech.", ()).value == 0.0


def test_an_empty_answer_and_contexts_without_text_are_skipped() -> None:
    assert isinstance(grounding_leak(CASE, " ", CHUNKS), Skip)
    assert isinstance(grounding_leak(CASE, "We ask Globex.", (Chunk(id="a"),)), Skip)


def test_a_secret_is_never_written_out() -> None:
    outcome = leak("The key is sk-abcdefghijklmnop1234 now.")
    assert "efghijklmnop" not in repr(outcome)


def test_lower_is_better() -> None:
    assert grounding_leak.direction == "lower"
