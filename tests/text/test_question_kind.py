import gzip
import json
import time

import pytest

from acidtest.text.question_kind import KINDS, question_kinds

CASES = {
    "Which port does the server use?": ("lookup",),
    "What does it cost and how do I cancel?": ("multi-part", "how-to"),
    "Can I pay by card? And when is it charged?": ("multi-part", "quantity"),
    "And for students?": ("follow-up",),
    "What does error E-4031 mean?": ("identifier",),
    "What is the default of max_retries?": ("identifier",),
    "Is there a free plan?": ("yes-no",),
    "We have one account. Can I add another?": ("yes-no",),
    "Which is cheaper than the Pro plan?": ("comparison",),
    "What is the difference between Basic and Pro?": ("comparison",),
    "Why did the payment fail?": ("why",),
    "How many days do I have to return it?": ("quantity",),
    "Wie viele Tage habe ich?": ("quantity",),
    "Was ist der Unterschied zwischen A und B?": ("comparison",),
    "¿Cómo puedo cancelar?": ("how-to",),
    "Pourquoi le paiement a-t-il échoué ?": ("why",),
    "返金はいつですか？": ("lookup",),
    "arctic explorer": ("lookup",),
    "What happened in Q1 2024?": ("lookup",),
    "": ("lookup",),
}


@pytest.mark.parametrize("question", CASES)
def test_kinds(question):
    assert question_kinds(question) == CASES[question]


def test_earlier_turns_make_a_follow_up():
    assert question_kinds("How much is it?", follows=True) == ("follow-up", "quantity")


def test_a_story_is_long_in_any_script():
    assert "long" in question_kinds("We moved last week and since then nothing works. " * 4)
    assert "long" in question_kinds("先週サーバーを移行してから、" * 6)
    assert "long" not in question_kinds("What is it?")


def test_kinds_come_in_one_order():
    kinds = question_kinds("And is E-4031 better than E-4032? Why?", follows=True)
    assert kinds == tuple(kind for kind in KINDS if kind in kinds)


@pytest.mark.parametrize(
    "hostile", ["a1-" * 50_000, "_" * 100_000, "between " * 20_000, "?" * 50_000]
)
def test_hostile_text_takes_no_time(hostile):
    begun = time.process_time()
    assert question_kinds(hostile)
    assert time.process_time() - begun < 1


TAGGED = {"Comparative": "comparison", "How-To": "how-to", "Composite": "multi-part"}


@pytest.mark.parametrize("tag", TAGGED)
def test_real_questions_that_people_tagged(shared, tag):
    tagged, told = set(), set()
    for name in ("mtrag_cloud", "mtrag_govt"):
        with gzip.open(shared / "data" / name / "golden.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                tagged |= {row["qid"]} if tag in row["question_type"] else set()
                told |= {row["qid"]} if TAGGED[tag] in question_kinds(row["question"]) else set()
    assert len(tagged & told) >= 0.7 * len(tagged)
    assert len(tagged & told) >= 0.7 * len(told)
