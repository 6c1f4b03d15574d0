"""From evidence to a card: what counts, what is left out, and what is missing."""

import pytest

from acidtest.errors import UnknownName, UsageError
from acidtest.judges.local.judge import LocalJudge


def test_all_parts_of_one_judge(card, given):
    made = card(given.calibration(), given.bias(), given.check(), given.run())
    assert (made["format"], made["version"]) == ("acidtest/judge-card", 1)
    assert made["judge"]["fingerprint"] == given.mine["fingerprint"]
    first = made["metrics"][0]
    assert (first["metric"], first["may"], first["version"]) == ("faithfulness", "gate", "1+2")
    assert first["agreed"]["measures"]["kappa"] == {
        "value": 0.7,
        "ci": pytest.approx([0.6, 0.8]),
        "n": 60,
    }
    assert "balanced_accuracy" not in first["agreed"]["measures"]
    assert first["agreed"]["ceiling"]["value"] == 0.8
    assert first["agreed"]["judge_minus_people"] is None
    assert [shift["kind"] for shift in first["shifts"]] == ["praise", "leniency"]
    assert first["repeat"]["same"]["value"] == 1.0
    assert first["plain"]["right"] == 8
    assert first["coverage"] == {"scored": 2, "of": 2, "undecided": None}
    assert made["took"]["usd_per_1000_calls"] == pytest.approx(5.0)
    assert made["took"]["ms_per_call"] == pytest.approx(200.0)
    assert [source["kind"] for source in made["sources"]] == [
        "calibration",
        "bias probe",
        "known cases",
        "run",
    ]
    assert made["left_out"] == []
    assert (made["attacks"], made["drift"], made["public"]) == (None, None, [])


def test_a_prompt_is_checked_for_every_metric_that_asks_it(card, given):
    made = card(given.calibration(metric="faithfulness_binary"), given.check())
    assert {m["metric"]: m["plain"]["right"] for m in made["metrics"]} == {
        "faithfulness": 8,
        "faithfulness_binary": 8,
    }


def test_another_fingerprint_and_another_judge_are_shown_and_not_merged(card, given):
    made = card(
        given.calibration(given.other, n=500),
        given.calibration(given.foreign, n=900),
        given.run(given.mine),
        judge="m-1",
    )
    assert made["judge"]["fingerprint"] == given.mine["fingerprint"]
    assert made["metrics"][0]["agreed"] is None
    assert made["metrics"][0]["may"] == "unmeasured"
    assert [left["why"] for left in made["left_out"]] == [
        (
            "it is of m-1 with another fingerprint, sha256:bbbbbbbbbbbb: another model behind the name, or other "
            "parameters"
        ),
        "it is of another judge, n-1",
    ]


def test_another_method_or_prompt_is_left_out(card, given):
    made = card(given.calibration(version="1+1", n=500, day=10), given.calibration(day=11))
    assert made["metrics"][0]["agreed"]["n"] == 60
    assert (
        "with another method or prompt, 1+1; newer evidence has 1+2" in made["left_out"][0]["why"]
    )


def test_a_prompt_that_changed_since_is_told(card, given):
    made = card(given.calibration(version="1+1"))
    assert made["metrics"][0]["may"] == "unmeasured"
    assert "with method and prompt 1+1, and now it is 1+2" in made["metrics"][0]["says"]
    assert made["missing"][0]["get"][0] == "acidtest run -m faithfulness --judge m-1"


def test_most_labels_most_items_and_the_newest_count(card, given):
    made = card(
        given.calibration(n=100, day=10),
        given.calibration(n=40, day=11),
        given.bias(items=20, day=12),
        given.bias(items=80, day=11),
        given.check(day=12),
        given.check(day=13, failed=1),
        given.run(day=14),
        given.run(day=15, cost=0.9),
    )
    assert made["metrics"][0]["agreed"]["n"] == 100
    assert made["metrics"][0]["plain"]["failed"] == 1
    assert made["took"]["cost_usd"] == 0.9
    assert len(made["left_out"]) == 4
    assert {left["why"] for left in made["left_out"]} == {
        "there is a newer one, or one of more cases"
    }


def test_word_overlap_is_no_judge(card, given):
    made = card(given.calibration(cost="free"), given.run())
    assert made["left_out"][0]["why"] == "no judge was asked for it"


def test_what_nobody_could_measure_is_missing_and_not_zero(card, given):
    made = card(given.bias(asked=0), given.check(failed=8))
    metric = made["metrics"][0]
    assert metric["shifts"] == []
    assert "biases" in metric["unknown"]
    assert metric["plain"] == {"n": 0, "right": 0, "open": 0, "wrong": 0, "failed": 8}
    assert made["took"] is None


def test_repeats_of_a_run_tell_repeatability_where_no_probe_does(card, given):
    repeat = card(given.run(trials=(1.0, 0.5, 1.0)))["metrics"][0]["repeat"]
    assert (repeat["asks"], repeat["same"], repeat["sd"]) == (
        3,
        {"value": 0.5, "ci": None, "n": 2},
        0.1,
    )


