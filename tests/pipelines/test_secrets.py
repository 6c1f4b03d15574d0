"""Secrets come from the environment and show nowhere."""

import pytest

from acidtest.errors import BadConfig
from acidtest.pipelines.secrets import filled, hidden

ENV = {"TOKEN": "s3cr3t-value-long", "EMPTY": " ", "PIN": "12"}


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Bearer $TOKEN", "Bearer s3cr3t-value-long"),
        ("Bearer ${TOKEN}!", "Bearer s3cr3t-value-long!"),
        ("costs $$5 and ${PIN}$", "costs $5 and 12$"),
        ("plain", "plain"),
    ],
)
def test_variables_are_put_in(text, result):
    assert filled(text, ENV, where="w", used=set()) == result


@pytest.mark.parametrize("name", ["MISSING", "EMPTY"])
def test_a_variable_that_is_not_set_is_named(name):
    with pytest.raises(BadConfig, match=rf"w: the environment variable {name} is not set. Set it"):
        filled(f"Bearer ${{{name}}}", ENV, where="w", used=set())


def test_they_are_hidden_whole_and_cut_short():
    used = set()
    filled("$TOKEN $PIN", ENV, where="w", used=used)
    assert hidden("got s3cr3t-value-long", used) == "got [secret]"
    assert hidden("got s3cr3t-val", used) == "got [secret]"
    assert hidden("12 apples", used) == "12 apples"
