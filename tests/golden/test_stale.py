"""Which cases are still true to the corpus: unchanged, edited, moved, renamed, vanished, and unknown."""

import pytest

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case, Evidence, GoldenSet
from acidtest.errors import BadData
from acidtest.golden.stale import staleness
from acidtest.golden.stale_review import Decided, refreshed
from acidtest.golden.version import version_of

PRICE = "The Pro plan costs 49 euros a month and is billed in advance."
REFUND = "Refunds are paid within 14 days of the request."
SUPPORT = "Support answers on weekdays from nine to five."
NEW = "The Pro plan costs 59 euros a month and is billed in advance."


def corpus(version="v2", documents=None, **texts):
    return Corpus(
        [
            CorpusChunk(id=f"{doc}/{n}", text=text, doc_id=doc, doc_version=version)
            for doc, parts in texts.items()
            for n, text in enumerate(parts)
        ],
        documents=documents,
    )


def golden(*cases):
    made = [Case(id=f"q{n}", question="?", **each) for n, each in enumerate(cases)]
    return GoldenSet(made, version=version_of(made))


def told(text, today, doc_id="plans", version="v1"):
    """Return what became of one piece of evidence."""
    evidence = Evidence(text=text, doc_id=doc_id, doc_version=version)
    found = staleness(golden({"relevant": {"x": 1}, "evidence": (evidence,)}), today)
    (piece,) = found.evidence
    assert found.states == {"q0": piece.state}
    assert found.exit_status == int(piece.state != "still_good")
    return piece


def test_the_same_version_needs_no_look():
    piece = told("whatever it said", corpus("v1", plans=[NEW]))
    assert (piece.state, piece.today) == ("still_good", None)


def test_another_version_that_still_says_it():
    piece = told(PRICE, corpus(plans=[NEW, PRICE.replace(" ", "\n")]))
    assert piece.state == "still_good"
    assert piece.why == "its document changed, the text is unchanged"


def test_changed_in_its_document():
    piece = told(PRICE, corpus(plans=[REFUND, NEW]))
    assert piece.state == "changed"
    assert piece.today.text == NEW
    assert piece.today.doc_version == "v2"


@pytest.mark.parametrize(
    ("was", "page", "today"),
    [
        (
            "We open at 9:00 from April to October.",
            "# Opening hours\n\nFrom April to October we open at 9:00. In winter we are closed.",
            "From April to October we open at 9:00.",
        ),
        (  # a piece of a sentence stays one
            "open at 9:00 from April to October",
            "We are here daily. As a rule we open at 9:30 from April to October, and later in winter.",
            "open at 9:30 from April to October",
        ),
        (  # what has no end that is near is not taken whole
            "We open at 9:00 from April to October.",
            "word " * 300 + "we open at 9:30 from April to October" + " word" * 300,
            "we open at 9:30 from April to October",
        ),
    ],
)
def test_beside_whole_sentences_stand_whole_sentences(was, page, today):
    piece = told(was, corpus(plans=[page]))
    assert piece.state == "changed"
    assert piece.today.text.strip() == today


def test_gone_from_its_document():
    piece = told(PRICE, corpus(plans=[REFUND, SUPPORT]))
    assert (piece.state, piece.today) == ("changed", None)


def test_moved_to_another_document():
    piece = told(PRICE, corpus(plans=[REFUND], offers=[PRICE]))
    assert piece.state == "moved"
    assert piece.today.doc_id == "offers"


def test_a_copy_elsewhere_does_not_hide_an_edit():
    piece = told(PRICE, corpus(plans=[NEW], archive=[PRICE]))
    assert piece.state == "changed"
    assert piece.today.text == NEW


def test_vanished():
    assert told(PRICE, corpus(help=[SUPPORT])).state == "vanished"


def test_the_same_form_filled_in_for_others_is_not_the_evidence():
    def warranty(n):
        return f"The warranty of product {n} lasts {n + 1} years from the day of sale."

    others = {f"p{n}": [warranty(n)] for n in range(9) if n != 4}
    piece = told(warranty(4), corpus(**others), doc_id="p4")
    assert piece.state == "vanished"
    assert "has other numbers" in piece.why
    assert piece.today.doc_id in others  # what is most like it, for the person who decides
    there = told(
        warranty(4), corpus(**others, p4=[warranty(4).replace("5 years", "9 months")]), doc_id="p4"
    )
    assert (there.state, there.today.doc_id) == ("changed", "p4")


def test_a_word_elsewhere_is_not_the_evidence():
    assert told("yes", corpus(help=["yes"])).state == "vanished"


