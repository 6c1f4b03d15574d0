import sys

import pytest
from msgspec import Struct

from acidtest.errors import BadConfig, BudgetSpent, UnknownName, UsageError
from acidtest.judges.backend import Completion
from acidtest.judges.budget_backend import BudgetedBackend
from acidtest.judges.cascade import Cascade
from acidtest.judges.compound import parts_of
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.local.levels import at_coverage
from acidtest.judges.panel import Panel
from acidtest.judges.prices import Rates
from acidtest.ports import Prompt
from acidtest.project import judge_models
from acidtest.project.config import Config, EmbedderConfig, JudgeConfig
from acidtest.project.embedding import embedding_of
from acidtest.project.judge_models import ADDRESSES, KEYS
from acidtest.project.judging import cached, judge_named, own
from acidtest.project.means import Means, means_of
from acidtest.project.tiers import resolve
from acidtest.store.journal import StoredJournal
from acidtest.store.runs import Store
from acidtest.testing import FakeJudge


class Said(Struct, frozen=True):
    verdict: str


PROMPT = Prompt(name="p", version="1", template="", reply=Said)


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


@pytest.mark.parametrize(
    ("there", "said", "unsaid"),
    [(True, "tables lack this model", "pip install"), (False, r"acidtest\[prices\]", "lack")],
)
def test_the_tables_are_offered_only_where_they_are_not_installed(monkeypatch, there, said, unsaid):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setattr(judge_models, "present", lambda module: there)
    with pytest.raises(BadConfig, match=said) as caught:
        judge_named(JudgeConfig(), "openai:no-such-model", budget_usd=1.0)
    assert unsaid not in str(caught.value)


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


# ------------------------------------------------------------------ panels, cascades, own judges


@pytest.fixture
def keys(monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, "k")


def named(name, **config):
    return judge_named(JudgeConfig(**config), name)


def test_a_coverage_is_another_local_judge(keys):
    usual, wide = named("local"), named("local", coverage=0.8)
    assert wide.judge.fingerprint == LocalJudge(at_coverage(0.8)).fingerprint
    assert wide.judge.fingerprint != usual.judge.fingerprint == LocalJudge().fingerprint
    first = named("local > openai:a", coverage=0.8).judge.first
    assert first.fingerprint == wide.judge.fingerprint


def test_panels_and_cascades_by_name(keys):
    judging = named("local > openai:a + google:b", audit=0.05)
    cascade = judging.judge
    assert isinstance(cascade, Cascade)
    assert cascade.audit == 0.05
    assert isinstance(cascade.first, LocalJudge)
    assert isinstance(cascade.second, Panel)
    assert cascade.model == "local > a + b"
    assert judging.kept
    assert judging.waits
    assert [type(each).__name__ for each in judging.backends] == ["OpenAIBackend", "GoogleBackend"]
    three = named("local > openai:a > openai:b").judge
    assert isinstance(three.second, Cascade)


def test_the_fingerprint_is_made_of_the_parts(keys):
    names = ["openai:a", "openai:a + openai:b", "openai:b + openai:a", "openai:a > openai:b"]
    assert len({named(name).judge.fingerprint for name in names}) == 4
    assert (
        named("local > openai:a", audit=0.1).judge.fingerprint
        != named("local > openai:a").judge.fingerprint
    )
    alone = named("openai:a").judge.fingerprint
    assert named("local > openai:a").judge.second.fingerprint == alone


def test_a_label_tells_models_of_one_name_apart(keys):
    plain, labelled = named("openai:a"), named("openai:a", label="q4 on the small machine")
    assert plain.judge.fingerprint != labelled.judge.fingerprint
    assert plain.judge.model == labelled.judge.model


def test_who_asks_one_endpoint_shares_limits_and_connections(keys):
    means = Means(concurrency=3)
    judge = judge_named(JudgeConfig(), "openai:a + openai:b + google:c", means=means).judge
    tries = [part._backend.tries for part in parts_of(judge)]
    assert tries[0] is tries[1]
    assert tries[0] is not tries[2]
    assert tries[0]._ends is tries[2]._ends
    assert tries[0].limiter.most == 3
    sessions = {id(part._backend._backend._backend._http._session) for part in parts_of(judge)}
    assert len(sessions) == 1
    config = Config(embedder=EmbedderConfig(model="openai:e"))
    embedding = embedding_of([resolve(["semantic_recall"], config)[0]], config, None, means=means)
    assert embedding.embedder._embedder.tries is tries[0]


@pytest.mark.parametrize(
    ("configured", "asked", "endpoints"),
    [
        ("qwen3", None, ["http://127.0.0.1:9"]),
        ("local > qwen3", None, ["http://127.0.0.1:9"]),
        ("qwen3 + openai:gpt", None, ["http://127.0.0.1:9", "https://api.openai.com"]),
        ("local > openai:gpt", None, ["http://127.0.0.1:9"]),
        ("anthropic:claude", None, ["http://127.0.0.1:9"]),
        (
            "openai:gpt + anthropic:claude",
            None,
            ["https://api.openai.com", "https://api.anthropic.com"],
        ),
        ("local", "qwen3 > openai:gpt", ["http://127.0.0.1:9", "https://api.openai.com"]),
        ("openai:gpt", "openai:other", ["https://api.openai.com"]),
        ("openai:gpt", "local > openai:gpt", ["http://127.0.0.1:9"]),
    ],
)
def test_which_models_are_at_the_configured_address(keys, configured, asked, endpoints):
    config = JudgeConfig(model=configured, base_url="http://127.0.0.1:9/v1")
    assert [each.endpoint for each in judge_named(config, asked).backends] == endpoints


