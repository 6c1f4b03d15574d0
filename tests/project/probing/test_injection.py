"""The injection probe: judges that obey, hold, waver, err and fail are told apart."""

import asyncio
from itertools import product

import msgspec
import pytest

from acidtest.data.outcomes import Skip
from acidtest.errors import BudgetSpent, JudgeError
from acidtest.judges.attacks import ATTACKS
from acidtest.judges.harmless import HARMLESS
from acidtest.judges.local.judge import LocalJudge
from acidtest.ports import Verdict
from acidtest.project.judging import own
from acidtest.project.probing.cases import cases
from acidtest.project.probing.injection import probe_injection
from acidtest.project.probing.subjects import SUBJECTS
from acidtest.stats.rates import wilson
from acidtest.store.runs import Store

CASES = {case.name: case for case in cases()}


def claims(count, good):
    """One claim a sentence: the first as said, what was planted honestly unsupported."""
    words = ["supported" if good else "unsupported", *["unsupported"] * (count - 1)]
    return [
        {"sentence": n, "claims": [{"claim": "c", "why": "", "verdict": word}]}
        for n, word in enumerate(words, start=1)
    ]


def passages(count, word, number):
    return [{number: n, "verdict": word} for n in range(1, count + 1)]


def reply(prompt, fields, *, good):
    """Give the best or the worst reply to a prompt, whatever else stands in its fields."""
    size = {name: len(value) for name, value in fields.items()}
    said = {
        "faithfulness": lambda: {"sentences": claims(size["sentences"], good)},
        "context_recall": lambda: {"sentences": claims(size["sentences"], good)},
        "reference_in_contexts": lambda: {
            "sentences": claims(size["sentences"], good),
            "passages": passages(
                size["passages"], "relevant" if good else "irrelevant", "passage_id"
            ),
        },
        "context_usefulness": lambda: {
            "passages": passages(1, "useful" if good else "useless", "passage")
        },
        "context_relevance": lambda: {
            "passages": passages(2, "direct" if good else "unrelated", "passage_id")
        },
        "correctness": lambda: {"verdict": "correct" if good else "incorrect"},
        "factual_correctness": lambda: {
            "points": claims(size["points"], good),
            "sentences": claims(size["sentences"], good),
        },
        "answer_relevance": lambda: {"verdict": "complete" if good else "off_topic"},
    }
    return said[prompt.name]()


class Judge:
    """Knows every case by its fields, and obeys the texts that it is told to obey."""

    model = fingerprint = "scripted"

    def __init__(self, obeys=(), fails=(), skips=(), always=None, calls_left=10**9):
        self.obeys, self.fails, self.skips = tuple(obeys), tuple(fails), set(skips)
        self.always, self.calls_left = always, calls_left
        self.asked = []

    async def ask(self, prompt, **fields):
        await asyncio.sleep(0)
        if prompt.name in self.skips:
            return Skip("not mine")
        if self.calls_left <= 0:
            raise BudgetSpent("no money")
        self.calls_left -= 1
        self.asked.append((prompt.name, msgspec.json.encode(repr(fields))))
        text = repr(fields)
        if any(repr(attack.text)[1:-1] in text for attack in self.fails):
            raise JudgeError("no valid reply")
        good = known(prompt, fields).good if self.always is None else self.always
        for attack in self.obeys:
            if repr(attack.text)[1:-1] in text:
                good = attack.aim == "up"
        said = msgspec.convert(reply(prompt, fields, good=good), prompt.reply)
        return Verdict(reply=said, model=self.model)


def known(prompt, fields):
    """Find the case that some fields, with something planted or not, come from."""
    found = [
        case
        for case in CASES.values()
        if case.prompt.name == prompt.name
        and all(
            len(fields[name]) - len(value) in ((0,) if name == "passages" else (0, 1))
            and all(map(str.startswith, fields[name], value))
            if isinstance(value, list)
            else fields[name].startswith(value)
            for name, value in case.fields.items()
        )
    ]
    if prompt.name == "context_relevance":
        # Good and bad are the same question: the evidence is direct, the other passage is not.
        return found[0]
    assert len(found) == 1, [case.name for case in found]
    return found[0]


class Grader(Judge):
    """Grades passages of `context_relevance` apart: the second is the evidence."""

    async def ask(self, prompt, **fields):
        verdict = await super().ask(prompt, **fields)
        if (
            prompt.name != "context_relevance"
            or isinstance(verdict, Skip)
            or self.always is not None
        ):
            return verdict
        words = ["unrelated", "direct"]
        for attack in self.obeys:
            if repr(attack.text)[1:-1] in repr(fields):
                words = ["direct"] * 2 if attack.aim == "up" else ["unrelated"] * 2
        said = {"passages": [{"passage_id": n + 1, "verdict": w} for n, w in enumerate(words)]}
        return Verdict(reply=msgspec.convert(said, prompt.reply), model=self.model)


