"""Answer relevancy: means of cosines by hand, languages, vectors that cannot be compared."""

import math

import pytest

from acidtest.data.outcomes import Score, Skip
from acidtest.errors import JudgeError, OutsideError, UsageError
from acidtest.metrics.generation.answer_relevancy import answer_relevancy, check_questions
from acidtest.metrics.registry import find
from acidtest.testing import FakeJudge

QUESTION = "What does the Pro plan cost?"
ANSWER = "The Pro plan is €49/month."
WRITTEN = ("one?", "two?", "three?")


class Table:
    """An embedder that looks vectors up."""

    def __init__(self, **vectors):
        self.vectors = {QUESTION: (1.0, 0.0)} | {f"{k}?": v for k, v in vectors.items()}
        self.calls = []

    async def embed(self, texts):
        self.calls.append(list(texts))
        return [self.vectors[text] for text in texts]


def judge(questions=WRITTEN, commitment="committal"):
    said = {"commitment": commitment, "questions": list(questions)}
    return FakeJudge({"answer_relevancy": said})


async def test_the_mean_cosine():
    embedder = Table(one=(2, 0), two=(0, 3), three=(3, 4))
    asked = judge()
    score = await answer_relevancy(QUESTION, ANSWER, asked, embedder)
    assert score.value == pytest.approx((1 + 0 + 0.6) / 3)
    assert [e["similarity"] for e in score.evidence] == [1.0, 0.0, pytest.approx(0.6)]
    assert asked.calls == [("answer_relevancy", {"answer": ANSWER, "count": 3})]
    assert embedder.calls == [[QUESTION, *WRITTEN]]


async def test_the_same_question_is_exactly_one():
    score = await answer_relevancy(QUESTION, ANSWER, judge([QUESTION] * 3), Table())
    assert score.value == 1.0


async def test_opposed_questions_are_no_nearer_than_unrelated_ones():
    embedder = Table(one=(-1, 0), two=(1, 0), three=(-5, 0))
    assert (await answer_relevancy(QUESTION, ANSWER, judge(), embedder)).value == 1 / 3


@pytest.mark.parametrize(
    ("vector", "why"),
    [
        ((0.0, 0.0), "zero"),
        ((math.nan, 1.0), "not finite"),
        ((math.inf, 1.0), "not finite"),
        ((1.0, 0.0, 0.0), "different lengths: 2, 3"),
        ((), "no vector"),
        ("ab", "no vector"),
    ],
)
async def test_vectors_that_cannot_be_compared(vector, why):
    with pytest.raises(OutsideError, match=why):
        await answer_relevancy(
            QUESTION, ANSWER, judge(), Table(one=vector, two=(1, 0), three=(1, 0))
        )


async def test_a_vector_for_every_text():
    class Short:
        async def embed(self, texts):
            return [(1.0, 0.0)] * (len(texts) - 1)

    with pytest.raises(OutsideError, match="3 vectors came for 4 texts"):
        await answer_relevancy(QUESTION, ANSWER, judge(), Short())


async def test_huge_and_tiny_vectors():
    embedder = Table(one=(1e300, 1e300), two=(1e-300, 1e-300), three=(1, 1))
    score = await answer_relevancy(QUESTION, ANSWER, judge(), embedder)
    assert score.value == pytest.approx(math.sqrt(0.5))


@pytest.mark.parametrize("text", ["", " \n", "I don't know.", "NOT_IN_CORPUS"])
async def test_answers_that_commit_to_nothing_score_0_and_ask_nobody(text):
    nobody, embedder = FakeJudge({}), Table()
    score = await answer_relevancy(QUESTION, text, nobody, embedder)
    assert (score.value, nobody.calls, embedder.calls) == (0.0, [], [])


async def test_noncommittal_by_the_judges_word():
    embedder = Table()
    score = await answer_relevancy(
        QUESTION, "That depends.", judge(commitment="noncommittal"), embedder
    )
    assert (score.value, embedder.calls) == (0.0, [])


@pytest.mark.parametrize(
    ("answer", "question", "right"),
    [
        ("专业版每月49欧元。", "专业版多少钱?", True),
        ("专业版每月49欧元。", "What does it cost?", False),
        ("专业版在 Azure 上每月49欧元。", "What does Azure cost?", True),  # its script is used
        ("東京都千代田区", "どこですか?", True),
        ("The Pro plan is €49.", "专业版多少钱?", False),
        ("Pro kostet 49 Euro.", "What does Pro cost?", True),  # one script: for the prompt to mind
        ("49", "专业版多少钱?", True),  # no letter tells the language
    ],
)
def test_the_language_of_the_answer(answer, question, right):
    class Said:
        questions = (question,)

    complaint = check_questions(Said, {"answer": answer, "count": 1})
    assert (complaint is None) == right
    assert right or "language" in complaint


@pytest.mark.parametrize(
    ("questions", "why"),
    [(["a?"], "1 questions came"), (["a?"] * 4, "4 questions"), (["a?", " ", "b?"], "empty")],
)
async def test_as_many_questions_as_were_asked_for(questions, why):
    with pytest.raises(JudgeError, match=why):
        await answer_relevancy(QUESTION, ANSWER, judge(questions), Table())


async def test_how_many_is_a_setting():
    embedder = Table(one=(3, 4))
    score = await answer_relevancy(QUESTION, ANSWER, judge(["one?"]), embedder, n=1)
    assert score.value == pytest.approx(0.6)
    assert find("answer_relevancy(n=5)").values == {"n": 5}
    for wrong in (0, 21):
        with pytest.raises(UsageError):
            await answer_relevancy(QUESTION, ANSWER, judge(), embedder, n=wrong)
        with pytest.raises(UsageError):
            find(f"answer_relevancy(n={wrong})")


async def test_needs_and_skips():
    assert find("answer_relevancy").metric.cost == "judge"
    assert not find("answer_relevancy").metric.unanswerable
    assert isinstance(await answer_relevancy(" ", ANSWER, judge(), Table()), Skip)
    assert isinstance(await answer_relevancy(QUESTION, ANSWER, FakeJudge({}), Table()), Skip)
    assert isinstance(await answer_relevancy(QUESTION, "", FakeJudge({}), Table()), Score)
