"""Token recall: the worked definition, a second implementation, degenerate inputs."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acidtest.data.answers import Chunk
from acidtest.data.golden import Evidence
from acidtest.data.outcomes import Score, Skip
from acidtest.metrics.text.token_recall import token_recall


def chunks(*texts: str) -> tuple[Chunk, ...]:
    return tuple(Chunk(id=f"c{n}", rank=n, text=text) for n, text in enumerate(texts, 1))


def evidence(*texts: str) -> tuple[Evidence, ...]:
    return tuple(Evidence(text=text) for text in texts)


def value(retrieved: tuple[Chunk, ...], wanted: tuple[Evidence, ...]) -> float:
    outcome = token_recall(retrieved, wanted)
    assert isinstance(outcome, Score), outcome
    return outcome.value


def test_worked_by_hand() -> None:
    # evidence: the x2, refund, takes, thirty, days; retrieved has the, refund, days: 3 of 6
    wanted = evidence("The refund takes the thirty days")
    assert value(chunks("THE Refund!", "in days"), wanted) == pytest.approx(3 / 6)


def test_a_token_counts_as_often_as_both_have_it() -> None:
    assert value(chunks("a"), evidence("a a a")) == pytest.approx(1 / 3)
    assert value(chunks("a", "a b"), evidence("a a a")) == pytest.approx(2 / 3)


def test_each_evidence_chunk_is_counted_apart() -> None:
    # both pieces want one "a", and the one that was retrieved serves both
    assert value(chunks("a"), evidence("a b", "a c")) == pytest.approx(2 / 4)


def test_nothing_retrieved_is_zero() -> None:
    outcome = token_recall((), evidence("a b"))
    assert isinstance(outcome, Score)
    assert outcome.value == 0.0
    assert outcome.reason == "nothing was retrieved"


def test_a_chunk_that_comes_twice_counts_once() -> None:
    twice = (Chunk(id="c", text="a"), Chunk(id="c", text="a"))
    assert value(twice, evidence("a a")) == 0.5
    assert value((Chunk(text="a"), Chunk(text="a")), evidence("a a")) == 1.0


@pytest.mark.parametrize("wanted", [(), evidence(""), evidence("?!", " ")])
def test_no_evidence_text_is_skipped(wanted: tuple[Evidence, ...]) -> None:
    assert isinstance(token_recall(chunks("a"), wanted), Skip)


def test_chunks_without_text_are_skipped_and_empty_ones_are_zero() -> None:
    assert isinstance(token_recall((Chunk(id="a"),), evidence("a")), Skip)
    assert value(chunks(""), evidence("a")) == 0.0


def test_what_is_missing_is_shown() -> None:
    outcome = token_recall(
        chunks("the refund"), (Evidence(text="the refund window", chunk_id="r1"),)
    )
    assert isinstance(outcome, Score)
    assert outcome.evidence == ({"chunk_id": "r1", "found": 2, "tokens": 3, "missing": ["window"]},)
    assert outcome.parts == {"found": 2, "tokens": 3}


def test_chinese_and_thai_are_counted_by_letter() -> None:
    assert value(chunks("三十天内可以退款"), evidence("退款需要三十天")) == pytest.approx(5 / 7)
    assert 0 < value(chunks("คืนเงิน"), evidence("การคืนเงินใช้เวลา")) < 1


@settings(deadline=None, derandomize=True)
@given(
    st.lists(st.text(st.sampled_from("abc é_.1"), max_size=20), max_size=4),
    st.lists(st.text(st.sampled_from("abc é_.1"), max_size=20), min_size=1, max_size=4),
)
def test_it_is_the_definition_counted_the_slow_way(have: list[str], want: list[str]) -> None:
    pool = [token for text in have for token in re.findall(r"\w+", text.lower())]
    total = found = 0
    for text in want:
        left = list(pool)
        for token in re.findall(r"\w+", text.lower()):
            total += 1
            if token in left:
                left.remove(token)
                found += 1
    outcome = token_recall(chunks(*have), evidence(*want))
    if total == 0:
        assert isinstance(outcome, Skip)
    else:
        assert isinstance(outcome, Score)
        assert outcome.value == found / total
