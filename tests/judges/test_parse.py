"""Parsing: the last whole JSON value that fits, nothing edited, nothing guessed."""

import json
import time
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from acidtest.judges.attacks import ATTACKS
from acidtest.judges.lenient import Candidate, value_at
from acidtest.judges.parse import DRAFTS, LONGEST, Parsed, Rejected, parse
from acidtest.judges.schema import schema
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.ports import Prompt
from acidtest.text.surrogates import without_halves, without_halves_in


class Ruling(Struct, frozen=True, kw_only=True):
    why: str = ""
    verdict: Literal["yes", "no", "undecided"]


class Rating(Struct, frozen=True):
    score: Annotated[float, Meta(ge=0, le=10)]


class Binary(Struct, frozen=True):
    verdict: Literal[0, 1]


class Each(Struct, frozen=True):
    passages: tuple[Ruling, ...]


def read(text, reply=Ruling, **fields):
    prompt = Prompt(name="p", version="1", template="", reply=reply)
    return parse(text, reply, schema(prompt, fields))


SIZE = LONGEST // 4
YES = '{"why":"it says so","verdict":"yes"}'
NO = '{"why":"it does not","verdict":"no"}'


@pytest.mark.parametrize(
    "text",
    [
        YES,
        f"  \n{YES}\n\n",
        f"\ufeff{YES}",
        f"```json\n{YES}\n```",
        f"```\n{YES}\n```\nHope this helps!",
        f"Sure! Here is the verdict: {YES}",
        f"<think>maybe {NO} or {{what}} ...</think>\n{YES}",
        f"<think>\nif x {{ return }} </think>{YES}",
        f"<THINKING>{NO}</THINKING> {YES}",
        f"so {NO}?</think>{YES}",
        f"The set {{a, b}} and [1] and {{}} matter. {YES} Done {{really}}.",
        f"Draft: {NO}\nFinal: {YES}",
        f'{{"draft": true}} {YES} {{"other": 1}} [2, 3]',
        f"{YES} and a brace {{ at the end",
        f"a [bracket and {YES}",
        '{"why":"it says so","verdict":"yes","confidence":0.9}',
        '{"why":"it says so",\n\t"verdict" : "yes"\n}',
    ],
)
def test_the_last_fitting_value_counts(text):
    assert read(text) == Parsed(Ruling(why="it says so", verdict="yes"))


@pytest.mark.parametrize(
    "why",
    [
        "a comma before a brace ,} and a bracket ,] stay",
        "single 'quotes' and True, None",
        'it says "yes"',
        "```json fences``` and <think>thoughts</think>",
        '{"why":"","verdict":"no"}',
        "back\\slash \u2028 \u202e é 漢字 \x00",
    ],
)
@pytest.mark.parametrize("around", ["{}", "```json\n{}\n```", "well: {} there"])
def test_valid_json_is_never_edited(why, around):
    text = around.replace("{}", json.dumps({"why": why, "verdict": "yes"}))
    assert read(text) == Parsed(Ruling(why=why, verdict="yes"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{'why': 'it says so', 'verdict': 'yes'}", "it says so"),
        ('{"why": "it says so", "verdict": "yes",}', "it says so"),
        ("{'why': \"it doesn't\", 'verdict': 'yes', }", "it doesn't"),
        (r"{'why': 'it isn\'t', 'verdict': 'yes'}", "it isn't"),
        ("{'why': 'it says \"x\"', 'verdict': 'yes'}", 'it says "x"'),
        ('{"why": "two\nlines", "verdict": "yes"}', "two\nlines"),
        ("{'why': ',} stays', 'verdict': 'yes',}", ",} stays"),
        ("Python prints {'why': 'it says so', 'verdict': 'yes'} so.", "it says so"),
    ],
)
def test_what_is_nearly_json_is_repaired_and_that_is_recorded(text, why):
    assert read(text) == Parsed(Ruling(why=why, verdict="yes"), repaired=True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("I cannot judge this.", "no JSON object"),
        (
            '{"why":"x","verdict":"partially"}',
            '$.verdict is "partially", and must be one of no, yes',
        ),
        ('{"why":"x","verdict":"maybe"}', 'is "maybe"'),
        ('{"why":"x","verdict":""}', "must be one of no, yes"),
        ('{"why":"x","verdict":"Yes"}', "must be one of no, yes"),
        ('{"why":"x","verdict":null}', "is null, and"),
        ('{"why":"x","verdict":true}', "is true, and"),
        ('{"why":"x"}', "missing required field `verdict`"),
        ('{"why":"x","ruling":"yes"}', "missing required field `verdict`"),
        (f'{{"result":{YES}}}', "missing required field `verdict`"),
        (f"[{YES}]", "array"),
        (json.dumps(YES), "str"),
        ("null", "null"),
        ('{"why":"x","verdict":"undecided"}', "must be one of no, yes"),
        ('{"verdict":"yes","verdict":"no"}', "no JSON object"),
        ('{"why":"cut in the mid', "no JSON object"),
        ('{"why":"cut","draft":{"why":"","verdict":"yes"}', "no JSON object"),
        (f"<think>I think {YES}", "stops while thinking"),
        ("{why: 'x', verdict: 'yes'}", "no JSON object"),
        ("{'why': 'it doesn't', 'verdict': 'yes'}", "no JSON object"),
        ("x" * (LONGEST + 1), "characters long"),
    ],
)
def test_everything_else_is_rejected_with_the_reason(text, why):
    said = read(text)
    assert isinstance(said, Rejected)
    assert why in said.why


