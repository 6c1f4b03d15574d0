"""Hard cases: one claim each, against one passage, with what is true of it.

They show what the judge sees and what it cannot; `acidtest judge check` asks it all of them.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from acidtest.judges.local.claims import answer
from acidtest.judges.local.rules import THRESHOLDS, Thresholds

Outcome = Literal["right", "open", "wrong"]


class HardCase(Struct, frozen=True):
    """A claim, its passage, and whether the passage supports it."""

    kind: str
    passage: str
    claim: str
    supported: bool


class Answered(Struct, frozen=True):
    """A hard case with what the judge says of it; `open` when it abstains."""

    case: HardCase
    says: str
    outcome: Outcome
    why: str


_PLAN = "The Pro plan costs €49/month and includes priority support."
_RETURNS = "Members return any item free of charge within 30 days of delivery."

CASES: tuple[HardCase, ...] = (
    HardCase("same words", _PLAN, "The Pro plan is €49/month.", True),
    HardCase("number written otherwise", _PLAN, "The Pro plan costs 49 euros a month.", True),
    HardCase("another number", _PLAN, "The Pro plan costs €59/month.", False),
    HardCase(
        "another unit",
        "Refunds are paid out within 14 days of the request.",
        "Refunds are paid out within 14 hours of the request.",
        False,
    ),
    HardCase(
        "another name",
        "The company was founded in Lyon in 2010 by Anna Smith and two colleagues.",
        "The company was founded in Lyon in 2010 by Maria Smith.",
        False,
    ),
    HardCase(
        "nothing of the kind",
        _PLAN,
        "Enterprise customers get a dedicated account manager in Toronto.",
        False,
    ),
    HardCase("negation", _PLAN, "The Pro plan does not include priority support.", False),
    HardCase(
        "negation in the source",
        "The warranty does not cover water damage or broken screens.",
        "The warranty covers water damage and broken screens.",
        False,
    ),
    HardCase("half true", _PLAN, "The Pro plan is €49/month and includes a free laptop.", False),
    HardCase(
        "figures swapped",
        "The Basic plan costs €10 a month. The Pro plan costs €30 a month.",
        "The Basic plan costs €30 a month and the Pro plan costs €10 a month.",
        False,
    ),
    HardCase(
        "role swap",
        "In May 2021 Northwind acquired its rival Contoso for an undisclosed sum.",
        "In May 2021 Contoso acquired its rival Northwind for an undisclosed sum.",
        False,
    ),
    HardCase("condition dropped", _RETURNS, "Any item is returned free of charge.", False),
    HardCase(
        "opposite word",
        "The average response time of support rose from March to June last year.",
        "The average response time of support fell from March to June last year.",
        False,
    ),
    HardCase(
        "contradiction by meaning",
        "Every call to the search interface is billed at two cents.",
        "The search interface can be used without paying.",
        False,
    ),
    HardCase(
        "paraphrase",
        _RETURNS,
        "If you belong to the club, sending things back costs nothing.",
        True,
    ),
    HardCase(
        "inference",
        "The shop is open from Monday to Saturday.",
        "On Sundays you will find the shop closed.",
        True,
    ),
    HardCase(
        "arithmetic",
        "The licence costs 120 dollars a year.",
        "Two years of the licence cost 240 dollars.",
        True,
    ),
    HardCase(
        "another language",
        _PLAN,
        "Der Pro-Tarif kostet 49 € im Monat und enthält bevorzugten Support.",
        True,
    ),
    HardCase(
        "German",
        "Der Pro-Tarif kostet 49 € im Monat. Die Kündigungsfrist beträgt zwei Wochen zum Monatsende.",
        "Die Kündigungsfrist beträgt zwei Monate zum Jahresende.",
        False,
    ),
    HardCase(
        "French",
        "Les retours sont gratuits pendant 30 jours après la livraison de la commande.",
        "Les retours sont gratuits pendant 30 jours après la livraison.",
        True,
    ),
    HardCase(
        "Chinese",
        "专业版每月收费四十九欧元，包含优先技术支持服务。退款将在十四天内完成。",
        "退款将在三十天内完成。",
        False,
    ),
    HardCase(
        "Japanese",
        "プロプランは月額49ユーロで、優先サポートが含まれます。",
        "プロプランは月額49ユーロです。",
        True,
    ),
    HardCase(
        "Arabic",
        "تبلغ تكلفة الخطة الاحترافية 49 يورو شهريا وتشمل الدعم ذا الأولوية.",
        "تبلغ تكلفة الخطة الاحترافية 99 يورو شهريا.",
        False,
    ),
    HardCase(
        "Thai",
        "แผนโปรมีราคา 49 ยูโรต่อเดือนและรวมการสนับสนุนแบบเร่งด่วน",
        "แผนโปรมีราคา 49 ยูโรต่อเดือน",
        True,
    ),
)


def ask_all(cut: Thresholds = THRESHOLDS) -> Iterator[Answered]:
    """Yield every hard case with what the judge says of it now."""
    for case in CASES:
        said = answer({"sentences": [case.claim], "passages": [case.passage]}, cut)
        claim = said["sentences"][0]["claims"][0]
        says = claim["verdict"]
        outcome: Outcome = "open"
        if says != "undecided":
            outcome = "right" if (says == "supported") == case.supported else "wrong"
        yield Answered(case, says, outcome, claim["why"])
