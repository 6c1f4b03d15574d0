"""Finding a text: to the letter, but for typography, by alignment; long, short and hostile ones."""

import random

import pytest

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.golden.locate.find import MOST, Finder
from acidtest.golden.locate.stretches import stretches_of

WORDS = [
    "the",
    "plan",
    "covers",
    "refund",
    "invoice",
    "payment",
    "customer",
    "support",
    "weekend",
    "priority",
    "contract",
    "renewal",
    "price",
    "account",
    "delete",
    "export",
    "region",
    "storage",
    "backup",
    "limit",
    "request",
    "token",
    "quota",
    "seat",
    "team",
    "owner",
    "admin",
]


def prose(words, seed=0):
    rng = random.Random(seed)
    return " ".join(f"{rng.choice(WORDS)}{rng.randrange(100)}" for _ in range(words))


def finder(documents, *texts):
    chunks = [
        CorpusChunk(id=f"{doc}#{n}", text=text, doc_id=doc)
        for doc, parts in documents.items()
        for n, text in enumerate(parts)
    ]
    return Finder(stretches_of(Corpus(chunks)), texts)


def look(documents, text, doc_id=None):
    return finder(documents, text).find(text, doc_id)


def test_across_the_border_of_two_chunks():
    found = look(
        {"d": ["We pay refunds within four", "teen days. Always."]}, "refunds within fourteen days"
    )
    assert [each.how for each in found.occurrences] == ["normalised"]
    assert found.occurrences[0].text == "refunds within four\nteen days"


@pytest.mark.parametrize(
    ("there", "how"),
    [
        ("The “Pro” plan costs €49.", "exact"),
        ('The "Pro"  plan\ncosts €49.', "normalised"),
        ("THE “PRO” PLAN COSTS €49.", "case"),
        ("The “Pro” plan now costs €49.", "fuzzy"),
    ],
)
def test_how_alike(there, how):
    found = look({"d": [f"Prices. {there} Taxes are extra."]}, "The “Pro” plan costs €49.", "d")
    assert found.occurrences[0].how == how
    assert found.occurrences[0].text == there


def test_its_own_document_comes_first():
    same = "Please write to the address below."
    found = look({f"d{n}": [f"Page {n}. {same}"] for n in range(50)}, same, "d33")
    assert [each.doc_id for each in found.occurrences] == ["d33"]


def test_without_a_document_all_places_are_found():
    same = "Please write to the address below."
    found = look({f"d{n}": [f"Page {n}. {same}"] for n in range(50)}, same)
    assert len(found.occurrences) == 50
    assert not found.more


def test_a_thousand_places_are_bounded():
    found = look({"d": ["yes. " * (MOST + 500)]}, "yes", "d")
    assert len(found.occurrences) == MOST
    assert found.more


def test_a_short_text_is_a_word_of_its_own():
    found = look({"d": ["eyes, yesterday and bayes: yes."]}, "yes", "d")
    assert [part.start for each in found.occurrences for part in each.parts] == [27]


@pytest.mark.parametrize(
    ("text", "around"),
    [
        ("退款会在十四天内支付。", "价格如下。{}请写信给我们。"),
        ("การคืนเงินจะจ่ายภายในสิบสี่วัน", "ราคาเป็นดังนี้ {} กรุณาเขียนถึงเรา"),
        ("تُدفع المبالغ المستردة خلال أربعة عشر يومًا.", "الأسعار كما يلي. {} يرجى الكتابة إلينا."),
        ("धनवापसी चौदह दिनों में की जाती है।", "मूल्य नीचे हैं। {} हमें लिखें।"),
    ],
)
def test_other_scripts(text, around):
    there = around.format(text)
    half = len(there) // 2
    for documents in ({"d": [there]}, {"d": [there[:half], there[half:]]}):
        for doc_id in ("d", None):
            found = look(documents, text, doc_id)
            assert [each.how in ("exact", "normalised") for each in found.occurrences] == [True]


def test_halves_of_surrogate_pairs_do_no_harm():
    text = "broken \ud83d emoji stands here"
    assert look({"d": [f"Some {text} today."]}, text, "d").occurrences[0].how == "exact"


def test_signs_alone_are_found():
    assert look({"d": ["before *** after"]}, "***").occurrences[0].how == "exact"


def test_what_is_nowhere_is_not_found():
    assert (
        look({"d": [prose(400)]}, "An honest zebra walks over the quiet bridge.").occurrences == ()
    )
    assert look({"d": [prose(400)]}, "\u200b\u200b").occurrences == ()


def test_a_whole_document_that_was_edited_is_found_piece_by_piece():
    text = prose(8_000)
    rng = random.Random(1)
    edited = " ".join(word if rng.random() > 0.03 else "changed" for word in text.split())
    found = look({"other": [prose(3_000, seed=5)], "d": [edited[:30_000], edited[30_000:]]}, text)
    (occurrence,) = found.occurrences
    assert occurrence.similarity > 0.9
    (part,) = occurrence.parts
    assert part.stretch.doc_id == "d"
    assert part.end - part.start > 0.98 * len(edited)


def test_a_text_that_was_torn_over_two_documents_has_parts():
    text = prose(1_000)
    half = text.rfind(" ", 0, len(text) // 2)
    found = look({"one": [text[:half]], "two": [prose(50, seed=9) + " " + text[half:]]}, text)
    parts = found.occurrences[0].parts
    assert {part.stretch.doc_id for part in parts} == {"one", "two"}
    assert found.occurrences[0].similarity > 0.9


def test_a_megabyte_in_one_chunk_is_quick():
    text = prose(130_000)
    start = text.index(" ", 500_000) + 1
    wanted = text[start : start + 300]
    assert look({"d": [text]}, wanted).occurrences[0].how == "exact"
    slip = wanted[:100] + "#" + wanted[101:]
    found = look({"d": [text]}, slip, "d").occurrences[0]
    assert (found.how, found.parts[0].start) == ("fuzzy", start)


def test_words_with_a_slip_in_each_are_found_in_their_document():
    found = look(
        {"d": [f"{prose(900)} Pass the Equality Act. {prose(900, seed=2)}"]},
        "Poss thi Equelity Oct.",
        "d",
    )
    assert found.occurrences[0].text == "Pass the Equality Act."


def test_a_better_copy_elsewhere_leaves_it_torn():
    mine, other = (
        "The plan costs 49 euros for each new seat.",
        "The plan costs 49 euros for each seat.",
    )
    documents = {"a": [f"One. {mine} Two."], "b": [f"Three. {other} Four."]}
    found = look(documents, other, "a")
    assert found.torn or found.occurrences[0].similarity >= 0.95
    assert "a" in {each.doc_id for each in found.occurrences}
