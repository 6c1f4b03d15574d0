"""Claims by hand, language by language: supported, unsupported, left open."""

import pytest

from acidtest.judges.local.claims import answer
from acidtest.judges.local.rules import THRESHOLDS

PLAN = "The Pro plan costs €49/month and includes priority support. Returns are free for 30 days."


def rulings(passages, *sentences):
    said = answer({"sentences": list(sentences), "passages": passages}, THRESHOLDS)
    return [[c["verdict"] for c in s["claims"]] for s in said["sentences"]]


def one(passage, sentence):
    said = answer({"sentences": [sentence], "passages": [passage]}, THRESHOLDS)
    (claim,) = said["sentences"][0]["claims"]
    return claim


@pytest.mark.parametrize(
    ("passage", "sentence", "verdict"),
    [
        (PLAN, "The Pro plan is €49/month.", "supported"),
        (PLAN, "The Pro plan costs 49 EUR a month [1].", "supported"),
        (PLAN, "- **The Pro plan** costs €49/month [pricing#2].", "supported"),
        (PLAN, "The Pro plan costs €59/month.", "unsupported"),
        (PLAN, "Returns are free for 30 weeks.", "unsupported"),
        (PLAN, "Globex customers in Toronto get a dedicated account manager.", "unsupported"),
        (PLAN, "Visitors park bicycles behind the northern warehouse.", "unsupported"),
        (PLAN, "The Pro plan does not include priority support.", "undecided"),
        (PLAN, "The Pro plan is €49/month and includes a rugged laptop.", "undecided"),
        (PLAN, "Support costs €49 for 30 days.", "undecided"),
        ("The plan does not include support.", "The plan includes support.", "undecided"),
        ("Northwind bought Contoso in May.", "Contoso bought Northwind in May.", "undecided"),
        ("Der Tarif kostet 49 € im Monat.", "Der Tarif kostet monatlich 49 €.", "supported"),
        ("Der Tarif kostet 49 € im Monat.", "Im Monat kostet der Tarif 49 Euro.", "undecided"),
        ("Der Tarif kostet 49 € im Monat.", "Der Tarif kostet 49 Euro im Monat.", "supported"),
        ("Der Tarif kostet 49 € im Monat.", "Der Tarif kostet 59 € im Monat.", "unsupported"),
        ("Les retours sont gratuits pendant 30 jours.", "Les retours sont gratuits.", "supported"),
        ("Les retours sont gratuits.", "Les retours ne sont pas gratuits.", "undecided"),
        ("Las devoluciones son gratuitas.", "Las devoluciones son gratuitas.", "supported"),
        ("Возврат бесплатный в течение 30 дней.", "Возврат бесплатный 30 дней.", "supported"),
        ("Возврат бесплатный в течение 30 дней.", "Возврат бесплатный 14 дней.", "unsupported"),
        ("专业版每月收费49欧元，包含优先支持。", "专业版每月收费49欧元。", "supported"),
        ("专业版每月收费49欧元，包含优先支持。", "专业版每月收费59欧元。", "unsupported"),
        ("专业版每月收费49欧元，包含优先支持。", "仓库位于城市北部的工业园区。", "unsupported"),
        ("プロプランは月額49ユーロです。", "プロプランは月額49ユーロです。", "supported"),
        ("プロプランは月額49ユーロです。", "プロプランは月額59ユーロです。", "unsupported"),
        ("프로 요금제는 월 49유로입니다.", "프로 요금제는 월 49유로입니다.", "supported"),
        ("الخطة تكلف 49 يورو شهريا.", "الخطة تكلف 49 يورو شهريا.", "supported"),
        ("الخطة تكلف 49 يورو شهريا.", "الخطة تكلف 99 يورو شهريا.", "unsupported"),
        ("แผนโปรมีราคา 49 ยูโรต่อเดือน", "แผนโปรมีราคา 49 ยูโรต่อเดือน", "supported"),
        ("प्रो प्लान की कीमत 49 यूरो है।", "प्रो प्लान की कीमत 49 यूरो है।", "supported"),
    ],
)
def test_ruling(passage, sentence, verdict):
    claim = one(passage, sentence)
    assert claim["verdict"] == verdict, claim["why"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Would you like to know more?",
        "Here are the steps:",
        "## Pricing",
        "**Pricing**",
        "I hope this helps!",
        "I'm sorry for the confusion.",
        "The documents do not mention a laptop.",
        "希望对你有帮助。",
        "...",
    ],
)
def test_a_sentence_that_claims_nothing_has_no_claim(sentence):
    assert rulings([PLAN], sentence) == [[]]