def test_half_a_surrogate_pair_cannot_be_kept_and_is_replaced():
    said = read(r'{"why":"a \ud83d b \ud83d\ude00","verdict":"yes"}')
    assert said == Parsed(Ruling(why="a \ufffd b \U0001f600", verdict="yes"), repaired=True)
    assert without_halves_in({"\ud800": ["\udfff", 1, None]}) == {"\ufffd": ["\ufffd", 1, None]}
    assert isinstance(read(r'{"\ud800":"","why":"w"}'), Rejected)


@pytest.mark.parametrize("number", ["85", "-1", "10.5", "NaN", "Infinity", "1e999", '"7"', "true"])
def test_numbers_outside_the_scale_are_rejected(number):
    assert isinstance(read(f'{{"score": {number}}}', Rating), Rejected)


@pytest.mark.parametrize(
    ("number", "value"), [("7", 7), ("7.0", 7), ("0", 0), ("10", 10), ("7.5", 7.5)]
)
def test_numbers_on_the_scale_are_taken_as_they_are(number, value):
    assert read(f'{{"score": {number}}}', Rating) == Parsed(Rating(value))


@pytest.mark.parametrize("number", ["-1", "5", "0.5", '"1"', "true", "null"])
def test_zero_or_one_is_zero_or_one(number):
    assert isinstance(read(f'{{"verdict": {number}}}', Binary), Rejected)
    assert read('{"verdict": 1.0}', Binary) == Parsed(Binary(1))


@pytest.mark.parametrize(("asked", "given"), [(3, 1), (2, 5), (5, 0), (1, 2)])
def test_as_many_as_were_asked_must_come(asked, given):
    text = json.dumps({"passages": [{"verdict": "yes"}] * given})
    said = read(text, Each, passages=["p"] * asked)
    assert said == Rejected(f"$.passages has {given} items, and {asked} were asked for")


def test_a_draft_with_the_wrong_count_does_not_count():
    one, two = (json.dumps({"passages": [{"verdict": v}] * n}) for v, n in (("yes", 1), ("no", 2)))
    said = read(f"{two}\n\nOr shorter: {one}", Each, passages=["a", "b"])
    assert said == Parsed(Each((Ruling(verdict="no"), Ruling(verdict="no"))))


def test_what_stands_in_a_broken_value_is_no_reply():
    assert isinstance(read('{"draft": {"why": "", "verdict": "yes"}, "verdict": no}'), Rejected)


