"""Labels carried over: kept, moved, split, merged, doubtful, lost; evidence, grades, documents, marks."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case, Evidence, GoldenSet
from acidtest.golden.remap.carry import carry
from acidtest.golden.stale import staleness
from acidtest.golden.version import version_of

PRICE = "The Pro plan costs 49 euros a month and is billed in advance."
REFUND = "Refunds are paid within 14 days of the request."
SUPPORT = "Support answers on weekdays from nine to five."
DATA = "Data is stored in Frankfurt and in Dublin for safety."
OLD = {"plans": [PRICE, REFUND], "help": [SUPPORT, DATA]}


def quote(text, doc="plans", **more):
    return Evidence(text=text, doc_id=doc, **more)


def only(found):
    (label,) = found.labels
    return label


def test_the_same_chunks_keep_every_label(chunked, set_of):
    golden = set_of(
        {"relevant": {"plans/0": 3}, "evidence": (quote(PRICE, chunk_id="plans/0"),)},
        {
            "relevant": {"plans/1": 1, "help/0": 2},
            "evidence": (
                quote(REFUND, chunk_id="plans/1"),
                quote(SUPPORT, "help", chunk_id="help/0"),
            ),
        },
    )
    found = carry(golden, chunked(OLD))
    assert found.golden.version == golden.version
    assert found.cases("kept") == ("q0", "q1")
    assert found.exit_status == 0


def test_moved_with_its_grade_and_evidence(chunked, set_of):
    golden = set_of({"relevant": {"plans/0": 3}, "evidence": (quote(PRICE, chunk_id="plans/0"),)})
    found = carry(golden, chunked({"plans": ["Welcome.", PRICE]}, "n", doc_version="v2"))
    (case,) = found.golden
    assert case.relevant == {"plans/n1": 3}
    assert case.evidence == (quote(PRICE, chunk_id="plans/n1", doc_version="v2"),)
    assert case.metadata["remap"] == {"state": "moved", "from": ["plans/0"], "confidence": 1.0}
    assert only(found).state == "moved"


def test_split_gives_each_chunk_the_grade_and_its_piece(chunked, set_of):
    golden = set_of({"relevant": {"plans/0": 2}, "evidence": (quote(PRICE, chunk_id="plans/0"),)})
    found = carry(golden, chunked({"plans": [PRICE[:30], PRICE[30:]]}, "n"))
    (case,) = found.golden
    assert case.relevant == {"plans/n0": 2, "plans/n1": 2}
    assert [each.text for each in case.evidence] == [PRICE[:30].strip(), PRICE[30:].strip()]
    assert [each.chunk_id for each in case.evidence] == ["plans/n0", "plans/n1"]
    assert found.cases("split") == ("q0",)


def test_a_split_sentence_is_one_again_when_the_chunks_are(chunked, set_of):
    golden = set_of({"relevant": {"plans/0": 2}, "evidence": (quote(PRICE, chunk_id="plans/0"),)})
    split = carry(golden, chunked({"plans": [PRICE[:30], PRICE[30:]]}, "n"))
    again = carry(split.golden, chunked({"plans": [f"{PRICE} {REFUND}"]}, "m"))
    (case,) = again.golden
    assert case.relevant == {"plans/m0": 2}
    assert [each.text for each in case.evidence] == [PRICE]
    assert again.merged == ("q0",)


def test_merged_takes_the_highest_grade_and_keeps_what_was_written_apart(chunked, set_of):
    golden = set_of(
        {
            "relevant": {"plans/0": 1, "plans/1": 3},
            "evidence": (quote(PRICE, chunk_id="plans/0"), quote(REFUND, chunk_id="plans/1")),
        }
    )
    found = carry(golden, chunked({"plans": [f"{PRICE} {REFUND}"]}, "n"))
    (case,) = found.golden
    assert case.relevant == {"plans/n0": 3}
    assert [each.text for each in case.evidence] == [PRICE, REFUND]
    assert found.merged == ("q0",)
    assert found.cases("moved") == ("q0",)


def test_lost_keeps_its_old_label_and_is_marked(chunked, set_of):
    golden = set_of({"relevant": {"plans/0": 1}, "evidence": (quote(PRICE, chunk_id="plans/0"),)})
    found = carry(golden, chunked({"help": [SUPPORT, DATA]}, "n"))
    (case,) = found.golden
    assert case.relevant == {"plans/0": 1}
    assert case.evidence == golden[0].evidence
    assert case.metadata["remap"]["lost"] == ["plans/0"]
    assert found.cases("lost") == ("q0",)
    assert found.exit_status == 1


def test_what_was_lost_may_be_found_later(chunked, set_of):
    golden = set_of({"relevant": {"plans/0": 1}, "evidence": (quote(PRICE, chunk_id="plans/0"),)})
    lost = carry(golden, chunked({"help": [SUPPORT, DATA]}, "n"))
    found = carry(lost.golden, chunked(OLD))
    assert found.cases("kept") == ("q0",)
    assert "lost" not in found.golden[0].metadata["remap"]


def test_an_id_alone_proves_nothing(chunked, set_of):
    found = carry(set_of({"relevant": {"plans/0": 1}}), chunked(OLD))
    assert only(found).state == "doubtful"
    assert found.golden[0].relevant == {"plans/0": 1}
    assert "no text" in only(found).why


def test_an_id_that_is_gone_without_text_is_lost(chunked, set_of):
    found = carry(set_of({"relevant": {"plans/0": 1}}), chunked(OLD, "n"))
    assert only(found).state == "lost"


def test_old_chunks_give_the_text(chunked, set_of):
    golden = set_of({"relevant": {"plans/0": 2, "help/1": 0}})
    new = {"plans": [f"{PRICE} {REFUND}"], "help": [f"{SUPPORT} {DATA}"]}
    found = carry(golden, chunked(new, "n"), old=chunked(OLD))
    assert found.golden[0].relevant == {"plans/n0": 2, "help/n0": 0}
    assert found.exit_status == 0


def test_old_chunks_tell_equal_texts_apart(chunked, set_of):
    same = "Please ask your administrator for the details."
    old = {"d": [f"{PRICE} {same}", f"{SUPPORT} {same}", f"{DATA} {same}"]}
    golden = set_of({"relevant": {"d/1": 1}, "evidence": (quote(same, "d", chunk_id="d/1"),)})
    new = chunked({"d": [text for chunk in old["d"] for text in (chunk[:20], chunk[20:])]}, "n")
    assert only(carry(golden, new)).state == "doubtful"
    found = carry(golden, new, old=chunked(old))
    assert only(found).state == "moved"
    assert only(found).to == ("d/n3",)


def test_offsets_tell_equal_texts_apart(set_of):
    same = "Please ask your administrator for the details."
    text = f"{PRICE} {same} {SUPPORT} {same} {DATA}"
    start = text.rindex(same)
    golden = set_of(
        {"relevant": {"x": 1}, "evidence": (quote(same, "d", chunk_id="x", start=start + 4),)}
    )
    cuts = range(0, len(text), 100)
    new = Corpus(
        [CorpusChunk(id=f"n{at}", text=text[at : at + 100], doc_id="d", start=at) for at in cuts]
    )
    label = only(carry(golden, new))
    assert label.state in ("moved", "split")
    assert label.to == tuple(f"n{at}" for at in cuts if at < start + len(same) and at + 100 > start)


def test_other_evidence_of_the_case_tells_equal_texts_apart(chunked, set_of):
    golden = set_of(
        {
            "relevant": {"d/0": 1, "d/1": 1},
            "evidence": (quote("yes", "d", chunk_id="d/1"), quote(REFUND, "d", chunk_id="d/0")),
        }
    )
    new = chunked({"d": ["yes, of course.", PRICE, f"{REFUND} yes", SUPPORT, "yes."]}, "n")
    found = carry(golden, new)
    assert found.golden[0].relevant == {"d/n2": 1}
    assert found.exit_status == 0


def test_a_word_that_stands_everywhere_is_doubtful(chunked, set_of):
    golden = set_of({"relevant": {"d/7": 1}, "evidence": (quote("yes", "d", chunk_id="d/7"),)})
    found = carry(golden, chunked({"d": [f"{n}: yes." for n in range(1_000)]}, "n"))
    assert only(found).state == "doubtful"
    assert "1000 places" in only(found).why
    assert only(found).others


def test_a_doubt_stays_until_somebody_decides(chunked, set_of):
    golden = set_of({"relevant": {"d/7": 1}, "evidence": (quote("yes", "d", chunk_id="d/7"),)})
    new = chunked({"d": [f"{n}: yes." for n in range(100)]}, "n")
    first = carry(golden, new)
    again = carry(first.golden, new)
    assert again.cases("doubtful") == ("q0",)
    assert again.golden[0].relevant == first.golden[0].relevant


def test_renamed_documents_are_followed(chunked, set_of):
    boiler = "For questions please write to the address that is given below."
    golden = set_of(
        {"relevant": {"plans/0": 1}, "evidence": (quote(PRICE, chunk_id="plans/0"),)},
        {"relevant": {"plans/1": 1}, "evidence": (quote(boiler, chunk_id="plans/1"),)},
    )
    new = chunked({**{f"page{n}": [boiler] for n in range(20)}, "offers": [PRICE, boiler]}, "n")
    found = carry(golden, new)
    assert found.renamed == {"plans": "offers"}
    assert [case.relevant for case in found.golden] == [{"offers/n0": 1}, {"offers/n1": 1}]
    assert found.exit_status == 0


def test_a_document_that_is_there_twice(chunked, set_of):
    golden = set_of(
        {"relevant": {"help/0": 1}, "evidence": (quote(SUPPORT, "help", chunk_id="help/0"),)},
        {"relevant": {"x": 1}, "evidence": (Evidence(text=DATA, chunk_id="x"),)},
    )
    found = carry(golden, chunked({"copy": OLD["help"], "help": OLD["help"]}, "n"))
    assert found.golden[0].relevant == {"help/n0": 1}
    assert found.cases("doubtful") == ("q1",)


def test_document_labels(chunked, set_of):
    golden = set_of(
        {"relevant_docs": {"plans": 2}, "evidence": (quote(PRICE),)},
        {"relevant_docs": {"help": 1}},
        {"relevant_docs": {"gone": 1}},
        {"relevant_docs": {"help": 1}, "evidence": (quote("An honest zebra walks here.", "help"),)},
    )
    found = carry(golden, chunked({"offers": OLD["plans"], "help": OLD["help"]}, "n"))
    assert [case.relevant_docs for case in found.golden] == [
        {"offers": 2},
        {"help": 1},
        {"gone": 1},
        {"help": 1},
    ]
    assert list(found.states.values()) == ["moved", "kept", "lost", "doubtful"]


def test_edited_text_is_found_and_the_old_one_kept(chunked, set_of):
    golden = set_of({"relevant": {"plans/1": 1}, "evidence": (quote(REFUND, chunk_id="plans/1"),)})
    edited = "Refunds are now paid within 14 days of the request."
    found = carry(golden, chunked({"plans": [PRICE, edited]}, "n"))
    assert only(found).state == "moved"
    assert only(found).how == "fuzzy"
    assert 0.9 < only(found).confidence < 1
    assert found.golden[0].evidence[0].text == REFUND


def test_the_next_row_of_a_list_is_not_taken_for_sure(chunked, set_of):
    golden = set_of(
        {
            "relevant": {"t/0": 1},
            "evidence": (quote("Plan B costs 12 euros.", "t", chunk_id="t/0"),),
        }
    )
    found = carry(golden, chunked({"t": ["Plan A costs 10 euros.", "Plan C costs 15 euros."]}, "n"))
    assert only(found).state == "doubtful"
    assert "numbers" in only(found).why


def test_one_text_of_several_labels(chunked, set_of):
    golden = set_of(
        {"relevant": {"plans/0": 1, "plans/1": 1}, "evidence": (quote(f"{PRICE} {REFUND}"),)},
        {"relevant": {"a7e": 1, "f3b": 1}, "evidence": (quote(f"{PRICE} {REFUND}"),)},
        {"relevant": {"plans/0": 1, "plans/1": 1}, "evidence": (quote(PRICE, chunk_id="plans/0"),)},
    )
    found = carry(golden, chunked({"plans": [f"{PRICE} {REFUND}"]}, "n"))
    # Neighbours may have one text; ids that say nothing may not, nor a label beside a named one.
    assert list(found.states.values()) == ["moved", "doubtful", "doubtful"]
    assert all(case.relevant == {"plans/n0": 1} for case in found.golden)


def test_evidence_that_two_labels_share_stays_with_both(chunked, set_of):
    whole = f"{PRICE} {REFUND}"
    golden = set_of({"relevant": {"plans/0": 1, "plans/1": 1}, "evidence": (quote(whole),)})
    assert carry(golden, chunked(OLD)).cases("kept") == ("q0",)


def test_unlabelled_and_unanswerable_cases_pass_through(chunked, set_of):
    golden = set_of({"evidence": (quote(PRICE),)}, {"answerable": False, "relevant": {}})
    found = carry(golden, chunked(OLD, "n"))
    assert list(found.golden) == list(golden)
    assert found.unlabelled == ("q0", "q1")
    assert found.states == {}


def test_overlapping_chunks_get_one_label_and_name_the_others(chunked, set_of):
    golden = set_of({"relevant": {"x": 1}, "evidence": (quote(REFUND, chunk_id="x"),)})
    new = chunked({"plans": [f"{PRICE} {REFUND}", f"{REFUND} {SUPPORT}"]}, "n")
    found = carry(golden, new)
    assert len(found.golden[0].relevant) == 1
    assert len(only(found).alternatives) == 1


TEXT = " ".join(
    f"Section {n}: the {word} of item {n * 7} is described here."
    for n, word in enumerate(
        ["size", "colour", "weight", "price", "origin", "owner", "state", "date", "name", "place"]
        * 4
    )
)


@given(
    st.integers(0, len(TEXT) - 61),
    st.integers(60, 500),
    st.lists(st.integers(1, len(TEXT) - 1), max_size=40),
)
def test_any_cut_of_the_text_covers_the_evidence(start, length, cuts):
    end = min(len(TEXT), start + length)
    edges = [0, *sorted(set(cuts)), len(TEXT)]
    chunks = [
        CorpusChunk(id=f"n{n}", text=TEXT[a:b], doc_id="d")
        for n, (a, b) in enumerate(pairwise(edges))
    ]
    case = Case(
        id="q",
        question="?",
        relevant={"old": 1},
        evidence=(Evidence(text=TEXT[start:end], doc_id="d", chunk_id="old"),),
    )
    found = carry(GoldenSet([case], version=version_of([case])), Corpus(chunks))
    label = only(found)
    assert label.state in ("moved", "split")
    held = {f"n{n}": (max(a, start), min(b, end)) for n, (a, b) in enumerate(pairwise(edges))}
    ranges = [held[name] for name in label.to]
    assert all(b > a for a, b in ranges)
    left_out = TEXT[start:end]
    for a, b in ranges:
        left_out = left_out.replace(TEXT[a:b], "", 1)
    assert len(left_out) <= 0.2 * max(0, end - start - 300) + 3 or not any(
        c.isalnum() for c in left_out
    )


@given(st.data())
def test_no_label_is_lost_in_silence(data):
    rng = random.Random(data.draw(st.integers(0, 10_000)))
    words = TEXT.split()
    cases = []
    for n in range(data.draw(st.integers(1, 4))):
        labels = [f"d:{rng.randrange(30)}" for _ in range(rng.randrange(1, 4))]
        pieces = []
        for label in labels[: rng.randrange(0, 4)]:
            at = rng.randrange(len(words) - 12)
            text = rng.choice([" ".join(words[at : at + 12]), "quite another text", "yes"])
            pieces.append(
                Evidence(
                    text=text,
                    chunk_id=rng.choice([label, None]),
                    doc_id=rng.choice(["d", "gone", None]),
                )
            )
        cases.append(
            Case(
                id=f"q{n}", question="?", relevant=dict.fromkeys(labels, 1), evidence=tuple(pieces)
            )
        )
    golden = GoldenSet(cases, version=version_of(cases))
    size = rng.randrange(20, 400)
    corpus = Corpus(
        [
            CorpusChunk(id=f"d:{n}", text=TEXT[at : at + size], doc_id="d")
            for n, at in enumerate(range(0, len(TEXT), size))
        ]
    )
    found = carry(golden, corpus)
    assert [case.id for case in found.golden] == [case.id for case in golden]
    told = {(each.case, each.label) for each in found.labels}
    assert told == {(case.id, label) for case in golden for label in case.relevant}
    for each in found.labels:
        now = found.golden[int(each.case[1:])].relevant
        assert now
        assert all(name in now for name in each.to)
        assert each.state in ("lost", "doubtful") or each.to
        assert each.state != "lost" or each.label in now


@given(st.integers(30, 300), st.integers(0, 25))
def test_identity_is_no_change(size, overlap):
    starts = range(0, len(TEXT), size - overlap)
    chunks = [
        CorpusChunk(id=f"d:{n}", text=TEXT[at : at + size], doc_id="d", doc_version="v")
        for n, at in enumerate(starts)
    ]
    chunks = [chunk for chunk in chunks if len(chunk.text) > 20]
    cases = [
        Case(
            id=chunk.id,
            question="?",
            relevant={chunk.id: 1},
            evidence=(Evidence(text=chunk.text, chunk_id=chunk.id, doc_id="d", doc_version="v"),),
        )
        for chunk in chunks[::3]
    ]
    golden = GoldenSet(cases, version=version_of(cases))
    found = carry(golden, Corpus(chunks))
    assert found.golden.version == golden.version
    assert set(found.states.values()) == {"kept"}


@pytest.mark.parametrize(
    "text", ["退款会在十四天内支付。", "การคืนเงินจะจ่ายภายในสิบสี่วัน", "broken \ud83d emoji"]
)
def test_other_scripts_and_broken_text(text, chunked, set_of):
    golden = set_of({"relevant": {"d/0": 1}, "evidence": (quote(text, "d", chunk_id="d/0"),)})
    found = carry(golden, chunked({"d": [f"{PRICE} {text[:6]}", f"{text[6:]} {DATA}"]}, "n"))
    assert found.golden[0].relevant == {"d/n0": 1, "d/n1": 1}


def test_evidence_that_was_edited_stays_of_the_version_that_it_was_made_from(chunked, set_of):
    quoted = quote(PRICE, chunk_id="plans/0", doc_version="v1")
    golden = set_of({"relevant": {"plans/0": 1}, "evidence": (quoted,)})
    corpus = chunked({"plans": ["Welcome.", PRICE.replace("49", "59")]}, "n", doc_version="v2")
    found = carry(golden, corpus)
    (case,) = found.golden
    assert found.edited == ("q0",)
    assert case.relevant == {"plans/n1": 1}
    assert case.evidence[0].doc_version == "v1"
    assert staleness(found.golden, corpus).cases("changed") == ("q0",)
