"""Abstention: each signal, precision and recall as means, and recorded answers of real systems."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean

import pytest

from acidtest.data.answers import Answer
from acidtest.data.golden import Case
from acidtest.data.outcomes import Outcome, Score, Skip
from acidtest.metrics.declining import declining
from acidtest.metrics.end_to_end.abstention import (
    abstention_accuracy,
    abstention_precision,
    abstention_recall,
)

KNOWN = Case(id="k", question="How long?", reference="30 days")
UNKNOWN = Case(id="u", question="Why?", answerable=False)


def said(text: str | None, *, abstained: bool | None = None) -> Answer:
    return Answer(case_id="x", text=text, abstained=abstained)


def values(outcomes: Iterable[Outcome]) -> list[float]:
    return [outcome.value for outcome in outcomes if isinstance(outcome, Score)]


@pytest.mark.parametrize(
    ("answer", "declines", "signal"),
    [
        (said("30 days."), False, None),
        (said("I don't know."), True, "marker"),
        (said("NOT_IN_CORPUS"), True, "marker"),
        (said("The documents do not mention it."), True, "phrase"),
        (said("Das weiß ich leider nicht."), True, "phrase"),
        (said(""), True, "empty"),
        (said("Ask the desk.", abstained=True), True, "pipeline"),
        (said(None, abstained=True), True, "pipeline"),
        (said("30 days.", abstained=False), False, None),
        (said("The documents do not say, but 30 days is usual here."), False, "phrase"),
    ],
)
def test_every_signal_counts(answer: Answer, declines: bool, signal: str | None) -> None:
    seen = declining(answer)
    assert seen is not None
    assert seen.declined is declines
    assert seen.signal == signal
    assert values([abstention_accuracy(KNOWN, answer)]) == [float(not declines)]
    assert values([abstention_accuracy(UNKNOWN, answer)]) == [float(declines)]


def test_a_pipeline_that_contradicts_its_text_is_shown() -> None:
    refused = abstention_accuracy(UNKNOWN, said("I don't know.", abstained=False))
    assert isinstance(refused, Score)
    assert refused.value == 1.0
    assert refused.evidence[0]["conflict"]
    assert "the pipeline says it did not abstain" in refused.reason
    told = abstention_accuracy(UNKNOWN, said("It takes 30 days.", abstained=True))
    assert isinstance(told, Score)
    assert told.reason.endswith("though its text answers")


def test_a_partial_refusal_has_not_declined_and_is_marked() -> None:
    outcome = abstention_accuracy(
        UNKNOWN, said("The documents do not say. Generally, it takes a week.")
    )
    assert isinstance(outcome, Score)
    assert outcome.value == 0.0
    assert outcome.parts == {"declined": 0, "partial": 1, "unanswerable": 1}


def test_no_answer_at_all_is_skipped() -> None:
    for metric in (abstention_accuracy, abstention_precision, abstention_recall):
        assert isinstance(metric(UNKNOWN, said(None)), Skip)


def test_means_are_precision_and_recall_of_declining() -> None:
    no, yes = said("I don't know."), said("30 days.")
    # declined: 3, of which 2 rightly; unanswerable: 4, of which 2 declined
    pairs = [
        (UNKNOWN, no),
        (UNKNOWN, no),
        (UNKNOWN, yes),
        (UNKNOWN, yes),
        (KNOWN, no),
        (KNOWN, yes),
    ]
    assert fmean(values(abstention_precision(c, a) for c, a in pairs)) == pytest.approx(2 / 3)
    assert fmean(values(abstention_recall(c, a) for c, a in pairs)) == pytest.approx(2 / 4)
    assert fmean(values(abstention_accuracy(c, a) for c, a in pairs)) == pytest.approx(3 / 6)


def test_declining_everything_is_no_better_than_the_share_of_unanswerable_cases() -> None:
    cases = [KNOWN] * 17 + [UNKNOWN] * 3
    outcomes = [abstention_accuracy(case, said("I don't know.")) for case in cases]
    assert fmean(values(outcomes)) == pytest.approx(0.15)
    assert fmean(values(abstention_recall(case, said("I don't know.")) for case in cases)) == 1.0


# What each system did with the 63 unanswerable and the 169 answerable questions: declined of 63
# (exactly), declined needlessly of 169 (at most). gemini-3-pro and glm-4.6 are known to decline all 63;
# for the others these are our readings, kept as they are so that a change is seen.
SYSTEMS = {
    "gemini-3-pro-preview": (63, 1),
    "glm-4.6": (63, 1),
    "llama-3.3-70b": (63, 2),
    "claude-haiku-4.5": (50, 0),
    "qwen2.5-32b": (22, 0),
}


def test_recorded_answers_of_five_systems(shared: Path) -> None:
    folder = shared / "data" / "mtragun_cloud_govt"
    kind = {row["qid"]: row["answerability"] for row in rows(folder / "golden.jsonl.gz")}
    counts = {system: [0, 0] for system in SYSTEMS}
    for row in rows(folder / "responses.jsonl.gz"):
        seen = declining(said(row["response"]))
        assert seen is not None
        if kind[row["qid"]] in {"UNANSWERABLE", "ANSWERABLE"}:
            counts[row["system"]][kind[row["qid"]] == "ANSWERABLE"] += seen.declined
    for system, (rightly, needlessly) in SYSTEMS.items():
        assert counts[system][0] == rightly, system
        assert counts[system][1] <= needlessly, system


def test_answers_that_people_found_correct_have_not_declined(shared: Path) -> None:
    """5,000 short answers of five systems: of those that decline, people called at most one right."""
    right = wrong = 0
    for row in rows(shared / "data" / "evouna_nq" / "judgments.jsonl.gz"):
        for answer in row["answers"].values():
            if not answer["answer"].strip():
                continue
            seen = declining(said(answer["answer"]))
            if seen is not None and seen.declined:
                right += answer["correct"]
                wrong += not answer["correct"]
    assert wrong >= 29
    assert right <= 1


def rows(path: Path) -> list[dict[str, object]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]
