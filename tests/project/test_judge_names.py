"""The grammar of judges' names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.errors import AcidtestError, BadConfig, UnknownName
from acidtest.project.judge_names import Part, part_of, steps_of


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("local", (("local",),)),
        ("a + b + c", (("a", "b", "c"),)),
        ("a > b", (("a",), ("b",))),
        ("a + b > c", (("a", "b"), ("c",))),
        ("a > b + c", (("a",), ("b", "c"))),
        ("a > b > c", (("a",), ("b",), ("c",))),
        ("  a\t>\n b ", (("a",), ("b",))),
        ("gpt-4+x", (("gpt-4+x",),)),
        ("a>b", (("a>b",),)),
        ("my judge.py:x + b", (("my judge.py:x", "b"),)),
        ("a + b > a", (("a", "b"), ("a",))),
    ],
)
def test_taken_apart(name, steps):
    assert steps_of(name) == steps


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("local >", "names no judge after '>'. Write a cascade as A > B"),
        ("> a", "names no judge before '>'"),
        ("+", "names no judge before '+'. Write a panel as A + B"),
        (">", "names no judge before '>'"),
        ("a + ", "names no judge after '+'"),
        ("a > > b", "names no judge after '>'"),
        ("a + + b", "names no judge after '+'"),
        ("a + > b", "names no judge after '+'"),
        ("a + a", "names a twice. A judge has one vote"),
        ("a > a", "names a twice"),
        ("a + b > a + b", "names a + b twice"),
    ],
)
def test_malformed(name, message):
    with pytest.raises(BadConfig) as caught:
        steps_of(name)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["", "  ", "\n"])
def test_nothing(name):
    with pytest.raises(UnknownName, match="openai:MODEL"):
        steps_of(name)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("local", Part("local", "local")),
        ("openai:gpt-5", Part("openai", "gpt-5")),
        ("openai:ft:gpt-5:acme", Part("openai", "ft:gpt-5:acme")),
        ("anthropic:claude-x", Part("anthropic", "claude-x")),
        ("google:gemini-x", Part("google", "gemini-x")),
        ("nli:some/model", Part("nli", "some/model")),
        ("judge.py:rules", Part("python", "judge.py:rules")),
        ("../a b/judge.py:rules.inner", Part("python", "../a b/judge.py:rules.inner")),
        ("python:pkg.judge:rules", Part("python", "pkg.judge:rules")),
    ],
)
@pytest.mark.parametrize("has_address", [False, True])
def test_parts(name, part, has_address):
    assert part_of(name, has_address=has_address) == part


def test_any_other_name_is_a_model_where_there_is_an_address():
    assert part_of("qwen3:8b", has_address=True) == Part("openai", "qwen3:8b", at_address=True)


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("opnai:gpt-5", "Did you mean 'openai:gpt-5'?"),
        ("OpenAI:gpt-5", "Did you mean 'openai:gpt-5'?"),
        ("antropic:claude", "Did you mean 'anthropic:claude'?"),
        ("locl", "Did you mean 'local'?"),
        ("mistral:large", "Known: A + B, A > B, anthropic:MODEL"),
        ("local>openai:gpt-5", "Did you mean 'local > openai:gpt-5'?"),
        ("openai+local", "Did you mean 'openai + local'?"),
        ("my_judge:rules", "python:module:object"),
    ],
)
def test_unknown(name, fix):
    with pytest.raises(UnknownName) as caught:
        part_of(name, has_address=False)
    assert fix in str(caught.value)


@pytest.mark.parametrize("name", ["openai:", "google: ", "nli:"])
def test_a_provider_without_a_model(name):
    with pytest.raises(BadConfig, match="names no model"):
        part_of(name, has_address=False)


@given(st.text(alphabet="ab+> :\n.py", max_size=20))
def test_any_text_is_taken_apart_or_refused_in_words(name):
    try:
        steps = steps_of(name)
    except AcidtestError:
        return
    parts = [part for step in steps for part in step]
    assert all(part and part == part.strip() for part in parts)
    assert "".join("".join(parts).split()) == "".join(
        word for word in name.split() if word not in {"+", ">"}
    )
