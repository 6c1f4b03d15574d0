"""The digest: what the golden set lacks, what fails alike, what moved; the same in any order."""

import random
import shlex

from msgspec.structs import replace

from acidtest.data.watching import Reading
from acidtest.online.digest import WEEK_MS, digest, reasons
from acidtest.online.digest_words import document_of, markdown, text
from acidtest.online.groups import groups, unlike

MONDAY = 1_767_571_200_000  # 5 January 2026
GOLDEN = [
    "How long does a refund for an order take?",
    "When is a refund paid for a cancelled order?",
    "Where do I download the invoice of last month?",
    "Does the invoice of an order show the tax?",
]


def reading(n, question, *, week=1, score=1.0, error=0.0, session=None):
    return Reading(
        trace=f"t{week}-{n:03}",
        at_ms=MONDAY + (week - 1) * WEEK_MS + n * 60_000,
        session=session,
        question=question,
        scores={"faithfulness": score},
        facts={"error": error},
    )


def weeks():
    found = []
    for n in range(60):
        found.append(reading(n, f"How long does the refund of order take, {n % 3}?", week=0))
        found.append(reading(n, "How long does the refund of my order take?"))
    for n in range(60, 75):
        found.append(
            reading(
                n,
                f"How do I pair the {['blue', 'red'][n % 2]} headset with bluetooth?",
                score=0.2 if n % 2 else 1.0,
            )
        )
    for n in range(75, 83):
        question = "Why does the invoice download fail with an error?"
        found.append(reading(n, question, error=1.0, score=1.0))
    for n in range(83, 90):
        question = "What is the wholesale discount for resellers?"
        found.append(reading(n, question, session="one"))
    return found


def test_what_is_asked_and_not_in_the_golden_set():
    found = digest(weeks(), GOLDEN, until_ms=MONDAY + WEEK_MS)
    assert found.traces == 90
    best, *rest = found.lacking
    assert {"headset", "bluetooth"} <= set(best.words)
    assert (best.n, best.sessions, len(best.traces)) == (15, 15, 2)  # two questions
    # One person who asks the same seven times is no new kind of question.
    assert not any("wholesale" in group.words for group in rest)
    assert found.unlike >= 22
    assert {f.form for f in found.forms} & {"how-to", "why"}


def test_failures_that_are_alike():
    found = digest(weeks(), GOLDEN, until_ms=MONDAY + WEEK_MS)
    assert found.failed == 7 + 8
    first, second = found.failing
    assert (first.why, first.group.n) == ({"error": 8}, 8)
    assert "invoice" in first.group.words
    assert (second.why, second.group.n) == ({"faithfulness": 7}, 7)
    assert "headset" in second.group.words


def test_what_most_of_all_ask_is_a_group_too():
    """Its words tell nothing apart, as more than half of all questions have them."""
    week = [reading(n, "How do I reset my password?", score=0.1) for n in range(9)]
    week += [reading(n, f"Reset of the password on device number{n}?") for n in range(9, 14)]
    week += [reading(n, "Where is my parcel?") for n in range(14, 18)]
    found = digest(week, GOLDEN, until_ms=MONDAY + WEEK_MS)
    (failing,) = found.failing
    assert (failing.group.n, set(failing.group.words)) == (9, {"reset", "password"})
    assert failing.group.questions == ("How do I reset my password?",)
    assert ("password", "reset") in [tuple(sorted(g.words)) for g in found.lacking]
    assert [g.n for g in found.lacking] == [9, 5, 4]
    assert groups(week) == groups(week[::-1])


def test_what_moved():
    found = digest(weeks(), GOLDEN, until_ms=MONDAY + WEEK_MS)
    clear = {m.metric: m for m in found.moved if m.clear}
    assert set(clear) == set()  # 7 of 90 is not clear against 0 of 60
    worse = [
        Reading(trace=r.trace, at_ms=r.at_ms, scores={"faithfulness": 0.5})
        if r.at_ms >= MONDAY
        else r
        for r in weeks()
    ]
    moved = digest(worse, GOLDEN, until_ms=MONDAY + WEEK_MS).moved
    assert (moved[0].metric, moved[0].clear) == ("faithfulness", True)
    assert (moved[0].before.value, moved[0].after.value) == (1.0, 0.5)


def test_as_text():
    said = text(digest(weeks(), GOLDEN, until_ms=MONDAY + WEEK_MS))
    lines = said.splitlines()
    assert lines[0] == "2026-01-05 to 2026-01-11: 90 traces"
    # Seven days that end now are no eight days.
    now = text(digest(weeks(), GOLDEN, until_ms=MONDAY + WEEK_MS + 36_000_000)).splitlines()
    assert now[0] == "2026-01-05 10:00 to 2026-01-12 10:00 UTC: 0 traces"
    assert any(line.startswith("- 15 on ") and "headset" in line for line in lines)
    assert "Failures that are alike (15 failed)" in lines
    failed = next(n for n, line in enumerate(lines) if "(errors 8): 'Why does" in line)
    assert lines[failed + 1].startswith("  acidtest golden promote t1-07")
    assert lines[failed + 1].endswith(" --traces --into golden.jsonl")


