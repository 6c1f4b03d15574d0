import pytest

from acidtest.errors import BadConfig, UnknownName
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.prices import Rates
from acidtest.project.config import JudgeConfig
from acidtest.project.judge_models import ADDRESSES, KEYS
from acidtest.project.judging import judge_named, own
from acidtest.testing import FakeJudge


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in (*ADDRESSES.values(), *(key for keys in KEYS.values() for key in keys)):
        monkeypatch.delenv(name, raising=False)


def test_local_is_the_default_and_not_worth_keeping():
    judging = judge_named(JudgeConfig())
    assert isinstance(judging.judge, LocalJudge)
    assert not judging.kept


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("openai:gpt-x", "OPENAI_API_KEY"),
        ("anthropic:claude-x", "ANTHROPIC_API_KEY"),
        ("google:gemini-x", "GEMINI_API_KEY"),
        ("google:gemini-x", "GOOGLE_API_KEY"),
    ],
)
async def test_keys_come_from_the_environment_and_are_shown_nowhere(monkeypatch, name, key):
    with pytest.raises(BadConfig, match=f"no key for {name.partition(':')[0]}"):
        judge_named(JudgeConfig(), name)
    monkeypatch.setenv(key, "sk-very-secret")
    judging = judge_named(JudgeConfig(), name)
    assert judging.judge.model == name.partition(":")[2]
    assert judging.kept
    assert "secret" not in repr(judging) + judging.judge.fingerprint
    await judging.aclose()


async def test_an_address_needs_no_key_and_no_provider(monkeypatch):
    judging = judge_named(JudgeConfig(model="qwen3", base_url="http://127.0.0.1:11434/v1"))
    assert judging.judge.model == "qwen3"
    assert judging.backends[0].endpoint == "http://127.0.0.1:11434"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9999/v1")
    assert judge_named(JudgeConfig(), "openai:m").backends[0].endpoint == "http://127.0.0.1:9999"


@pytest.mark.parametrize("name", ["gpt-x", "openai", "", "mistral:large"])
def test_names_that_are_no_judge(name):
    with pytest.raises(UnknownName, match="openai:MODEL"):
        judge_named(JudgeConfig(model=name))


def test_a_provider_without_a_model(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with pytest.raises(BadConfig, match="names no model"):
        judge_named(JudgeConfig(), "openai:")


def test_a_budget_needs_a_price(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with pytest.raises(BadConfig, match=r"price of 'no-such-model'.*\[judge.price\]"):
        judge_named(JudgeConfig(), "openai:no-such-model", budget_usd=1.0)
    priced = JudgeConfig(budget_usd=1.0, price=Rates(input=1, output=2))
    assert judge_named(priced, "openai:no-such-model").judge.model == "no-such-model"


def test_the_local_judge_needs_no_budget():
    assert not judge_named(JudgeConfig(budget_usd=1.0)).kept


def test_own_judges():
    fake = FakeJudge({})
    assert own(fake).judge.inside is fake
    assert own(fake).kept
    assert not own(LocalJudge()).kept
    assert own(lambda text: "{}").judge.fingerprint
    with pytest.raises(BadConfig, match="cannot be a judge"):
        own(42)


async def test_another_providers_model_is_not_asked_at_the_configured_address(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    config = JudgeConfig(model="qwen3", base_url="http://127.0.0.1:11434/v1")
    judging = judge_named(config, "anthropic:claude-x")
    assert judging.backends[0].endpoint == "https://api.anthropic.com"
    assert judge_named(config, "llama4").backends[0].endpoint == "http://127.0.0.1:11434"