def test_renamed_and_moved_are_told_apart():
    pieces = [
        {"relevant": {"x": 1}, "evidence": (Evidence(text=text, doc_id="plans"),)}
        for text in (PRICE, REFUND, SUPPORT)
    ]
    found = staleness(golden(*pieces), corpus(offers=[PRICE, REFUND], help=[SUPPORT]))
    assert found.renamed == {"plans": "offers"}
    assert list(found.states.values()) == ["renamed", "renamed", "moved"]


def test_renamed_and_edited():
    piece = told(PRICE, corpus(offers=[NEW, REFUND]))
    assert piece.state == "changed"
    assert piece.today.doc_id == "offers"


def test_across_chunks_and_in_whole_documents():
    assert told(PRICE, corpus(plans=[PRICE[:30], PRICE[30:]])).state == "still_good"
    whole = corpus(plans=["Prices."], documents={"plans": f"Prices. {PRICE}"})
    assert told(PRICE, whole).state == "still_good"


def test_evidence_without_a_document():
    assert told(PRICE, corpus(a=[PRICE]), doc_id=None, version=None).state == "still_good"
    assert told(PRICE, corpus(a=[NEW]), doc_id=None, version=None).state == "changed"
    assert told(PRICE, corpus(a=[SUPPORT]), doc_id=None, version=None).state == "vanished"


def test_what_cannot_be_told_says_why():
    found = staleness(
        golden({"relevant": {"x": 1}}, {}, {"answerable": False, "relevant": {}}),
        corpus(plans=[PRICE]),
    )
    assert found.states == {}
    assert list(found.unknown) == ["q0", "q1"]
    assert "no evidence text" in found.unknown["q0"]
    assert "not labelled" in found.unknown["q1"]
    assert found.unanswerable == ("q2",)
    assert found.exit_status == 0


def test_document_labels_whose_document_is_gone():
    found = staleness(
        golden({"relevant_docs": {"gone": 1}}, {"relevant_docs": {"plans": 1}}),
        corpus(plans=[PRICE]),
    )
    assert found.states == {"q0": "vanished"}
    assert list(found.unknown) == ["q1"]


def test_a_case_is_as_stale_as_its_worst_evidence():
    pieces = (
        Evidence(text=REFUND, doc_id="plans"),
        Evidence(text=PRICE, doc_id="plans"),
    )
    found = staleness(
        golden({"relevant": {"x": 1}, "evidence": pieces}), corpus(plans=[REFUND, NEW])
    )
    assert found.states == {"q0": "changed"}


def decided(verb, **more):
    return Decided(where="r.jsonl:1", verb=verb, **more)


@pytest.fixture
def two():
    evidence = Evidence(text=PRICE, doc_id="plans", doc_version="v1", chunk_id="plans/0")
    other = Evidence(text=REFUND, doc_id="plans", doc_version="v1")
    cases = golden(
        {"relevant": {"plans/0": 1}, "evidence": (evidence,), "reference": "49 euros"},
        {"relevant": {"plans/1": 1}, "evidence": (other,)},
    )
    today = corpus(plans=[NEW, REFUND])
    return cases, staleness(cases, today), today


def test_update_takes_todays_text_and_the_reference(two):
    cases, found, today = two
    decision = decided("update", reference="59 euros", texts={0: NEW})
    now, dropped = refreshed(cases, found, {"q0": decision})
    assert dropped == ()
    assert now[0].reference == "59 euros"
    assert now[0].evidence[0].text == NEW
    assert now[0].evidence[0].doc_version == "v2"
    assert staleness(now, today).exit_status == 0


def test_what_is_still_good_gets_todays_version(two):
    cases, found, _ = two
    now, _ = refreshed(cases, found, {})
    assert now[1].evidence[0].doc_version == "v2"
    assert now[0] == cases[0]


def test_keep_and_drop(two):
    cases, found, _ = two
    assert refreshed(cases, found, {"q0": decided("keep")})[0][0] == cases[0]
    now, dropped = refreshed(cases, found, {"q0": decided("drop")})
    assert [case.id for case in now] == ["q1"]
    assert dropped == ("q0",)


@pytest.mark.parametrize(
    ("decisions", "says"),
    [
        ({"q7": decided("keep")}, "r.jsonl:1: field 'case': the set has no case 'q7'"),
        ({"q0": decided("update")}, "no text of today"),
        ({"q0": decided("drop"), "q1": decided("drop")}, "every case would be dropped"),
    ],
)
def test_decisions_that_do_not_fit(two, decisions, says):
    cases, found, _ = two
    with pytest.raises(BadData, match=says):
        refreshed(cases, found, decisions)