def test_prices_of_single_models(keys):
    rates = {"a": Rates(input=1, output=1), "openai:b": Rates(input=2, output=2)}
    judge = named("openai:a + openai:b + openai:zz", prices=rates, price=Rates(input=9, output=9))
    asked = Completion(text="", input_tokens=1_000_000)
    assert [part.price(asked) for part in parts_of(judge.judge)] == [1.0, 2.0, 9.0]


def test_what_an_endpoint_does_not_count_has_no_price(keys):
    silent = Completion(text="said")
    priced = named("openai:a", price=Rates(input=1, output=1)).judge
    free = named("openai:a", price=Rates(input=0, output=0)).judge
    assert priced.price(silent) is None
    assert free.price(silent) == 0.0


OWN = """
def rules(prompt, fields):
    return {"why": "by rule", "verdict": "complete"}

def text(prompt):
    return '{"why": "said", "verdict": "partial"}'

class Model:
    model = "mine"
    fingerprint = "mine-1"
    async def ask(self, prompt, **fields):
        raise NotImplementedError

def needs(a, b, c):
    pass

not_one = 42
"""


@pytest.fixture
def own_file(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "my_judges.py").write_text(OWN)
    (tmp_path / "raises.py").write_text("x = 1\nraise ValueError('not today')\n")
    yield tmp_path
    for name in [n for n in sys.modules if n.startswith(("my_judges", "raises"))]:
        del sys.modules[name]


@pytest.mark.parametrize(
    "name",
    [
        "my_judges.py:rules",
        "my_judges.py:text",
        "my_judges.py:Model",
        "python:my_judges:rules",
        "python:my_judges.py:rules",
        "local + my_judges.py:rules + my_judges.py:text",
        "local > my_judges.py:rules",
    ],
)
def test_own_judges_by_name(own_file, name):
    judging = judge_named(JudgeConfig(model=name), base=own_file)
    assert judging.judge.fingerprint
    assert judging.kept
    assert judging.backends == ()


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("my_judges.py:rulse", UnknownName, "Did you mean 'rules'?"),
        ("my_judges.py:not_one", BadConfig, "cannot be a judge"),
        ("my_judges.py:needs", BadConfig, "cannot be a judge"),
        ("nowhere.py:x", BadConfig, "there is no file"),
        ("raises.py:x", BadConfig, "raises.py:2"),
        ("python:no_such_module_here:x", BadConfig, "there is no module"),
        ("python:", BadConfig, "no address of an object"),
        ("python:os", BadConfig, "no address of an object"),
    ],
)
def test_own_judges_that_cannot_be_loaded(own_file, name, error, message):
    with pytest.raises(error) as caught:
        judge_named(JudgeConfig(), name, base=own_file)
    assert message in str(caught.value)


async def test_a_budget_is_that_of_every_part_but_the_local_one(keys, own_file):
    config = JudgeConfig(
        model="local > openai:a + my_judges.py:text",
        budget_usd=2.0,
        budget_tokens=9,
        price=Rates(input=1, output=1),
    )
    judging = judge_named(config, base=own_file)
    local, a, text = parts_of(judging.judge)
    assert isinstance(local, LocalJudge)
    called = a._backend._backend._backend
    assert isinstance(called, BudgetedBackend)
    assert called._calls.budget is text.inside.budget is judging.means.budget
    assert (judging.means.budget.usd, judging.means.budget.tokens) == (2.0, 9)


def test_whose_budget_holds():
    config = JudgeConfig(budget_usd=2.0)
    assert means_of(config).budget.usd == 2.0
    assert means_of(config, budget_usd=0.0).budget.usd == 0.0
    assert not means_of(config, configured=False).budget
    assert means_of(config, configured=False, budget_tokens=5).budget.tokens == 5
    for wrong in ({"budget_usd": -1.0}, {"budget_tokens": -1}, {"budget_usd": float("nan")}):
        with pytest.raises(UsageError, match="Give 0 or more"):
            means_of(config, **wrong)
    judge = own(FakeJudge({}), means_of(config, budget_usd=1.0)).judge
    assert judge.inside.budget.usd == 1.0


async def test_each_part_is_kept_by_itself(tmp_path):
    with Store(str(tmp_path / "s.db")) as store:
        async with StoredJournal(store) as journal:
            a, b, c = (FakeJudge({"p": {"verdict": "yes"}}, model=name) for name in "abc")
            alone = cached(a, journal, repeat=0, salt="")
            await alone.ask(PROMPT)
            panel = cached(Panel([a, b, c]), journal, repeat=0, salt="")
            assert (await panel.ask(PROMPT)).reply.verdict == "yes"
            assert [len(each.calls) for each in (a, b, c)] == [1, 1, 1]
            broken = FakeJudge({"p": BudgetSpent("enough")}, model="d")
            with pytest.raises(BudgetSpent):
                await cached(Panel([broken, b]), journal, repeat=0, salt="x").ask(PROMPT)
            again = await cached(Panel([c, b]), journal, repeat=0, salt="x").ask(PROMPT)
            assert again.reply.verdict == "yes"
            assert [len(each.calls) for each in (a, b, c)] == [1, 2, 2]
            local = LocalJudge()
            assert cached(local, journal, repeat=0, salt="") is local


def test_a_judge_in_a_file_is_called_by_its_address_and_the_same_in_any_folder(tmp_path):
    prints = set()
    for folder in (tmp_path / "here", tmp_path / "ci"):
        folder.mkdir()
        (folder / "mine.py").write_text("def judge(prompt, fields):\n    return {}\n")
        made = judge_named(JudgeConfig(model="mine.py:judge"), base=folder).judge
        assert made.model == "mine.py:judge"
        prints.add(made.fingerprint)
    assert len(prints) == 1
