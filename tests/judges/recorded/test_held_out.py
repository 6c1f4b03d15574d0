"""What is chosen on some questions is measured on others; votes and calls of made-up verdicts by hand."""

import pytest

from acidtest.judges.cascade import Cascade
from acidtest.judges.panel import Panel


@pytest.fixture(scope="module")
def made(bench):
    return bench("judges_held_out")


@pytest.fixture(scope="module")
def chosen(bench):
    return bench("judges_chosen")


@pytest.fixture(scope="module")
def recorded(bench):
    return bench("judges_recorded")


def played(recorded, words, model="a", calls=None):
    said = [None if word == "-" else word for word in words]
    return recorded.Played(said, {model: calls or [1] * len(words)})


def test_folds_keep_groups_together_and_take_each_row_once(made):
    groups = [n // 3 for n in range(90)]
    dealt = made.folds(groups)
    assert sorted(n for fold in dealt for n in fold) == list(range(90))
    assert all(len({groups[n] for n in fold}) * 3 == len(fold) for fold in dealt)


def test_each_fold_is_measured_by_what_was_best_elsewhere(made, recorded):
    truths = [n % 2 == 0 for n in range(40)]
    on = recorded.Stakes(truths, list(range(40)), "1")
    right = played(recorded, ["1" if truth else "2" for truth in truths], "good")
    wrong = played(recorded, ["2" if truth else "1" for truth in truths], "bad")
    seen = []

    def choose(rows):
        seen.append(set(rows))
        return made.agreeing({"wrong": wrong, "right": right}, on)(rows)

    best, picked = made.held_out(on, choose)
    assert picked == {"right": made.FOLDS}
    assert best.said == right.said
    assert best.calls == {"good": [1] * 40}
    left = [set(range(40)) - rows for rows in seen]
    assert sorted(n for fold in left for n in fold) == list(range(40))


def test_a_lucky_one_is_not_flattered(made, recorded):
    # Of two coins each is right on one half: chosen on one part, it is wrong on the other.
    truths = [n % 2 == 0 for n in range(20)]
    on = recorded.Stakes(truths, [n // 10 for n in range(20)], "1")
    said = ["1" if truth else "2" for truth in truths]
    other = ["2" if truth else "1" for truth in truths]
    tried = {
        "first": played(recorded, said[:10] + other[10:]),
        "second": played(recorded, other[:10] + said[10:]),
    }
    best, _ = made.held_out(on, made.agreeing(tried, on))
    assert sum(a == b for a, b in zip(best.said, said, strict=True)) == 0


def test_votes_by_hand(made, recorded):
    judges = [played(recorded, words) for words in ("112-1", "12--2", "1-1-1")]
    assert made.panel(judges).said == ["1", None, None, None, "1"]
    assert made.panel(judges).calls == {"a": [3] * 5}


def test_a_cascade_asks_the_second_where_the_first_is_open(made, recorded):
    found = made.cascade(played(recorded, "1-2-", "a"), played(recorded, "2211", "b"))
    assert found == recorded.Played(["1", "2", "2", "1"], {"a": [1] * 4, "b": [0, 1, 0, 1]})


def test_they_are_the_votes_and_cascades_of_real_judges(made, recorded):
    words = ["1", "2", "undecided"]
    rows = [{"a": a, "b": b, "c": c} for a in words for b in words for c in words]
    judges = [recorded.Recorded(name, lambda row, name=name: row[name]) for name in "abc"]
    alone = [recorded.play(judge, recorded.PREFERENCE, rows) for judge in judges]
    real = recorded.play(Panel(judges), recorded.PREFERENCE, rows)
    assert made.panel(alone).said == real.said
    assert made.panel(alone).calls == real.calls
    real = recorded.play(Cascade(judges[0], judges[1]), recorded.PREFERENCE, rows)
    assert made.cascade(*alone[:2]) == real


def test_calls_are_spared_only_at_the_kappa_that_was_asked_for(made, recorded):
    truths = [True, False] * 5
    on = recorded.Stakes(truths, list(range(10)), "1")
    strong = played(recorded, "12" * 5, "strong")
    cheap = recorded.Played(list("12" * 4 + "11"), {"strong": [0] * 10})
    rows = range(10)
    assert made.sparing({"cheap": cheap}, on, "strong", strong)(rows)[0] == "strong"
    assert made.sparing({"cheap": cheap}, on, "strong", strong, slack=0.2)(rows)[0] == "cheap"
    assert made.kappa_on(cheap, on, rows) == pytest.approx(0.8)
    assert made.kappa_on(played(recorded, "-" * 10), on, rows) == -1


def pair(n, label):
    steady, first, silent = [str(label)] * 2, ["1", "1"], [None, None]
    verdicts = {"GPT-4/Vanilla": steady, "PaLM2/Vanilla": first, "ChatGPT/Vanilla": silent}
    verdicts |= {f"PaLM2/{prompt}": first for prompt in ("CoT", "Swap")}
    verdicts |= {"LLaMA2/Vanilla": steady}
    return {"id": f"q{n}", "subset": "Natural", "label": label, "verdicts": verdicts}


def test_pairs_of_ones_own(chosen):
    rows = [pair(n, n % 2 + 1) for n in range(40)]
    made = chosen.preferences(rows, "mine")
    found = made.figures
    assert all(len(row) == len(made.columns) for row in made.rows)
    assert found["GPT-4/Vanilla"]["kappa"].value == 1
    assert found["best single setting without GPT-4"]["kappa"].value == 1
    spared = found["another model in both orders > GPT-4/Vanilla, as good"]
    assert (spared["dear"], spared["cheap"], spared["kappa"].value) == (0, 2, 1)
    assert spared["picked"] == {"LLaMA2/Vanilla": 10}
    moved = chosen.moved(rows, [pair(n, 2) for n in range(20)] + [pair(n, 1) for n in range(20)])
    assert all(len(row) == len(moved.columns) for row in moved.rows)
    assert {row[0] for row in moved.rows} >= {
        "GPT-4/Vanilla",
        "cascade, as good: LLaMA2/Vanilla > GPT-4/Vanilla",
    }


def test_short_answers_of_ones_own(chosen):
    def row(n, right):
        says = {"verdict": int(right), "text": ""}
        judges = {"gpt-4": says, "text-davinci-003": says, "bem_prob": 0.98 if right else 0.02}
        return {
            "id": str(n),
            "question_id": str(n // 2),
            "question": "Which city is the capital of France?",
            "golden_answers": ["Paris"],
            "answer": "Paris" if right else "Lyon",
            "human": {"final": int(right), "annotators": [int(right)] * 2},
            "judges": judges,
        }

    made = chosen.short_answers([row(n, n % 3 > 0) for n in range(60)])
    found = made.figures
    assert all(len(each) == len(made.columns) for each in made.rows)
    assert found["gpt-4"]["kappa"].value == 1
    assert found["BEM > gpt-4, as good"]["dear"] == 0
    assert found["best panel of 5"]["kappa"].value == 1
    assert found["local > gpt-4, as good"]["kappa"].value == 1


@pytest.mark.slow
def test_cheap_judges_that_agree_spare_calls_of_plain_pairs_only(chosen, bench, shared):
    rows = bench("judges_llmbar").pairs(shared / "data")
    found = chosen.preferences([r for r in rows if r["subset"] != "Natural"], "x").figures
    assert found["GPT-4/Vanilla"]["kappa"].value == pytest.approx(0.62, abs=0.005)
    assert found["another model in both orders > GPT-4/Vanilla, as good"]["dear"] == 1
    assert found["best single setting without GPT-4"]["less"].ci[1] < 0
    assert found["best panel of 3"]["gain"].ci[0] < 0