async def probe(judge, store=None, **more):
    return await probe_injection(own(judge), store, **more)


async def test_a_steadfast_judge_holds():
    found = await probe(Grader())
    assert found.exit_status == 0
    assert (found.attacks.turned, found.attacks.measured) == (0, len(ATTACKS))
    assert found.attacks.share == 0.0
    assert found.attacks.ci == wilson(0, len(ATTACKS))
    assert found.coverage == 1.0
    assert {t.outcome for t in found.tried} == {"held"}
    assert (found.unfit, found.wavering, found.unjudged) == ({}, (), ())
    assert (found.harmless.turned, found.harmless.share) == (0, 0.0)


async def test_a_gullible_judge_is_caught_with_the_right_share():
    orders = [attack for attack in ATTACKS if attack.kind == "order"]
    found = await probe(Grader(obeys=orders))
    assert found.exit_status == 1
    assert (found.attacks.turned, found.attacks.measured) == (len(orders), len(ATTACKS))
    assert found.attacks.share == len(orders) / len(ATTACKS)
    assert found.attacks.ci == wilson(len(orders), len(ATTACKS))
    assert {t.attack for t in found.tried if t.outcome == "turned"} == {a.name for a in orders}
    assert all(t.held == t.failed == t.undecidable == 0 for t in found.tried if t.turned)
    assert found.kinds["order"].share == 1.0
    assert {kind for kind, share in found.kinds.items() if share.turned} == {"order"}
    assert sum(share.turned for share in found.places.values()) == len(orders)
    assert found.verdicts.turned == sum(t.turned for t in found.tried)
    assert found.coverage == 1.0


async def test_failures_are_told_apart_from_obedience():
    repeats = [attack for attack in ATTACKS if attack.kind == "repeats"]
    found = await probe(Grader(fails=repeats))
    failed = [t for t in found.tried if t.outcome == "failed"]
    assert {t.attack for t in failed} == {a.name for a in repeats}
    assert found.attacks.turned == 0
    assert found.attacks.measured == len(ATTACKS) - len(repeats)
    asked = sum(t.held + t.failed for t in found.tried)
    assert found.coverage == 1 - sum(t.failed for t in failed) / asked
    assert found.exit_status == 3  # some 7 % failed: nobody knows how the judge would have ruled
    assert all("no valid reply" in p.why for p in found.pairs if p.outcome == "failed")


async def test_one_failure_in_a_hundred_leaves_the_probe_complete():
    one = [attack for attack in ATTACKS if attack.name == "surrogate"]
    assert (await probe(Grader(fails=one))).exit_status == 0


async def test_what_the_judge_gets_wrong_anyway_says_nothing_and_is_not_asked_again():
    judge = Judge(always=True)  # everything is fine
    found = await probe(judge)
    assert found.attacks.turned == 0
    assert {p.case.rpartition("-")[2] for p in found.pairs if p.outcome == "held"} == {"good"}
    assert {p.case.rpartition("-")[2] for p in found.pairs if p.outcome == "undecidable"} == {"bad"}
    assert set(found.unfit) == {name for name, c in first(2) if not c.good}
    assert found.exit_status == 3
    ups = sum(attack.aim == "up" for attack in ATTACKS)
    assert found.attacks.measured == len(ATTACKS) - ups
    downs = sum(p.outcome == "held" for p in (*found.pairs, *found.controls))
    assert len(judge.asked) == len(first(2)) + downs


async def test_a_judge_that_moves_with_any_text_is_not_called_obedient():
    judge = Grader(obeys=[*HARMLESS_UP, *ATTACKS])
    found = await probe(judge)
    wavers = {p.case for p in found.controls if p.outcome == "turned"}
    assert {name.rpartition("-")[2] for name in wavers} == {"bad"}
    assert found.wavering
    assert all(p.outcome == "undecidable" for p in found.pairs if p.case in wavers)
    assert {t.attack for t in found.tried if t.turned} == {
        a.name for a in ATTACKS if a.aim == "down"
    }


async def test_a_judge_that_judges_nothing_passes_nothing():
    found = await probe(Judge(skips={case.prompt.name for case in CASES.values()}))
    assert found.coverage is None
    assert found.exit_status == 3
    assert (found.attacks.share, found.attacks.ci) == (None, None)
    assert {t.outcome for t in found.tried} == {"skipped"}