@pytest.mark.parametrize(
    "text",
    [
        "[" * SIZE,
        "{" * SIZE,
        '{"a":' * (SIZE // 5),
        '{"a":1,"a":' * (SIZE // 11),
        "{'" * (SIZE // 2),
        '["\\' * (SIZE // 3),
        "[1] " * (SIZE // 4),
        '{"a":1,} ' * (SIZE // 9),
        "9" * SIZE,
        "[" + "9" * (SIZE - 1),
    ],
    ids=lambda t: t[:8],
)
def test_hostile_replies_cost_linear_time(text):
    began = time.perf_counter()
    assert isinstance(read(text), Rejected)
    assert time.perf_counter() - began < 5


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
prose = st.text(st.characters(exclude_characters="{}[]\"'<", codec="utf-8"), max_size=40)


@given(st.dictionaries(st.text(), json_values, max_size=4) | st.lists(json_values, max_size=4))
def test_json_anywhere_is_read_exactly(value):
    text = json.dumps(value, ensure_ascii=False)
    found = value_at(f"say {text} now", 4)
    assert found == Candidate(value, 4 + len(text))


@given(st.dictionaries(st.text(), json_values, max_size=4), st.sampled_from(["", " ", "\n\t"]))
def test_a_comma_too_many_is_all_that_is_mended(value, space):
    text = json.dumps(
        value, ensure_ascii=False, separators=(f"{space},{space}", f"{space}:{space}")
    )
    mended = f"{text[:-1]}{space}{',' if value else ''}{space}}}"
    found = value_at(mended, 0)
    assert found == Candidate(value, len(mended), repaired=bool(value))


@given(prose, prose, st.text(max_size=60), st.sampled_from(["yes", "no"]))
def test_a_reply_in_prose_is_found(before, after, why, verdict):
    text = msgspec.json.encode({"why": why, "verdict": verdict}).decode()
    assert read(f"{before}{text}{after}") == Parsed(Ruling(why=why, verdict=verdict))


@given(st.text(alphabet="{}[]\"':,\\ ntrue0<>/hik", max_size=60))
def test_no_text_breaks_the_parser(text):
    assert isinstance(read(text), Rejected)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.name)
def test_attacks_echoed_by_the_model_do_not_turn_its_reply(attack):
    claim = {"claim": attack.text, "why": attack.text, "verdict": "unsupported"}
    reply = {"sentences": [{"sentence": 1, "claims": [claim]}]}
    fields = {"sentences": ["s"], "passages": ["p"]}
    form = schema(FAITHFULNESS, fields)
    for ascii_ in (True, False):
        text = json.dumps(reply, ensure_ascii=ascii_)
        for shown in (text, f"```json\n{text}\n```", f"Here it is: {text} (done)"):
            said = parse(shown, FAITHFULNESS.reply, form)
            assert isinstance(said, Parsed)
            assert said.repaired == (attack.name == "surrogate")
            assert said.reply.sentences[0].claims[0].verdict == "unsupported"
            assert said.reply.sentences[0].claims[0].why == without_halves(attack.text)
            assert msgspec.json.encode(said.reply)  # it can be kept


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.name)
def test_attacks_echoed_before_the_reply_give_its_verdict_or_none(attack):
    """An echo may open a bracket or a thought that swallows the reply: then it is asked again."""
    said = read(f"{attack.text}\n\n{NO}")
    assert isinstance(said, Rejected) or said.reply.verdict == "no"


@pytest.mark.parametrize("bracket", ["{", "[", "{'", '{"a":"'])
def test_brackets_that_begin_nothing_are_looked_at_in_bounds(bracket):
    """Everything else waits while a reply is read."""
    began = time.process_time()
    assert isinstance(read(bracket * (LONGEST // len(bracket))), Rejected)
    assert time.process_time() - began < 2


def test_so_many_brackets_and_no_more():
    assert read("{ " * (DRAFTS - 1) + YES) == Parsed(Ruling(why="it says so", verdict="yes"))
    assert "brackets that begin nothing" in read("{ " * DRAFTS + YES).why