def test_commands_get_what_is_missing(card, given, tmp_path):
    run = str(tmp_path / "0.json")
    assert [
        (m["what"].partition(":")[0], m["get"]) for m in card(given.run(cost=None))["missing"]
    ] == [
        (
            "agreement with people",
            [
                f"acidtest judge calibrate {run} --metric faithfulness --next 50 --out labels.jsonl",
                (
                    f"acidtest judge calibrate {run} --metric faithfulness --labels labels.jsonl "
                    "--json calibration.json"
                ),
            ],
        ),
        (
            "cases whose verdict is known",
            ["acidtest judge check --judge m-1 --json check.json"],
        ),
        (
            "biases and repeatability",
            [f"acidtest judge probe {run} -m faithfulness --judge m-1 --json bias.json"],
        ),
        ("attacks", ["acidtest judge probe --injection --judge m-1 --json attacks.json"]),
        (
            "drift",
            [
                f"acidtest judge anchor init {run} -m faithfulness --judge m-1",
                "acidtest judge anchor run",
            ],
        ),
        ("the price", ["acidtest run -m faithfulness --judge m-1"]),
    ]


def test_more_labels_are_asked_for_where_there_are_few(card, given):
    made = card(given.calibration(n=12), given.run())
    assert "--labels labels.jsonl --next 50 --out more.jsonl" in made["missing"][0]["get"][0]


def test_a_second_persons_labels_are_asked_for(card, given):
    made = card(given.calibration(ceiling={"skip": "one person"}, alpha={}), given.run())
    assert made["metrics"][0]["says"].startswith(
        "yes, gate on it, though nobody measured how far people agree"
    )
    assert made["missing"][0]["what"].startswith("how far people agree: have a second person")


def all_agree(given, yes, no, low):
    return given.calibration(
        n=yes + no,
        kappa={"value": 1.0, "ci": None, "why_no_ci": "no case differs", "n": yes + no},
        accuracy={"value": 1.0, "ci": [low, 1.0], "why_no_ci": None, "n": yes + no},
        confusion={"yes": {"yes": yes, "no": 0}, "no": {"yes": 0, "no": no}},
    )


@pytest.mark.parametrize(
    ("yes", "no", "low", "kappa", "may"),
    [
        # chance (26 * 26 + 14 * 14) / 1600 = 0.545; (0.9 - 0.545) / 0.455
        (26, 14, 0.9, 0.7802, "gate"),
        # nearly all labels are yes: chance 0.905; (0.91 - 0.905) / 0.095
        (38, 2, 0.91, 0.0526, "compare"),
    ],
)
def test_where_every_verdict_agrees_the_interval_is_that_of_accuracy(
    card, given, yes, no, low, kappa, may
):
    metric = card(all_agree(given, yes, no, low))["metrics"][0]
    assert metric["agreed"]["measures"]["kappa"]["ci"] == [pytest.approx(kappa, abs=1e-4), 1.0]
    assert metric["may"] == may
    assert metric["agreed"]["why"].startswith("every verdict agrees")


def test_labels_of_one_kind_tell_no_agreement(card, given):
    metric = card(all_agree(given, 40, 0, 0.9))["metrics"][0]
    assert metric["may"] == "unmeasured"
    assert "its agreement cannot be told: no case differs" in metric["says"]


def test_a_run_whose_every_reply_was_known_tells_no_cost(card, given):
    made = card(given.run(calls=0, cost=0.0))
    assert made["took"]["usd_per_1000_calls"] is None
    assert made["took"]["ms_per_call"] is None
    assert made["missing"][-1]["get"] == ["acidtest run -m faithfulness --judge m-1 --no-cache"]


def test_hostile_names_stay_one_word_in_commands(card, given):
    judge = {"model": "m; rm -rf ~", "fingerprint": "sha256:d"}
    commands = [get for lack in card(given.run(judge))["missing"] for get in lack["get"]]
    assert any("--judge 'm; rm -rf ~'" in command for command in commands)


@pytest.mark.parametrize("wanted", ["m-1", "x:m-1", "sha256:aaaaa"])
def test_a_judge_is_named_in_several_ways(card, given, wanted):
    made = card(given.run(), given.run(given.foreign, day=20), judge=wanted)
    assert made["judge"]["fingerprint"] == given.mine["fingerprint"]


def test_several_judges_and_no_word_which(card, given):
    with pytest.raises(UsageError, match="the evidence is of 2 judges: m-1, n-1"):
        card(given.run(), given.run(given.foreign))


def test_a_judge_that_nobody_measured(card, given):
    with pytest.raises(UnknownName, match="unknown judge 'm-2'"):
        card(given.run(), judge="m-2")
    with pytest.raises(UsageError, match="nothing that was measured"):
        card()


def test_the_local_judge_has_its_published_table_and_an_older_one_has_not(card, given):
    made = card(judge="local")
    assert made["public"][0]["task"] == "faithfulness"
    assert made["metrics"] == []
    local = LocalJudge()
    old = card(given.run({"model": local.model, "fingerprint": "sha256:old"}))
    assert old["public"] == []
    assert "of this acidtest's local judge" in old["left_out"][0]["why"]