def test_every_sentence_comes_back_once_in_order():
    said = answer(
        {"sentences": ["Hello!", "Returns are free.", "Why?"], "passages": [PLAN]}, THRESHOLDS
    )
    assert [s["sentence"] for s in said["sentences"]] == [1, 2, 3]


def test_the_evidence_is_the_place():
    passages = ["Returns are free.", "First this. The Pro plan costs €49/month. Then that."]
    said = answer(
        {"sentences": ["The Pro plan costs €49/month."], "passages": passages}, THRESHOLDS
    )
    (claim,) = said["sentences"][0]["claims"]
    assert claim["passage"] == 2
    assert claim["quote"] == "The Pro plan costs €49/month."


def test_the_reason_names_what_is_not_there():
    assert one(PLAN, "The Pro plan costs €59/month.")["why"] == 'no passage has "€59"'
    assert '"toronto"' in one(PLAN, "Our office is near Toronto harbour station.")["why"].lower()


def test_another_language_is_left_open():
    claim = one(PLAN, "Unsere Kunden bekommen bei der Bestellung einen kostenlosen Rechner.")
    assert claim["verdict"] == "undecided"
    assert "language" in claim["why"]


def test_no_passage_with_words_supports_nothing():
    assert rulings(["", "..."], "Visitors park bicycles behind the warehouse.") == [["unsupported"]]


CONTRACT = (
    "The contract was signed in Lisbon on 3 March 2021 by Anna Smith for Northwind. "
    "It costs 1,200 euros a year, runs for 24 months and covers version 2.1 of the interface. "
    "Repairs after May are done within 5 km of the office."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "The contract was signed in Toronto on 3 March 2021 by Anna Smith for Northwind.",
        "The contract was signed in Lisbon on 3 March 2022 by Anna Smith for Northwind.",
        "The contract was signed in Lisbon on 3 April 2021 by Anna Smith for Northwind.",
        "The contract was signed in Lisbon on 3 March 2021 by Anna Jones for Northwind.",
        "The contract was signed in Lisbon on 3 March 2021 by Anna Smith for Contoso.",
        "The contract was not signed in Lisbon on 3 March 2021 by Anna Smith.",
        "It costs 1,200 dollars a year and runs for 24 months.",
        "It costs 12,000 euros a year and runs for 24 months.",
        "It costs 1,200 euros a year and runs for 24 weeks.",
        "It runs for 24 months and covers version 2.10 of the interface.",
        "It runs for 24 months and excludes version 2.1 of the interface.",
        "Repairs before May are done within 5 km of the office.",
        "Repairs after May are done within 5 miles of the office.",
        "Repairs after May are done within five km of the Lyon office.",
        "Repairs after May are never done within 5 km of the office.",
    ],
)
def test_one_thing_changed_is_never_supported(sentence):
    assert one(CONTRACT, sentence)["verdict"] in {"undecided", "unsupported"}
    assert one(CONTRACT, sentence.upper())["verdict"] in {"undecided", "unsupported"}
    assert one(CONTRACT, f"**{sentence}**")["verdict"] in {"undecided", "unsupported"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The contract was signed in Lisbon on 3 March 2021 by Anna Smith for Northwind.",
        "It costs €1200 a year and runs for 24 months.",
        "Repairs after May are done within five km of the office.",
    ],
)
def test_nothing_changed_is_supported(sentence):
    assert one(CONTRACT, sentence)["verdict"] == "supported"
