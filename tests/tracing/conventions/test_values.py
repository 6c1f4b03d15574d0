"""Attributes are looked up flat and nested, parsed, and bounded."""

import math
from typing import Any

import pytest

from acidtest.tracing.conventions.values import (
    MAX_TEXT,
    at,
    below,
    count,
    entries,
    first,
    flat,
    name,
    names,
    number,
    parsed,
    plain,
    record,
    strings,
    text,
)


@pytest.mark.parametrize(
    "given",
    [{"a.b.c": 1}, {"a": {"b.c": 1}}, {"a.b": {"c": 1}}, {"a": {"b": {"c": 1}}}],
)
def test_a_dotted_name_flat_or_nested(given: dict[str, Any]) -> None:
    assert at(given, "a.b.c") == 1
    assert at(given, "a.b.d") is None


def test_the_first_that_says_something() -> None:
    assert first({"a": "", "b": [], "c": 0}, "a", "b", "c", "d") == 0


@pytest.mark.parametrize(
    "given",
    [
        {"x.1.k": "b", "x.0.k": "a", "x.zero.k": "?", "x.10.k": "c"},
        {"x": [{"k": "a"}, {"k": "b"}, {"k": "c"}]},
        {"x": '[{"k": "a"}, {"k": "b"}, {"k": "c"}]'},
        {"x": {"0": {"k": "a"}, "2": {"k": "b"}, "10": {"k": "c"}}},
    ],
)
def test_entries_of_a_list_in_order(given: dict[str, Any]) -> None:
    assert [each["k"] for each in entries(given, "x")] == ["a", "b", "c"]


def test_names_below() -> None:
    assert below({"a.b": 1, "a.c.d": 2, "ab": 3, "a": '{"e": 4}'}, "a") == {
        "b": 1,
        "c.d": 2,
        "e": 4,
    }


@pytest.mark.parametrize("given", ["plain", "{not json", "[1, NaN]", "[" * 100_000, 7, None])
def test_what_is_no_json_stays(given: Any) -> None:
    assert parsed(given) == given


def test_json_is_parsed_with_space_before_it() -> None:
    assert parsed(' {"a": [1]}') == {"a": [1]}


def test_texts_are_cut_and_mended() -> None:
    assert text("x" * (MAX_TEXT + 5)) == "x" * MAX_TEXT
    assert text("a\ud800") == "a\ufffd"
    assert (text("  "), text(3), text(None)) == (None, None, None)


def test_names_and_ids() -> None:
    assert (name(" c1 "), name(17), name(True), name(1.5)) == ("c1", "17", None, None)
    assert names('["a", "b", "a", 3, null]') == ("a", "b", "3")
    assert names("solo") == ("solo",)


@pytest.mark.parametrize("given", [math.nan, math.inf, "nan", True, "x", None, 10**400, "1e999"])
def test_what_is_no_number(given: Any) -> None:
    assert number(given) is None


def test_counts_are_whole_and_not_negative() -> None:
    assert [count(each) for each in (3, "3", 3.0, 3.5, -1, True, 2**60)] == [
        3,
        3,
        3,
        None,
        None,
        None,
        None,
    ]


def test_metadata_is_what_json_holds() -> None:
    given = {"b": math.nan, "a": [1, math.inf, {"c": b"x"}], 3: "y", "d": 2**70, "e": "f"}
    assert record(given) == {"a": [1, None, {"c": None}], "e": "f"}
    assert record('{"k": 1}') == {"k": 1}
    assert record("no") == {}
    assert len(plain(list(range(1000)))) == 200


def test_every_text_of_a_prompt() -> None:
    assert strings({"a": '{"b": ["x", {"c": "y"}]}', "d": ["z", 3]}) == ["x", "y", "z"]


SAID = {
    "x.0.k": "a",
    "x.1": "b",
    "x.1.k.0.m": "c",
    "xx.0.k": "d",
    "": 0,
    "x.y": ["e"],
    "x.z": "",
    7: "x.0.k",
}


@pytest.mark.parametrize("path", ["x", "x.1", "x.1.k", "x.y", "x.z", "y", "k", "", "xx", "x.0.k"])
def test_a_flat_record_says_what_the_same_record_says(path: str) -> None:
    given: dict[Any, Any] = dict(SAID)
    found = flat(given)
    assert found is not given
    assert found == given
    assert at(found, path) == at(given, path)
    assert first(found, path, "x.y") == first(given, path, "x.y")
    assert entries(found, path) == entries(given, path)
    assert below(found, path) == below(given, path)


def test_a_record_with_records_in_it_is_not_flat() -> None:
    given = {"x": {"y": 1}, "z": 2}
    assert flat(given) is given
    assert first(flat(given), "x.y") == 1
    assert flat(flat({"z": 2})) == {"z": 2}
