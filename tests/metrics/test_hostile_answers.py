"""Any answer over any contexts gives a value in 0..1 or a reason, and never an error."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case, Evidence
from acidtest.data.outcomes import Outcome, Score
from acidtest.metrics.end_to_end.abstention import abstention_accuracy
from acidtest.metrics.end_to_end.exact_match import exact_match
from acidtest.metrics.end_to_end.token_f1 import token_f1
from acidtest.metrics.generation.citation_precision import citation_precision
from acidtest.metrics.generation.citation_recall import citation_recall
from acidtest.metrics.generation.citation_validity import citation_validity
from acidtest.metrics.generation.grounding_leak import grounding_leak
from acidtest.metrics.text.token_recall import token_recall

PIECES = st.sampled_from(
    [
        "[1]", "[2, 3]", "[c1]", "[", "]", " ", ". ", "\n", '"', "30 days", "€5", "Acme", "sk-abcdefghijklmnop1234",
        "the documents do not say", "I don't know", "but ", "退款。", "วัน ", "{0}", "%s", "\x00", "\u202e", "a@b.co", "?",
        "- ", "1. ", "🙂",
    ]
)  # fmt: skip
TEXT = st.one_of(
    st.lists(PIECES, max_size=25).map("".join), st.text(st.characters(codec="utf-8"), max_size=60)
)
CHUNKS = st.lists(
    st.builds(
        Chunk,
        id=st.sampled_from([None, "c1", "1", "2"]),
        text=st.one_of(st.none(), TEXT),
        source=st.sampled_from([None, "a/b.md"]),
    ),
    max_size=3,
).map(tuple)
LISTED = st.one_of(
    st.none(), st.lists(st.sampled_from(["c1", "9", "", "[1]"]), max_size=3).map(tuple)
)


@settings(deadline=None, derandomize=True)
@given(TEXT, CHUNKS, LISTED, TEXT)
def test_every_metric_gives_a_share_or_a_reason(
    text: str, chunks: tuple[Chunk, ...], listed: tuple[str, ...] | None, other: str
) -> None:
    answer = Answer(case_id="x", text=text, retrieved=chunks, citations=listed)
    case = Case(id="x", question=other)
    outcomes: list[Outcome] = [
        abstention_accuracy(case, answer),
        exact_match(text, other),
        token_f1(text, other),
        citation_validity(answer, text, chunks),
        citation_precision(answer, text, chunks),
        citation_recall(answer, text, chunks),
        grounding_leak(case, text, chunks),
        token_recall(chunks, (Evidence(text=other),)),
    ]
    for outcome in outcomes:
        if isinstance(outcome, Score):
            assert math.isfinite(outcome.value)
            assert 0.0 <= outcome.value <= 1.0
        else:
            assert outcome.why


@settings(deadline=None, derandomize=True)
@given(TEXT, CHUNKS)
def test_what_the_contexts_hold_word_for_word_leaks_nothing(
    text: str, chunks: tuple[Chunk, ...]
) -> None:
    outcome = grounding_leak(
        Case(id="x", question="?"), text, (*chunks, Chunk(id="own", text=text))
    )
    assert not isinstance(outcome, Score) or outcome.value == 0.0, outcome
