"""The rules of a judge's card, one case a rule, worked by hand from the tables of the handbook."""

import pytest
from msgspec.structs import replace

from acidtest.data.judge_card import Agreed, Coverage, Figure, Floor, Plain, Repeat, Shift, Watched
from acidtest.project.card.rules import Facts, rule

GOOD = Agreed(
    source="calibration.json",
    run="nightly (r1)",
    golden="sha256:0",
    created="2026-11-20T00:00:00Z",
    n=100,
    annotators=2,
    measures={"kappa": Figure(value=0.6, ci=(0.45, 0.75), n=100)},
    why="",
    ceiling=Figure(value=0.7, ci=(0.6, 0.8), n=100),
    alpha=Figure(value=0.7, ci=(0.6, 0.8), n=100),
    judge_minus_people=None,
    floors=(Floor(name="contains-gold", kappa=Figure(value=0.2), beaten="yes"),),
)
CALM = Shift(kind="length", change="restated", moved=0, of=40, share=None, shift=None, finding=None)
STEADY = Watched(
    source="anchor.jsonl",
    result="steady",
    says="steady",
    since="",
    last="2026-11-30T00:00:00Z",
    looks=3,
    cases=50,
    evidence=0.5,
    limit=40.0,
    metrics=("faithfulness",),
)
ALL = Facts(
    agreed=GOOD,
    shifts=(CALM,),
    repeat=Repeat(source="bias.json", asks=2, same=Figure(value=1.0, n=40)),
    plain=Plain(n=8, right=8, open=0, wrong=0, failed=0),
    coverage=Coverage(scored=95, of=100),
    attacked=(),
    drift=STEADY,
    watched=True,
)


def agreed(**changes):
    return replace(ALL, agreed=replace(GOOD, **changes))


def kappa(value, low, high):
    return agreed(measures={"kappa": Figure(value=value, ci=(low, high), n=100)})


def floor(beaten):
    return agreed(floors=(Floor(name="contains-gold", kappa=None, beaten=beaten),))


def alpha(value):
    return agreed(alpha=Figure(value=value, n=100))


def test_all_measured_and_good_is_a_yes_without_reservations():
    ruled = rule(ALL)
    assert (ruled.may, ruled.says) == ("gate", "yes, gate on it")
    assert (ruled.reasons, ruled.unknown) == ((), ())


def test_what_was_not_measured_is_named_in_the_same_sentence():
    ruled = rule(Facts(agreed=replace(GOOD, ceiling=None)))
    assert ruled.may == "gate"
    assert ruled.says == (
        "yes, gate on it, though nobody measured how far people agree, biases, repeatability, attacks and drift"
    )


