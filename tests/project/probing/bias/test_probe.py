"""The bias probe: each planted bias is found and no other, and judges without one raise none."""

import asyncio

import pytest
from tests.project.probing.bias.judges import Judge

from acidtest.data.answers import Usage
from acidtest.data.human import HumanLabel
from acidtest.errors import JudgeError
from acidtest.metrics.registry import find
from acidtest.project.judging import own
from acidtest.project.probing.bias.items import built_in
from acidtest.project.probing.bias.plan import KINDS, bias_plan
from acidtest.project.probing.bias.probe import probe_bias
from acidtest.store.runs import Store

METRICS = ("faithfulness", "correctness")


def probe(judge, *, metrics=METRICS, n=40, kinds=KINDS, repeat=2, seed=0, items=None, **given):
    plan = bias_plan(
        [find(m) for m in metrics], items or built_in(n), kinds, repeat=repeat, seed=seed
    )
    return asyncio.run(probe_bias(own(judge), plan, kinds=kinds, seed=seed, **given))


def test_a_right_judge_raises_nothing():
    found = probe(Judge())
    assert found.findings == ()
    assert found.exit_status == 0
    assert {row.shift for row in found.changes} == {0.0}
    assert all(row.passed == 0 and row.caught == row.planted > 0 for row in found.leniency)
    assert {row.agreement for row in found.repeatability} == {1.0}
    assert all(row.asked > 0 for row in found.changes)


@pytest.mark.parametrize(
    ("bias", "kind", "change"),
    [
        (lambda _p, _f, text: True if text.count(".") >= 4 else None, "length", "restated"),
        (lambda _p, _f, text: True if "glad to help" in text else None, "verbosity", "courtesies"),
        (lambda _p, _f, text: True if "- The" in text else None, "style", "bullets"),
        (lambda _p, _f, text: False if text.isupper() else None, "style", "capitals"),
        (lambda _p, _f, text: True if "professors" in text else None, "praise", "reviewed"),
        (lambda _p, _f, text: False if "  " in text else None, "rewording", "spaces"),
        (
            lambda p, _f, _t: (
                True
                if p.template.find("incorrect:") < p.template.find("- correct")
                or p.template.find("- unsupported") < p.template.find("- supported")
                else None
            ),
            "position",
            "options",
        ),
    ],
)
def test_a_planted_bias_is_found(bias, kind, change):
    found = probe(Judge(bias))
    assert found.exit_status == 1
    rows = [row for row in found.changes if row.finding]
    assert {row.metric for row in rows} == set(METRICS)
    assert (kind, change) in {(row.kind, row.change) for row in rows}
    up = next(row for row in rows if row.change == change)
    assert up.finding == ("raises" if up.shift > 0 else "lowers")
    assert up.shift_ci[0] > 0 or up.shift_ci[1] < 0
    assert any(m.change == change and m.before != m.after for m in found.moved)


def test_a_judge_that_goes_by_the_first_context_is_unsteady_or_lower():
    def first(_prompt, fields, text):
        # The answer is right only if the passage that answers stands where it stood.
        words = set(text.split())
        overlap = [len(words & set(p.split())) for p in fields.get("passages", ())]
        return False if overlap and overlap.index(max(overlap)) != 1 else None

    found = probe(Judge(first), metrics=("faithfulness",), kinds=("position",))
    assert [(r.change, r.finding) for r in found.changes if r.finding] == [("contexts", "lowers")]


def test_a_lenient_judge_is_counted_by_fault():
    found = probe(Judge(lambda *_: True), kinds=("leniency",))
    rates = {(row.metric, row.fault): row.rate for row in found.leniency}
    assert set(rates.values()) == {1.0}
    assert {fault for _, fault in rates} == {"number", "name", "negation", "made-up"}
    assert len(found.findings) >= 4
    assert {row.finding for row in found.leniency if row.planted > 5} == {"lenient"}


def test_faults_are_planted_only_where_the_judge_supported_the_sentence():
    class Blind(Judge):
        """Says of every second sentence that it claims nothing."""

        def _claim(self, sentence, known, said):
            return super()._claim(sentence, known, said) if "costs" in sentence else []

    found = probe(Blind(), metrics=("faithfulness",), kinds=("leniency",))
    planted = {row.fault: (row.planted, row.passed) for row in found.leniency}
    assert 0 < planted["number"][0] <= 4
    assert planted["number"][1] == 0
    assert planted["made-up"][1] == planted["made-up"][0]


def test_one_fault_that_passes_is_no_finding_but_is_listed():
    def once(_prompt, _fields, text):
        return True if "lighthouse" in text and "museum" in text else None

    found = probe(Judge(once), kinds=("leniency",), seed=3)
    assert found.findings == ()


