"""Citations: what they point at, whether it holds what is cited, and whether statements are borne."""

import pytest

from acidtest.data.answers import Answer, Chunk
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.generation.citation_precision import citation_precision
from acidtest.metrics.generation.citation_recall import citation_recall
from acidtest.metrics.generation.citation_validity import citation_validity

CHUNKS = (
    Chunk(id="c1", rank=1, text="The Pro plan costs €49 per month and includes priority support.", doc_id="pricing", source="docs/pricing.md"),
    Chunk(id="c2", rank=2, text="Refunds are granted within 30 days of purchase.", doc_id="refunds", source="docs/refunds.md"),
    Chunk(id="c3", rank=3, text="Our office is in Lisbon.", doc_id="about", source="docs/about.md"),
)  # fmt: skip
METRICS = (citation_validity, citation_precision, citation_recall)


def outcomes(text: str, *listed: str, chunks: tuple[Chunk, ...] = CHUNKS) -> list[Outcome]:
    answer = Answer(case_id="x", text=text, retrieved=chunks, citations=listed or None)
    return [metric(answer, text, chunks) for metric in METRICS]


def three(text: str, *listed: str, chunks: tuple[Chunk, ...] = CHUNKS) -> list[float | None]:
    return [
        round(outcome.value, 3) if isinstance(outcome, Score) else None
        for outcome in outcomes(text, *listed, chunks=chunks)
    ]


def test_all_right() -> None:
    assert three("The Pro plan costs €49 a month [1]. Refunds are granted within 30 days [2].") == [
        1,
        1,
        1,
    ]


@pytest.mark.parametrize(
    "label", ["1", "c1", "C1", "pricing", "docs/pricing.md", "pricing.md", "doc 1"]
)
def test_a_label_names_a_chunk_by_rank_id_document_or_source(label: str) -> None:
    assert three(f"The Pro plan costs €49 per month [{label}].") == [1, 1, 1]


def test_an_id_wins_over_a_rank() -> None:
    chunks = (Chunk(id="2", text="The Pro plan costs €49."), Chunk(id="1", text="Nothing here."))
    assert three("The Pro plan costs €49 [2].", chunks=chunks) == [1, 1, 1]
    assert three("The Pro plan costs €49 [1].", chunks=chunks) == [0, 0, 0]


def test_a_chunk_that_was_not_retrieved() -> None:
    assert three("The Pro plan costs €49 per month [7].") == [0, 0, 0]
    assert three("The Pro plan costs €49 per month [c9].") == [0, 0, 0]
    assert three("The Pro plan costs €49 per month [1][7].") == [0.5, 0.5, 1]


def test_a_number_that_the_cited_text_does_not_hold() -> None:
    assert three("The Pro plan costs €59 per month [1].") == [0, 0, 0]
    assert three("Refunds are granted within 14 days [2].") == [0, 0, 0]


def test_a_quotation_that_the_cited_text_does_not_hold() -> None:
    assert three('The Pro plan "includes priority support" [1].') == [1, 1, 1]
    assert three('The Pro plan "includes a free laptop" [1].') == [0, 0, 0]


def test_the_right_words_in_the_wrong_chunk() -> None:
    # no number and no quotation to check: valid, but borne by nothing
    assert three("Refunds are granted by the company [3].") == [1, 0, 0]


def test_a_needless_citation_costs_precision_alone() -> None:
    assert three("The Pro plan costs €49 per month [1][3].") == [1, 0.5, 1]


def test_two_chunks_that_bear_a_statement_together_are_both_needed() -> None:
    text = "The Pro plan costs €49 per month, with refunds granted within 30 days [1][2]."
    assert three(text) == [1, 1, 1]


def test_a_marker_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    assert three(
        "The Pro plan costs €49 per month. [1] Refunds are granted within 30 days. [2]"
    ) == [1, 1, 1]


def test_a_statement_without_a_citation_costs_recall_alone() -> None:
    assert three("The Pro plan costs €49 per month [1]. Refunds are granted within 30 days.") == [
        1,
        1,
        0.5,
    ]


def test_questions_headings_and_scraps_are_no_statements() -> None:
    assert three(
        "In short:\nThe Pro plan costs €49 per month [1].\nThanks!\nDoes that help you?"
    ) == [1, 1, 1]


def test_the_pipelines_own_list_stands_for_the_whole_answer() -> None:
    assert three("The Pro plan costs €49 per month.", "c1") == [1, 1, 1]
    assert three("The Pro plan costs €49 per month.", "c1", "zz") == [0.5, 0.5, 1]
    assert three("The Pro plan costs €49 per month.", "c3") == [0, 0, 0]
    assert three("The Pro plan costs €49 per month.", "[1]") == [1, 1, 1]


def test_markers_and_a_list_that_repeats_them() -> None:
    assert three("The Pro plan costs €49 per month [c1].", "c1") == [1, 1, 1]
    assert three("The Pro plan costs €49 per month [c1].", "c1", "zz") == [0.5, 1, 1]


def test_no_citation() -> None:
    assert three("The Pro plan costs €49 per month.") == [None, None, 0]


@pytest.mark.parametrize("text", ["I don't know.", "NOT_IN_CORPUS", "The documents do not say."])
def test_a_refusal_has_nothing_to_cite(text: str) -> None:
    assert three(text) == [None, None, None]


def test_a_refusal_that_cites_is_still_checked() -> None:
    validity, _, recall = outcomes("The documents do not mention the price [9].")
    assert isinstance(validity, Score)
    assert validity.value == 0.0
    assert isinstance(recall, Skip)


def test_an_answer_of_one_word_is_a_statement() -> None:
    assert three("Lisbon [3].") == [1, 1, 1]
    assert three("Lisbon.") == [None, None, 0]
    assert three("[3]") == [1, 1, None]
    assert three("[9]") == [0, 0, None]


def test_nothing_retrieved() -> None:
    assert three("The Pro plan costs €49 per month [1].", chunks=()) == [0, 0, 0]


def test_code_and_links_do_not_cite() -> None:
    assert three("Call `items[0]` as [the guide](https://x.y) tells you to.")[:2] == [None, None]


def test_faults_are_shown() -> None:
    validity, _, recall = outcomes("The Pro plan costs €59 per month [1]. It is blue [7].")
    assert isinstance(validity, Score)
    assert [fault["why"] for fault in validity.evidence] == [
        "the cited text does not hold it",
        "no such chunk was retrieved",
    ]
    assert validity.evidence[0]["missing"] == ["€59"]
    assert validity.parts == {"citations": 2, "valid": 0}
    assert isinstance(recall, Score)
    assert recall.parts == {"statements": 2, "borne": 0}


def test_chinese_thai_and_arabic() -> None:
    chunks = (
        Chunk(id="zh", text="购买后三十天内可以退款。"),
        Chunk(id="th", text="ลูกค้าสามารถคืนสินค้าได้ภายใน 30 วัน"),
        Chunk(id="ar", text="يمكن استرداد المبلغ خلال 30 يومًا من الشراء."),
    )
    text = (
        "三十天内可以退款[1]。\nลูกค้าคืนสินค้าได้ภายใน 30 วัน [2]\nيمكن استرداد المبلغ خلال 30 يومًا [3]."
    )
    assert three(text, chunks=chunks) == [1, 1, 1]
    assert three(text.replace("30", "14"), chunks=chunks) == [0.333, 0.333, 0.333]