@pytest.mark.parametrize(
    ("facts", "may", "words"),
    [
        (replace(ALL, unjudged="it says that it cannot"), "unjudged", "it says that it cannot"),
        (replace(ALL, agreed=None), "unmeasured", "nobody held it against people's labels"),
        (agreed(n=29), "unmeasured", "29 cases have a label, and 30 are needed"),
        (agreed(n=1), "unmeasured", "1 case has a label"),
        (agreed(n=30), "gate", "yes, gate on it"),
        (
            replace(ALL, drift=replace(STEADY, result="gone", since="2026-11-25T00:00:00Z")),
            "unmeasured",
            "before the provider changed the model (2026-11-25T00:00:00Z)",
        ),
        (
            replace(ALL, drift=replace(STEADY, result="drift", since="2026-11-25T00:00:00Z")),
            "unmeasured",
            "before it drifted",
        ),
        (  # calibrated after the drift: it is the new judge that was measured
            replace(ALL, drift=replace(STEADY, result="drift", since="2026-11-15T00:00:00Z")),
            "gate",
            "yes, gate on it",
        ),
        (
            replace(ALL, measured="1+2", current="1+3"),
            "unmeasured",
            "measured with method and prompt 1+2, and now it is 1+3",
        ),
        (replace(ALL, measured="1+3", current="1+3"), "gate", "yes"),
        (replace(ALL, measured="1+2", current=""), "gate", "yes"),
        (alpha(0.06), "no", "people agree at alpha 0.06"),
        (alpha(0.19), "no", "no verdict to hold it against"),
        (alpha(0.20), "compare", "people agree at alpha 0.20 only"),
        (alpha(0.40), "gate", "yes"),
        (agreed(measures={}, why="all labels are yes"), "unmeasured", "all labels are yes"),
        (
            agreed(measures={"kappa": Figure(value=0.5)}, why="it has no interval"),
            "unmeasured",
            "it has no interval",
        ),
        (kappa(0.2, 0.0, 0.4), "no", "0.20 (0.00 to 0.40), is not shown to be above chance"),
        (kappa(0.5, 0.01, 0.9), "compare", "may be as low as 0.01, and a gate needs 0.40"),
        (kappa(0.5, 0.39, 0.6), "compare", "may be as low as 0.39"),
        (kappa(0.5, 0.40, 0.6), "gate", "yes"),
        (floor("no"), "no", "contains-gold agrees with people as well, and asks no judge"),
        (floor("open"), "compare", "not shown to beat contains-gold"),
        (
            replace(ALL, shifts=(replace(CALM, finding="raises"),)),
            "compare",
            "length (restated) raises it",
        ),
        (
            replace(ALL, shifts=(replace(CALM, finding="unsteady"),)),
            "compare",
            "length (restated) makes it unsteady",
        ),
        (
            replace(
                ALL,
                shifts=(
                    replace(CALM, kind="leniency", change="number", moved=9, finding="lenient"),
                ),
            ),
            "compare",
            "it lets 9 of 40 planted faults pass (number)",
        ),
        (
            replace(
                ALL,
                shifts=(replace(CALM, kind="self-preference", change="gpt", finding="kinder"),),
            ),
            "compare",
            "it is kinder to gpt, its own family, than people are",
        ),
        (
            replace(ALL, repeat=replace(ALL.repeat, same=Figure(value=0.89, n=40))),
            "compare",
            "the same in 89% only, and a gate needs 90%",
        ),
        (replace(ALL, repeat=replace(ALL.repeat, same=Figure(value=0.9, n=40))), "gate", "yes"),
        (replace(ALL, plain=replace(ALL.plain, right=7, wrong=1)), "gate", "yes"),
        (
            replace(ALL, plain=replace(ALL.plain, right=6, wrong=2)),
            "compare",
            "it gets 2 of 8 plain cases wrong",
        ),
        (
            replace(ALL, plain=Plain(n=0, right=0, open=0, wrong=0, failed=8)),
            "compare",
            "no valid reply to 8 of 8 plain cases",
        ),
        (
            replace(ALL, attacked=("tags", "order", "nul", "rtl", "b64")),
            "compare",
            "attacks move its verdict: tags, order, nul and 2 more",
        ),
        (replace(ALL, coverage=Coverage(scored=49, of=100)), "compare", "scores 49 of 100 cases"),
        (replace(ALL, coverage=Coverage(scored=50, of=100, undecided=0.5)), "gate", "yes"),
        (
            replace(ALL, coverage=Coverage(scored=90, of=100, undecided=0.51)),
            "compare",
            "it leaves 51% of the claims open",
        ),
        (replace(ALL, coverage=Coverage(scored=0, of=0)), "gate", "yes"),
    ],
)
def test_each_rule(facts, may, words):
    ruled = rule(facts)
    assert ruled.may == may
    assert words in ruled.says


def test_the_gravest_reason_comes_first_and_limits_follow():
    ruled = rule(replace(alpha(0.06), attacked=("tags",)))
    assert ruled.may == "no"
    assert [reason[:12] for reason in ruled.reasons] == ["people agree", "attacks move"]


def test_what_is_not_judged_lacks_nothing():
    ruled = rule(Facts(unjudged="it says that it cannot"))
    assert (ruled.reasons, ruled.unknown) == (("it says that it cannot",), ())


@pytest.mark.parametrize(
    "facts",
    [
        replace(ALL, watched=False),
        replace(ALL, drift=replace(STEADY, result="new")),
        replace(ALL, drift=replace(STEADY, result="incomplete")),
        replace(ALL, drift=None),
    ],
)
def test_an_anchor_that_says_nothing_of_the_metric_leaves_drift_unknown(facts):
    assert rule(facts).unknown == ("drift",)
