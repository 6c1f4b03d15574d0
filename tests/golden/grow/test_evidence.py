"""Quotes to evidence, questions that are the same, and the chunks nearest to a question."""

from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case, Turn
from acidtest.golden.grow.near import Nearest
from acidtest.golden.grow.quotes import evidence_of, place_of
from acidtest.golden.grow.same import Asked

TEXT = "Refunds are paid within 14 days.  They go to the card that was “charged”. Nobody else pays."


def test_evidence_is_whole_sentences_word_for_word():
    chunk = CorpusChunk(
        id="r#0", text=TEXT, doc_id="r", doc_version="v1", start=100, end=100 + len(TEXT)
    )
    (found,) = evidence_of([chunk], [(1, 'the card that was "CHARGED"'), (1, "go to the card")])
    assert found.text == "They go to the card that was “charged”."
    assert (found.chunk_id, found.doc_id, found.doc_version) == ("r#0", "r", "v1")
    assert TEXT[found.start - 100 : found.end - 100] == found.text
    over = evidence_of([chunk], [(1, "14 days. They go to")])
    assert over[0].text.startswith("Refunds")
    assert over[0].text.endswith("“charged”.")


def test_places_are_told_only_where_the_chunk_knows_its_own():
    found = evidence_of([CorpusChunk(id="a", text=TEXT)], [(1, "Nobody else pays")])
    assert (found[0].start, found[0].end) == (None, None)


@given(st.text(min_size=1, max_size=200), st.data())
def test_a_span_of_a_text_is_found_in_it(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    place = place_of(text[start:end], text)
    assert place is None or 0 <= place[0] < place[1] <= len(text)


def test_the_same_question_in_other_dress():
    asked = Asked([Case(id="a", question="How much does the Pro plan cost per month?")])
    assert asked.exactly("how much does the pro plan cost per month") == "a"
    assert asked.exactly("How much does Pro cost?") is None
    assert asked.nearly("How much does the Pro plan cost, per month?!") == "a"
    assert asked.nearly("Per month the Pro plan does cost how much?") == "a"
    assert asked.nearly("How much does the Basic plan cost per year?") is None


def test_numbers_tell_questions_apart():
    asked = Asked([Case(id="a", question="What does the error code E-4031 mean for my router?")])
    assert asked.nearly("What does the error code E-4032 mean for my router?") is None


def test_a_follow_up_is_another_question_after_another_turn():
    turn = (Turn("user", "What does Pro cost?"), Turn("assistant", "49 euros."))
    asked = Asked([Case(id="a", question="And for students?", history=turn)])
    assert asked.nearly("And for students?", turn) == "a"
    other = (Turn("user", "Who may enter the lab?"), Turn("assistant", "Staff."))
    assert asked.nearly("And for students?", other) is None


def test_nearly_the_same_in_scripts_without_spaces():
    asked = Asked([Case(id="a", question="专业版每个月需要支付多少欧元的费用")])
    assert asked.nearly("专业版每个月需要支付多少欧元的费用？") == "a"
    assert asked.nearly("退款需要多少天才能到账") is None


def test_the_nearest_chunks_share_the_rarest_words():
    chunks = Corpus(
        [
            CorpusChunk(id="a", text="The depot opens at noon."),
            CorpusChunk(id="b", text="The zebra crossing near the depot is painted white."),
            CorpusChunk(id="c", text="Noon is when the depot closes for lunch."),
            CorpusChunk(id="d", text="退款在十四天之内支付到信用卡。"),
        ]
    )
    nearest = Nearest(chunks)
    first, _ = nearest.to("Which colour has the ZEBRA crossing at the depot?", 2)
    assert first.id == "b"
    assert [c.id for c in nearest.to("退款需要多少天", 1)] == ["d"]
    assert nearest.to("xylophone", 3) == []
    assert nearest.to("", 3) == []
    assert nearest.holds("ZEBRA")
    assert not nearest.holds("gnu")