def test_false_alarms_of_a_noisy_judge_without_bias():
    # At 5 % two of twenty or more are rare; benchmarks/judge_bias.py tries hundreds.
    alarms = sum(
        any(row.finding for row in found.changes)
        for seed in range(20)
        for found in [probe(Judge(noise=0.3, seed=seed), n=24, seed=seed, metrics=METRICS[:1])]
    )
    assert alarms <= 2


def test_a_noisy_judge_is_not_steady_and_says_so():
    found = probe(Judge(noise=0.5), repeat=3)
    assert all(
        row.agreement < 0.9 and row.sd > 0.1 and row.asks == 3 for row in found.repeatability
    )
    assert all(row.wavering > 0 for row in found.changes if row.asked > 10)


def test_without_repeats_flips_are_told_and_not_tested():
    found = probe(Judge(lambda _p, _f, t: t.isupper() or None), repeat=1, kinds=("style",))
    assert found.repeatability == ()
    assert {row.wavering for row in found.changes} == {None}
    assert {row.p_flips for row in found.changes} == {1.0}


def test_what_the_judge_does_not_judge_is_said_once_and_not_asked_again():
    judge = Judge()
    found = probe(judge, metrics=("faithfulness", "answer_relevance"), kinds=("style",))
    assert found.unjudged == {"answer_relevance": "not mine"}
    assert {row.metric for row in found.changes} == {"faithfulness"}


def test_failures_are_no_flips_and_leave_it_incomplete():
    class Fails(Judge):
        async def ask(self, prompt, **fields):
            if "- " in "".join(fields.get("sentences", ())):
                raise JudgeError("no reply", where="here")
            return await super().ask(prompt, **fields)

    found = probe(Fails(), metrics=("faithfulness",), kinds=("style",), repeat=1)
    row = next(row for row in found.changes if row.change == "bullets")
    assert (row.failed, row.asked, row.flips) == (40, 0, 0)
    assert found.coverage < 0.95
    assert found.exit_status == 3


def test_the_same_seed_asks_the_same_and_keeps_it(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'store.db'}")
    try:
        judge = Judge()
        first = probe(judge, n=6, store=store)
        asked = judge.asked
        again = probe(judge, n=6, store=store)
        assert judge.asked == asked == first.use.calls
        assert again.changes == first.changes
        assert again.use.calls == 0
        probe(judge, n=6, store=store, use_cache=False)
        assert judge.asked == 2 * asked
    finally:
        store.close()


def by(items, models):
    from msgspec.structs import replace

    return [
        replace(item, answer=replace(item.answer, usage=Usage(model=model)))
        for item, model in zip(items, models, strict=True)
    ]


ITEMS = by(built_in(40), [["gpt-4o", "claude-sonnet"][n // 2 % 2] for n in range(40)])
LABELS = [
    HumanLabel(case=i.case.id, metric="correctness", label=float("right" in i.case.id))
    for i in ITEMS
]


def partial(own):
    judge = Judge(model="openai:gpt-4.1")
    gpt = {i.text for i in ITEMS if i.answer.usage.model == "gpt-4o"}
    judge._bias = (lambda _p, _f, text: True if text in gpt else None) if own else None
    return judge


def test_self_preference_is_measured_against_people():
    given = {"kinds": ("self-preference",), "items": ITEMS, "labels": LABELS}
    (found,) = probe(partial(own=True), metrics=("correctness",), **given).self_preference
    assert (found.family, found.own, found.others) == ("openai", 20, 20)
    assert found.difference == pytest.approx(0.5)
    assert found.finding == "kinder"
    (fair,) = probe(partial(own=False), metrics=("correctness",), **given).self_preference
    assert (fair.difference, fair.finding) == (0.0, None)


@pytest.mark.parametrize(
    ("model", "items", "labels", "why"),
    [
        ("scripted", ITEMS, LABELS, "tells no one family"),
        ("gpt-5", built_in(10), LABELS, "does not name the models"),
        ("gpt-5", by(built_in(10), ["gpt-4o"] * 10), LABELS, "all answers are by one side: openai"),
        ("gpt-5", ITEMS, [], "people's labels"),
    ],
)
def test_self_preference_is_left_out_with_the_reason(model, items, labels, why):
    found = probe(
        Judge(model=model),
        metrics=("correctness",),
        kinds=("self-preference",),
        items=items,
        labels=labels,
    )
    (row,) = found.self_preference
    assert why in row.why
    assert row.difference is None
    assert found.findings == ()
