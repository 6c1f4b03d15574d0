"""A whole synthesis against a scripted model: what is kept, dropped, missing, and resumed."""

import asyncio
import functools
from collections import Counter

import pytest
from tests.golden.grow.author import corpus, draft, replies

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case
from acidtest.errors import BudgetSpent, JudgeError, UsageError
from acidtest.golden.grow.drafting import Writers, drafted
from acidtest.golden.grow.kinds import KINDS, SHARES, quotas
from acidtest.golden.grow.near import Nearest
from acidtest.golden.grow.plan import Wish, make_plan
from acidtest.golden.grow.synthesise import Goal, synthesise
from acidtest.golden.load import load_golden
from acidtest.testing import FakeJudge


def run(chunks, quota, judge, *, existing=(), key="p", language="", seed=0, **goal):
    plan = make_plan(chunks, quota, Wish(language=language, seed=seed), tries=goal.get("tries", 3))
    writers = Writers(writer=judge, checker=judge, nearest=Nearest(chunks), plan=key)

    async def write(slot, asked):
        return await drafted(slot, writers, language=language, asked=asked)

    return asyncio.run(
        synthesise(plan, Goal(quota=quota, **goal), write, key=key, existing=existing)
    )


def test_every_kind_comes_with_what_it_must_have():
    quota = quotas(20, SHARES)
    assert set(quota) == set(KINDS)
    got = run(corpus(64), quota, FakeJudge(replies()))
    assert (got.shortfall, got.stopped) == ((), None)
    assert Counter(case.metadata["kind"] for case in got.cases) == quota
    by_id = corpus(64).by_id
    for case in got.cases:
        assert case.source == "synthetic"
        assert case.metadata["review"] == "open"
        assert case.metadata["model"] == "fake"
        assert case.metadata["kind"] in case.tags
        assert case.metadata["persona"]
        assert case.metadata["style"]
        if case.metadata["kind"] == "unanswerable":
            assert (case.answerable, case.relevant, case.evidence) == (False, {}, ())
            continue
        assert case.reference
        assert set(case.relevant) == {each.chunk_id for each in case.evidence}
        for each in case.evidence:
            assert each.text in by_id[each.chunk_id].text
        assert len(case.relevant) == (
            2 if case.metadata["kind"] in ("multi-hop", "comparison") else 1
        )
        assert bool(case.history) == (case.metadata["kind"] == "follow-up")
    assert load_golden(list(got.cases))  # they can be read back


def test_the_same_replies_give_the_same_cases_however_many_are_asked_at_once():
    quota = quotas(20, SHARES)
    one, many = (run(corpus(64), quota, FakeJudge(replies()), width=width) for width in (1, 20))
    assert one.cases == many.cases


def test_another_seed_asks_about_other_chunks():
    quota = {"lookup": 5}
    first, second = (run(corpus(64), quota, FakeJudge(replies()), seed=seed) for seed in (0, 1))
    assert {c.id for c in first.cases} != {c.id for c in second.cases}


def test_questions_are_spread_over_documents():
    got = run(corpus(40), {"lookup": 10}, FakeJudge(replies()))
    assert len({case.evidence[0].doc_id for case in got.cases}) == 10


def test_a_wrong_quote_drops_the_draft_and_the_next_chunk_is_asked():
    def lying(fields):
        said = draft("synthesize_lookup", fields["passages"])
        if "M-003" in fields["passages"][0]:
            said["quotes"] = [{"passage": 1, "quote": "The moon is made of cheese."}]
        return said

    judge = FakeJudge(replies(synthesize_lookup=lying))
    got = run(corpus(8), {"lookup": 5}, judge, tries=3)
    assert len(got.cases) == 5
    assert not any("M-003" in case.question for case in got.cases)
    got = run(corpus(8), {"lookup": 8}, FakeJudge(replies(synthesize_lookup=lying)))
    assert Counter(each.reason for each in got.dropped)["wrong quote"] >= 1
    (short,) = got.shortfall
    assert (short.kind, short.missing) == ("lookup", 1)
    assert "wrong quote" in short.why


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"answer": "", "needed": [], "verdict": "not_answered"}, "not answered by its chunks"),
        ({"answer": "a", "needed": [1], "verdict": "partly"}, "not answered by its chunks"),
        ({"answer": "a", "needed": [7], "verdict": "answered"}, "no valid reply"),
        (JudgeError("the server is on fire"), "the model failed"),
    ],
)
def test_what_the_check_says_drops_a_draft(reply, reason):
    got = run(corpus(8), {"lookup": 2}, FakeJudge(replies(answerable=reply)), tries=1)
    assert got.cases == ()
    assert {each.reason for each in got.dropped} == {reason}


def test_a_hop_that_one_chunk_answers_is_dropped():
    reply = {"answer": "a", "needed": [1], "verdict": "answered"}
    got = run(corpus(64), {"multi-hop": 2}, FakeJudge(replies(answerable=reply)), tries=1)
    assert {each.reason for each in got.dropped} == {"one chunk is enough"}


