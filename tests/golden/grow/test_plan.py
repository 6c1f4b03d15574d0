"""Plans: spread, deterministic, in kinds, and quick on a large corpus."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden.grow.author import corpus

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.errors import UnknownName, UsageError
from acidtest.golden.grow.kinds import KINDS, SHARES, parse_kinds, quotas
from acidtest.golden.grow.plan import Wish, identifiers, make_plan
from acidtest.golden.grow.related import pairs
from acidtest.golden.grow.survey import place, survey

GERMAN = "Die Maschine braucht jede Woche drei Liter Öl, und der Meister trägt es ein."
CHINESE = "每台机器每周需要三升润滑油，由车间主任登记在册。"


@given(st.integers(1, 500), st.sets(st.sampled_from(KINDS), min_size=1))
def test_quotas_add_up_to_what_is_asked_for(n, kinds):
    weights = {kind: SHARES[kind] for kind in KINDS if kind in kinds}
    got = quotas(n, weights)
    assert sum(got.values()) == n
    for kind, count in got.items():
        exact = n * weights[kind] / sum(weights.values())
        assert abs(count - exact) < 1


def test_quotas_by_hand():
    assert quotas(1, SHARES) == {"lookup": 1}
    assert quotas(4, {"lookup": 3, "multi-hop": 1}) == {"lookup": 3, "multi-hop": 1}


def test_kinds_and_their_weights():
    assert parse_kinds([]) is None
    assert parse_kinds(["lookup, multi-hop=2", "comparison"]) == {
        "lookup": 1.0,
        "multi-hop": 2.0,
        "comparison": 1.0,
    }
    with pytest.raises(UnknownName, match="multi-hop"):
        parse_kinds(["multihop"])
    for bad in ("lookup=-1", "lookup=nan", "lookup=inf", "lookup=", "lookup=x"):
        with pytest.raises(UsageError, match="weight"):
            parse_kinds([bad])


def test_any_beginning_is_spread_over_documents_and_sections():
    chunks = Corpus(
        [
            CorpusChunk(
                id=f"{d}.{s}.{n}",
                doc_id=f"d{d}",
                section=f"s{s}",
                text=f"Chunk {n} of section {s} of document {d} says what it has to say.",
            )
            for d in range(5)
            for s in range(3)
            for n in range(4)
        ]
    )
    found = survey(chunks).chunks
    assert len(found) == 60
    assert len({chunk.doc_id for chunk in found[:5]}) == 5
    assert len({place(chunk) for chunk in found[:15]}) == 15
    assert [c.id for c in survey(chunks).chunks] == [c.id for c in found]
    assert [c.id for c in survey(chunks, seed=1).chunks] != [c.id for c in found]
    late = survey(chunks, covered=[c.id for c in found[:50]]).chunks
    assert {c.id for c in late[:10]} == {c.id for c in found[50:]}


def test_what_cannot_be_asked_about_is_counted():
    said = "This chunk has quite enough words to be asked about."
    chunks = Corpus(
        [CorpusChunk(id=str(n), text=text) for n, text in enumerate([said, said, "ten chars.", ""])]
    )
    found = survey(chunks)
    assert (len(found.chunks), found.short, found.doubled) == (1, 2, 1)
    assert "2 with under 8 words and 1 with the text of another left out" in found.why()


def test_scripts_without_spaces_have_words_too():
    chunks = Corpus([CorpusChunk(id="de", text=GERMAN), CorpusChunk(id="zh", text=CHINESE)])
    assert {chunk.id for chunk in survey(chunks).chunks} == {"de", "zh"}


def test_pairs_share_rare_terms_and_stand_apart():
    chunks = corpus(64)
    found = pairs(survey(chunks).chunks)
    assert found
    for pair in found:
        assert place(pair.first) != place(pair.second)
        assert pair.shared
        for term in pair.shared:
            assert term in pair.first.text.casefold()
            assert term in pair.second.text.casefold()
        assert 0 < pair.kinship <= 1
    both = [frozenset((pair.first.id, pair.second.id)) for pair in found]
    assert len(set(both)) == len(both)


def test_chunks_of_one_place_are_no_pair():
    text = "The zirconium valve {} opens at noon, as the harbour master wants it."
    same = Corpus(
        [CorpusChunk(id=str(n), doc_id="d", section="s", text=text.format(n)) for n in range(4)]
    )
    assert pairs(survey(same).chunks) == []


def test_a_plan_is_the_same_each_time_and_voices_vary():
    quota = quotas(30, SHARES)
    plan = make_plan(corpus(64), quota)
    again = make_plan(corpus(64), quota)
    assert plan.slots == again.slots
    lookups = plan.slots["lookup"]
    assert len({slot.persona for slot in lookups}) > 1
    assert len({slot.style for slot in lookups}) > 1
    names = [slot.name for slots in plan.slots.values() for slot in slots]
    assert len(set(names)) == len(names)
    own = make_plan(corpus(64), quota, Wish(personas=("a miner",), styles=()))
    assert {(s.persona, s.style) for s in own.slots["lookup"]} == {("a miner", "")}


def test_more_questions_go_on_where_fewer_ended():
    few, many = (make_plan(corpus(64), {"lookup": n}).slots["lookup"] for n in (5, 50))
    assert many[: len(few)] == few


def test_identifiers_hold_a_digit():
    assert identifiers("Error E-4031 of the RFC-2119 server on a Monday") == ["E-4031", "RFC-2119"]
    assert identifiers("Nothing to see in an ordinary sentence of words.") == []
    plan = make_plan(corpus(8), {"identifier": 2})
    assert len(plan.slots["identifier"]) == 6


def test_one_chunk_and_none_that_can_be_asked():
    one = make_plan(corpus(1), quotas(10, SHARES))
    assert len(one.slots["lookup"]) == 3  # variants of one chunk
    assert one.slots["multi-hop"] == one.slots["comparison"] == ()
    none = make_plan(Corpus([CorpusChunk(id="a", text="ten chars.")]), quotas(10, SHARES))
    assert not any(none.slots.values())


@pytest.mark.slow
def test_a_hundred_thousand_chunks_are_planned_in_seconds():
    chunks = Corpus(
        [
            CorpusChunk(
                id=f"c{n}",
                doc_id=f"d{n // 20}",
                section=f"s{n % 20 // 5}",
                text=f"Machine M-{n} takes {n % 97} litres, which crew{n % 7919} pours into tank{n % 6007} "
                "before the shift begins and the gates are opened for the first lorries of the day.",
            )
            for n in range(100_000)
        ]
    )
    began = time.process_time()
    plan = make_plan(chunks, quotas(100, SHARES))
    assert time.process_time() - began < 15
    assert all(plan.slots.values())
