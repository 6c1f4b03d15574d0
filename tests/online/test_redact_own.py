"""A user's own patterns: found in texts of any length, and refused when they could take for ever."""

import time

import pytest

from acidtest.errors import BadConfig
from acidtest.online.redact_own import LONGEST, compiled, tried, without


@pytest.mark.parametrize("source", ["re:(a+)+b", "re:(.*)(.*)(.*)(.*)x"])
def test_a_pattern_that_could_take_for_ever_is_refused(source):
    began = time.monotonic()
    with pytest.raises(BadConfig, match="takes too long") as caught:
        tried(compiled(source, "here"), "here")
    assert caught.value.where == "here"
    assert "Bound its repeats" in (caught.value.fix or "")
    assert time.monotonic() - began < 8


@pytest.mark.parametrize(
    "source", ["re:EMP-[0-9]{4,8}", r"re:(?i)order\s+no\.?\s*\w+", "re:\u00e9\u4e2d+"]
)
def test_a_usual_pattern_is_taken(source):
    tried(compiled(source, "here"), "here")


@pytest.mark.parametrize("source", ["re:(", "re:", "re:a*", "re:[z-a]"])
def test_what_is_no_pattern_is_refused(source):
    with pytest.raises(BadConfig, match=r"regular expression|matches where nothing is"):
        compiled(source, "here")


@pytest.mark.parametrize(
    "at", [0, 1, LONGEST - 3, LONGEST, 2 * LONGEST - 2, 5 * LONGEST, 7 * LONGEST - 8]
)
def test_a_match_is_found_wherever_it_stands(at):
    pattern = compiled(r"re:\bEMP-\d{4}\b", "")
    text = ("x " * 4 * LONGEST)[: at - at % 2] + "EMP-1234" + " y" * (4 * LONGEST - at // 2)
    clean = without(pattern, text, "[redacted]")
    assert clean == text.replace("EMP-1234", "[redacted]")


def test_a_match_of_the_longest_kind_is_taken_out_whole():
    pattern = compiled("re:<[^>]*>", "")
    inside = "<" + "s" * (LONGEST - 2) + ">"
    text = "a" * 1500 + inside + "b" * 5000
    assert without(pattern, text, "#") == "a" * 1500 + "#" + "b" * 5000


def test_a_replacement_is_no_template():
    assert without(compiled("re:abc", ""), "abc", r"\g<0>") == r"\g<0>"