def test_as_json_each_group_has_its_command():
    said = document_of(digest(weeks(), GOLDEN, until_ms=MONDAY + WEEK_MS), into="my set.jsonl")
    assert (said["format"], said["version"], said["traces"]) == ("acidtest/digest", 1, 90)
    for group in (said["lacking"][0], said["failing"][0]):
        assert group["promote"].endswith(" --traces --into 'my set.jsonl'")


def test_hostile_questions_do_nothing():
    asked = "How do I <img src=x> headset\n# bluetooth | @all `x`; rm -rf"
    traces = [
        Reading(trace=f"$(rm) {n}", at_ms=MONDAY + n, question=asked, scores={"a": 0.0})
        for n in range(4)
    ]
    traces += [reading(n, f"What is the tax of order {n % 4}?") for n in range(60)]
    found = digest(traces, [], until_ms=MONDAY + WEEK_MS)
    page = markdown(found)
    assert "<img" not in page
    assert "\n# bluetooth" not in page
    assert "@all" not in page
    command = document_of(found)["failing"][0]["promote"]
    assert shlex.split(command)[3:5] == ["$(rm) 0", "--traces"]
    assert "\n# bluetooth" not in text(found)


def test_the_order_of_traces_does_not_matter():
    some = weeks()
    again = some.copy()
    random.Random(1).shuffle(again)
    end = MONDAY + WEEK_MS
    assert digest(some, GOLDEN, until_ms=end).failing == digest(again, GOLDEN, until_ms=end).failing
    assert digest(some, GOLDEN, until_ms=end).lacking == digest(again, GOLDEN, until_ms=end).lacking


def test_little_is_no_group_and_nothing_is_no_error():
    assert groups([reading(1, "one question here"), reading(2, "one question here")]) == []
    assert groups([reading(n, "and?") for n in range(9)]) == []
    assert unlike([reading(1, "and?")], GOLDEN) == []
    assert [r.trace for r in unlike([reading(1, "bluetooth headset")], [])] == ["t1-001"]
    empty = digest([], [], until_ms=MONDAY)
    assert (empty.traces, empty.lacking, empty.failing, empty.moved) == (0, (), (), ())
    assert text(empty) == "2025-12-29 to 2026-01-04: 0 traces"


def test_what_is_wrong_with_a_trace():
    bad = Reading(trace="t", at_ms=0, scores={"b": 0.1, "a": 0.9}, facts={"error": 1.0})
    assert reasons(bad) == ("b", "error")
    assert reasons(bad, frozenset({"a", "b"})) == ("a", "error")


def test_of_what_was_retrieved_only_nothing_of_use_is_a_failure():
    # One passage of five is all that most questions need: 0.2 is as good as it gets.
    def failing(useful):
        one = Reading(trace="t", at_ms=0, scores={"context_usefulness": useful, "faithfulness": 1})
        return reasons(one, frozenset(), frozenset({"context_usefulness"}))

    assert (failing(0.2), failing(0.0)) == ((), ("context_usefulness",))
    week = [replace(r, scores={"context_usefulness": 0.2}) for r in weeks()]
    found = digest(week, GOLDEN, until_ms=MONDAY + WEEK_MS, of_retrieval=["context_usefulness"])
    assert [(f.why, f.group.n) for f in found.failing] == [({"error": 8}, 8)]


def test_of_very_many_questions_all_are_put_into_groups_that_some_were_learnt_from():
    kinds = ("pair the headset with bluetooth", "download an invoice", "change the address")
    some = [reading(n, f"How do I {kinds[n % 3]} number{n}x?") for n in range(4_500)]
    found = digest(some, [], until_ms=MONDAY + 2 * WEEK_MS, span_ms=2 * WEEK_MS)
    assert [group.n for group in found.lacking] == [1_500] * 3
    assert {word for group in found.lacking for word in group.words} >= {"headset", "invoice"}


def test_forms_of_very_many_questions_are_told_of_a_share():
    asks = ("Why is it late?", "What is the refund policy?", "What is an order?", "Any news?")
    some = [reading(n, asks[n % 4]) for n in range(30_000)]
    found = digest(
        some, ["What is the refund policy?"], until_ms=MONDAY + 9 * WEEK_MS, span_ms=9 * WEEK_MS
    )
    assert [(form.form, round(form.asked, 2)) for form in found.forms] == [("why", 0.25)]