def test_a_question_that_the_corpus_answers_elsewhere_is_not_unanswerable():
    chunks = [
        *corpus(8),
        CorpusChunk(id="paint", text="All machines with the colour of rust: M-001, M-002, M-003."),
    ]

    def check(fields):
        painted = any("rust" in text for text in fields["passages"])
        verdict = "answered" if painted else "not_answered"
        return {"answer": "rust", "needed": [], "verdict": verdict}

    got = run(Corpus(chunks), {"unanswerable": 8}, FakeJudge(replies(answerable=check)), tries=2)
    assert "the corpus answers it" in {each.reason for each in got.dropped}
    assert not any(f"M-00{n}" in case.question for case in got.cases for n in (1, 2, 3))


def test_questions_that_are_there_are_not_asked_again():
    first = run(corpus(8), {"lookup": 8}, FakeJudge(replies()))
    assert len(first.cases) == 8
    known = [Case(id=f"x{n}", question=case.question) for n, case in enumerate(first.cases[:3])]
    again = run(corpus(8), {"lookup": 8}, FakeJudge(replies()), existing=known)
    assert len(again.cases) == 5
    assert {each.reason for each in again.dropped} >= {"same as another"}
    assert again.shortfall[0].missing == 3


def test_a_model_that_repeats_itself_yields_one_question():
    def same(fields):
        return draft("synthesize_lookup", fields["passages"]) | {
            "question": "How thirsty is it all?"
        }

    got = run(corpus(8), {"lookup": 3}, FakeJudge(replies(synthesize_lookup=same)))
    assert len(got.cases) == 1
    assert {each.reason for each in got.dropped} == {"same as another"}
    assert got.shortfall[0].missing == 2


def test_more_than_the_corpus_offers_is_told():
    got = run(corpus(1), {"lookup": 10, "multi-hop": 2}, FakeJudge(replies()))
    short = {each.kind: each for each in got.shortfall}
    assert short["lookup"].missing == 9
    assert short["multi-hop"].missing == 2
    assert "1 chunks can be asked about" in short["multi-hop"].why


def test_later_questions_to_a_chunk_are_told_of_earlier_ones():
    judge = FakeJudge(replies())
    run(corpus(1), {"lookup": 3}, judge)
    told = [fields["asked"] for name, fields in judge.calls if name == "synthesize_lookup"]
    assert told == [[], ["How thirsty is M-000?"], ["How thirsty is M-000?"]]


TRADES = [
    "abbot",
    "baker",
    "cooper",
    "dyer",
    "eeler",
    "farrier",
    "glazier",
    "hunter",
    "ironer",
    "joiner",
    "knitter",
    "miller",
]


def test_what_a_kind_lacks_is_made_up_for_unless_kinds_were_named():
    text = "Every {0} keeps a {0} ledger, which the {0} warden signs at dusk."
    plain = Corpus([CorpusChunk(id=f"p{n}", text=text.format(a)) for n, a in enumerate(TRADES)])

    def any_draft(fields):
        text = fields["passages"][0]
        said = {"question": f"Who vouches for the {text.split()[1]}?", "reference": "A warden."}
        return {"quotes": [{"passage": 1, "quote": text}], **said}

    judge = FakeJudge(replies(synthesize_lookup=any_draft))
    quota = {"lookup": 4, "identifier": 3}
    fixed = run(plain, quota, judge)
    assert len(fixed.cases) == 4
    assert [(each.kind, each.missing) for each in fixed.shortfall] == [("identifier", 3)]
    assert "identifier" in fixed.shortfall[0].why
    made_up = run(plain, quota, judge, flexible=True)
    assert len(made_up.cases) == 7
    assert [(each.kind, each.missing) for each in made_up.shortfall] == [("identifier", 3)]


def test_the_end_of_the_budget_keeps_what_is_done():
    spent = iter(range(100))

    def counting(fields):
        if next(spent) >= 4:
            return BudgetSpent("the budget is used up")
        return draft("synthesize_lookup", fields["passages"])

    got = run(corpus(8), {"lookup": 8}, FakeJudge(replies(synthesize_lookup=counting)), width=1)
    assert len(got.cases) == 4
    assert "used up" in got.stopped
    assert got.shortfall[0].missing == 4
    rest = run(corpus(8), {"lookup": 8}, FakeJudge(replies()), existing=got.cases)
    whole = run(corpus(8), {"lookup": 8}, FakeJudge(replies()))
    assert [*got.cases, *rest.cases] == list(whole.cases)


def test_a_judge_that_writes_nothing_is_refused():
    with pytest.raises(UsageError, match="writes and checks no questions"):
        run(corpus(8), {"lookup": 1}, FakeJudge({}))


def test_many_at_once_keep_to_the_width():
    going = peak = 0
    judge = FakeJudge(replies())
    chunks = corpus(32)
    writers = Writers(writer=judge, checker=judge, nearest=Nearest(chunks), plan="p")

    async def write(slot, asked):
        nonlocal going, peak
        going += 1
        peak = max(peak, going)
        await asyncio.sleep(0.001)
        case = await drafted(slot, writers, language="", asked=asked)
        going -= 1
        return case

    plan = make_plan(chunks, {"lookup": 20})
    goal = functools.partial(Goal, quota={"lookup": 20})
    got = asyncio.run(synthesise(plan, goal(width=3), write, key="p"))
    assert len(got.cases) == 20
    assert peak == 3
