"""One call or several: from the same verdicts both forms of a metric make the same score."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError
from acidtest.metrics.claims_in_steps import RULE, SPLIT, RuledClaim, SplitSentence
from acidtest.metrics.contexts.context_precision_judged import context_precision_judged
from acidtest.metrics.contexts.context_recall import context_recall
from acidtest.metrics.contexts.context_relevance import context_relevance
from acidtest.metrics.contexts.context_usefulness import context_usefulness
from acidtest.metrics.end_to_end.factual_correctness import factual_correctness
from acidtest.metrics.generation.faithfulness import faithfulness
from acidtest.metrics.generation.faithfulness_binary import faithfulness_binary
from acidtest.metrics.registry import known
from acidtest.testing import FakeJudge

QUESTION = "What does Pro cost?"
ANSWER = ("Pro costs 49 euros.", "Ask us more.", "It includes a laptop and support.")
REFERENCE = ("Pro is 49 euros a month.", "Support is included.")
TEXTS = ("Pro costs 49 euros.", "Returns are free.", "Support is included.")
CHUNKS = tuple(Chunk(text=text) for text in TEXTS)

# Recorded: sentence -> its claims, each with verdict, passage and quote.
SAID = {
    ANSWER[0]: [("Pro costs 49 euros", "supported", 1, "costs 49 euros")],
    ANSWER[1]: [],
    ANSWER[2]: [
        ("Pro includes a laptop", "unsupported", None, ""),
        ("Pro includes support", "supported", 3, "Support is"),
    ],
    REFERENCE[0]: [("Pro is 49 euros a month", "contradicted", 1, "")],
    REFERENCE[1]: [("Support is part of Pro", "supported", 3, "Support is included")],
}
ON_PASSAGES = dict(zip(TEXTS, ("relevant", "irrelevant", "relevant"), strict=True))


def claim(text, verdict, passage, quote):
    return {"claim": text, "verdict": verdict, "passage": passage, "quote": quote, "why": "so"}


def recorded(said=SAID, on_passages=ON_PASSAGES, words=("useful", "useless")):
    """A judge that gives the same verdicts whatever way it is asked."""
    ruled = {c[0]: c for claims in said.values() for c in claims}

    def claims_of(texts, keep=("claim", "verdict", "passage", "quote", "why")):
        return [
            {"sentence": n, "claims": [{k: claim(*c)[k] for k in keep} for c in said[text]]}
            for n, text in enumerate(texts, start=1)
        ]

    def split(fields):
        return {
            "sentences": [
                {"sentence": n, "claims": [c[0] for c in said[text]]}
                for n, text in enumerate(fields["sentences"], start=1)
            ]
        }

    def rule(fields):
        whole = tuple(fields["passages"]) == TEXTS
        return {
            "claims": [
                {
                    "claim_id": n,
                    "verdict": ruled[text][1],
                    "why": "so",
                    "passage": ruled[text][2] if whole else None,
                    "quote": ruled[text][3] if whole else "",
                }
                for n, text in enumerate(fields["claims"], start=1)
            ]
        }

    def passages(fields, number, names):
        found = (on_passages[text] == "relevant" for text in fields["passages"])
        return [
            {number: n, "verdict": names[not is_so], "why": "so"}
            for n, is_so in enumerate(found, start=1)
        ]

    relevance = ("relevant", "irrelevant")
    return FakeJudge(
        {
            "faithfulness": lambda f: {"sentences": claims_of(f["sentences"])},
            "context_recall": lambda f: {"sentences": claims_of(f["sentences"])},
            "reference_in_contexts": lambda f: {
                "sentences": claims_of(f["sentences"]),
                "passages": passages(f, "passage_id", relevance),
            },
            "context_precision_judged": lambda f: {
                "passages": passages(f, "passage_id", relevance)
            },
            "context_usefulness": lambda f: {"passages": passages(f, "passage", words)},
            "context_relevance": lambda f: {
                "passages": passages(f, "passage_id", ("direct", "related"))
            },
            "factual_correctness": lambda f: {
                "points": claims_of(f["points"], ("claim", "verdict", "why")),
                "sentences": claims_of(f["sentences"], ("claim", "verdict", "why")),
            },
            "split_into_claims": split,
            "rule_on_claims": rule,
        }
    )


TEXT, EXPECTED = " ".join(ANSWER), " ".join(REFERENCE)
CASE = Case(id="x", question=QUESTION, reference=EXPECTED)
GIVEN = Answer(case_id="x", text=TEXT, retrieved=CHUNKS)

FORMS = {
    "faithfulness": (
        lambda judge, calls: faithfulness(QUESTION, TEXT, CHUNKS, judge, calls=calls),
        {"one": 1, "split": 2},
        2 / 3,
    ),
    "faithfulness_binary": (
        lambda judge, calls: faithfulness_binary(QUESTION, TEXT, CHUNKS, judge, calls=calls),
        {"one": 1, "split": 2},
        0.0,
    ),
    "factual_correctness": (
        lambda judge, calls: factual_correctness(QUESTION, TEXT, EXPECTED, judge, calls=calls),
        {"one": 1, "split": 4},
        2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2),
    ),
    "context_recall": (
        lambda judge, calls: context_recall(QUESTION, EXPECTED, CHUNKS, judge, calls=calls),
        {"shared": 1, "own": 1},
        1 / 2,
    ),
    "context_precision_judged": (
        lambda judge, calls: context_precision_judged(CASE, GIVEN, CHUNKS, judge, calls=calls),
        {"shared": 1, "own": 1, "each": 3},
        (1 + 2 / 3) / 2,
    ),
    "context_usefulness": (
        lambda judge, calls: context_usefulness(QUESTION, TEXT, CHUNKS, judge, calls=calls),
        {"one": 1, "each": 3},
        2 / 3,
    ),
    "context_relevance": (
        lambda judge, calls: context_relevance(QUESTION, CHUNKS, judge, calls=calls),
        {"one": 1, "each": 3},
        7 / 9,
    ),
}


@pytest.mark.parametrize("name", FORMS)
async def test_all_forms_score_alike_and_take_as_many_calls_as_they_say(name):
    metric, forms, value = FORMS[name]
    outcomes = []
    for calls, number in forms.items():
        judge = recorded()
        outcomes.append(await metric(judge, calls))
        assert len(judge.calls) == number
    assert isinstance(outcomes[0], Score)
    assert outcomes[0].value == pytest.approx(value)
    assert all(outcome == outcomes[0] for outcome in outcomes)


def test_every_metric_with_forms_is_compared_here():
    declared = {
        name: set(metric.settings["calls"].type.__args__)
        for name, metric in known().items()
        if "calls" in metric.settings
    }
    assert {name: set(forms) for name, (_, forms, _) in FORMS.items()} == declared


verdicts = st.sampled_from(["supported", "unsupported", "contradicted", "undecided"])
tables = st.lists(st.lists(verdicts, max_size=3), min_size=len(ANSWER), max_size=len(ANSWER))


@given(tables, st.lists(st.sampled_from(["relevant", "irrelevant"]), min_size=3, max_size=3))
def test_whatever_the_verdicts(answer_verdicts, found):
    said = {
        text: [(f"{n}.{m}", verdict, None, "") for m, verdict in enumerate(each)]
        for n, (text, each) in enumerate(zip(ANSWER, answer_verdicts, strict=True))
    } | {text: SAID[text] for text in REFERENCE}
    on_passages = dict(zip(TEXTS, found, strict=True))

    async def outcomes(name):
        metric, forms, _ = FORMS[name]
        return [await metric(recorded(said, on_passages), calls) for calls in forms]

    for name in FORMS:
        first, *others = asyncio.run(outcomes(name))
        assert all(other == first for other in others)


async def test_nothing_claimed_is_not_ruled_on():
    judge = recorded({text: [] for text in ANSWER})
    outcome = await faithfulness(QUESTION, TEXT, CHUNKS, judge, calls="split")
    assert outcome == Skip("the answer claims nothing")
    assert [name for name, _ in judge.calls] == ["split_into_claims"]


async def test_the_splitter_sees_no_passage_and_serves_two_metrics():
    judge = recorded()
    await faithfulness(QUESTION, TEXT, CHUNKS, judge, calls="split")
    await factual_correctness(QUESTION, TEXT, EXPECTED, judge, calls="split")
    split = [fields for name, fields in judge.calls if name == "split_into_claims"]
    assert split[0] == {"question": QUESTION, "sentences": list(ANSWER)}
    assert split[0] in split[1:]  # the same question: a cache asks it once


async def test_a_judge_that_cannot_split_skips():
    judge = FakeJudge({"split_into_claims": Skip("cannot judge this")})
    for metric in ("faithfulness", "factual_correctness"):
        outcome = await FORMS[metric][0](judge, "split")
        assert outcome == Skip("cannot judge this")


async def test_what_fails_is_told_when_both_texts_are_asked():
    judge = FakeJudge({"split_into_claims": JudgeError("gone")})
    with pytest.raises(JudgeError, match="gone"):
        await FORMS["factual_correctness"][0](judge, "split")
    assert len(judge.calls) == 2


def split_reply(*claims):
    numbered = enumerate(claims, start=1)
    return SPLIT.reply(tuple(SplitSentence(sentence=n, claims=each) for n, each in numbered))


def ruling(**more):
    return RuledClaim(**{"claim_id": 1, "verdict": "supported"} | more)


@pytest.mark.parametrize(
    ("rulings", "why"),
    [
        ((ruling(),), None),
        ((ruling(passage=1, quote="COSTS  49"),), None),
        ((), "claim 1 missing"),
        ((ruling(), ruling()), "claim 1 doubled"),
        ((ruling(passage=4),), "there is no passage 4"),
        ((ruling(passage=2, quote="49 euros"),), "is not in passage 2"),
        ((ruling(quote="49 euros"),), "names no passage"),
    ],
)
def test_what_is_ruled_is_checked(rulings, why):
    complaint = RULE.check(RULE.reply(rulings), {"passages": TEXTS, "claims": ["x"]})
    assert (complaint is None) if why is None else (why in complaint)


def test_what_is_split_is_checked():
    fields = {"sentences": ["a", "b"]}
    assert SPLIT.check(split_reply(("x",), ()), fields) is None
    assert "sentence 2 missing" in SPLIT.check(split_reply(("x",)), fields)
    assert "a claim is empty" in SPLIT.check(split_reply((" ",), ()), fields)


async def test_empty_contexts_are_judged_unasked():
    chunks = (*CHUNKS, Chunk(text=" "), CHUNKS[0])
    given = Answer(case_id="x", text=TEXT, retrieved=chunks)
    judge = recorded()
    precision = await context_precision_judged(CASE, given, chunks, judge, calls="each")
    relevance = await context_relevance(QUESTION, chunks, judge, calls="each")
    assert len(judge.calls) == 6  # a repeated context is asked of once
    assert [e["verdict"] for e in precision.evidence][3:] == ["irrelevant", "relevant"]
    assert [e["verdict"] for e in relevance.evidence][3:] == ["unrelated", "direct"]
    assert [e["passage"] for e in relevance.evidence] == [1, 2, 3, 4, 5]