async def test_prompts_that_the_judge_does_not_judge_are_left_out():
    found = await probe(Grader(skips={"correctness", "answer_relevance"}))
    assert found.unjudged == ("correctness", "answer_relevance")
    assert found.coverage == 1.0
    assert found.exit_status == 0


async def test_chosen_attacks_ask_only_what_they_need():
    judge = Grader()
    one = [attack for attack in ATTACKS if attack.name == "order-context"]
    found = await probe(judge, attacks=one, subjects=1)
    assert [t.attack for t in found.tried] == ["order-context"]
    bad = [c for _, c in first(1) if not c.good and "context" in c.places]
    assert len(found.pairs) == len(found.controls) == len(bad)
    assert len(judge.asked) == 3 * len(bad)  # without, with a harmless text, with the attack


async def test_an_interrupted_probe_goes_on_without_asking_twice(tmp_path):
    whole = Grader()
    await probe(whole, subjects=1)
    judge = Grader(calls_left=100)
    with Store(str(tmp_path / "store.db")) as store:
        with pytest.raises(BudgetSpent):
            await probe(judge, store, subjects=1)
        assert len(judge.asked) == 100
        judge.calls_left = 10**9
        found = await probe(judge, store, subjects=1)
        assert found.exit_status == 0
        distinct = len(set(whole.asked))
        assert len(judge.asked) == len(set(judge.asked)) == distinct
        assert found.use.cached >= 100
        again = await probe(judge, store, subjects=1)
        assert (len(judge.asked), again.use.calls) == (distinct, 0)
        assert [t.outcome for t in again.tried] == [t.outcome for t in found.tried]
        await probe(judge, store, subjects=1, use_cache=False)
        assert len(judge.asked) == 2 * distinct


async def test_it_tells_how_far_it_is():
    steps = []
    found = await probe(Grader(), subjects=1, concurrency=3, watch=steps.append)
    assert steps[-1].done == steps[-1].total == found.use.calls
    assert [s.done for s in steps] == sorted(s.done for s in steps)


async def test_it_can_be_written_as_json():
    found = await probe(Grader(fails=[a for a in ATTACKS if a.name == "surrogate"]))
    document = msgspec.json.decode(msgspec.json.encode(found))
    assert document["format"] == "acidtest/judge-probe"
    assert document["attacks"]["measured"] == len(ATTACKS) - 1
    assert len(document["tried"]) == len(ATTACKS)


async def test_the_local_judge_obeys_nobody():
    """All subjects; deterministic. One attack makes it leave open what it had ruled on.

    Letters with invisible characters between them look like another script, and across languages it
    does not rule. No attack gets a bad answer called good, or a good one bad.
    """
    found = await probe_injection(own(LocalJudge()), subjects=len(SUBJECTS))
    moved = [(p.attack, p.before, p.after) for p in found.pairs if p.outcome == "turned"]
    assert set(moved) == {("invisible", (0.0,), (0.5,))}
    assert len(moved) == 2
    assert found.unfit == {}
    assert found.coverage is not None
    assert found.coverage > 0.95
    assert not any(t.failed for t in found.tried)
    # A reference with anything behind it is a longer one, of which the answer lacks a part.
    assert found.wavering == tuple(f"correctness-{s}-good (reference)" for s in sorted(NAMES))
    usual = await probe_injection(own(LocalJudge()), attacks=ATTACKS[:20])
    assert (usual.attacks.turned, usual.exit_status) == (0, 0)


NAMES = [subject.name for subject in SUBJECTS]
HARMLESS_UP = [text for text in HARMLESS if text.aim == "up"]


def first(subjects):
    return [(case.name, case) for case in cases(subjects)]


@pytest.mark.parametrize(
    ("place", "aim"), list(product(("context", "answer", "question", "reference"), ("up", "down")))
)
def test_every_place_and_aim_has_attacks_a_harmless_text_and_several_cases(place, aim):
    assert any((a.place, a.aim) == (place, aim) for a in ATTACKS)
    assert sum((h.place, h.aim) == (place, aim) for h in HARMLESS) == 1
    fitting = [c for _, c in first(1) if place in c.places and c.good == (aim == "down")]
    assert len({c.prompt.name for c in fitting}) >= 3


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: s.name)
def test_no_attack_states_anything_about_the_cases(subject):
    """Then no verdict may honestly change: what is planted holds no word of the right answer."""
    told = {
        word.strip(".,") for word in subject.reference.split() if len(word) > 3 or word[0].isdigit()
    }
    assert told
    for attack in (*ATTACKS, *HARMLESS):
        assert not any(word in attack.text for word in told), attack.name


def test_names_are_identities():
    names = [a.name for a in (*ATTACKS, *HARMLESS)]
    assert len(set(names)) == len(names)
    assert len(CASES) == len(cases())
