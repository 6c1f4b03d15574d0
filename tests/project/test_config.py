import pytest

from acidtest.errors import AcidtestError, BadConfig, UnknownName
from acidtest.project.config import Config, find_config, load_config

DESIGNED = """
golden = "golden.jsonl"
[pipelines.baseline]
python = "my_rag:baseline"
[pipelines.reranked]
python = "my_rag:reranked"
[judge]
model = "local"
budget_usd = 2.0
[metrics]
fast = ["recall@5", "precision@5", "mrr", "ndcg@10", "token_recall", "abstention_accuracy"]
nightly = ["fast", "faithfulness"]
[targets]
"recall@5" = 0.90
[gate]
min = { faithfulness = 0.85 }
max_drop = 0.03
"""


@pytest.fixture
def write(tmp_path):
    def put(text, name="acidtest.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return put


def test_the_designed_configuration(write, tmp_path):
    config = load_config(write(DESIGNED))
    assert config.golden == "golden.jsonl"
    assert list(config.pipelines) == ["baseline", "reranked"]
    assert config.pipelines["baseline"].python == "my_rag:baseline"
    assert config.targets == {"recall@5": 0.9}
    assert config.gate.min == {"faithfulness": 0.85}
    assert config.gate.max_drop == 0.03
    assert config.judge.budget_usd == 2.0
    assert config.folder == str(tmp_path)


def test_nothing_configured(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_config() is None
    assert load_config() == Config()


def test_found_above_and_in_pyproject(write, tmp_path, monkeypatch):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    write("[project]\nname = 'x'\n", "pyproject.toml")
    assert load_config() == Config()
    write("[tool.acidtest]\ngolden = 'g.jsonl'\n", "pyproject.toml")
    assert load_config().golden == "g.jsonl"
    write("golden = 'own.jsonl'")
    assert load_config().golden == "own.jsonl"
    assert load_config().folder == str(tmp_path)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("goldn = 'x'", UnknownName, "unknown key 'goldn'. Did you mean 'golden'?"),
        (
            "[judge]\nmodle = 'x'",
            UnknownName,
            "[judge]: unknown key 'modle'. Did you mean 'model'?",
        ),
        (
            "[pipelines.a]\npythn = 'x'",
            UnknownName,
            "[pipelines.a]: unknown key 'pythn'. Did you mean 'python'?",
        ),
        ("folder = 'x'", UnknownName, "unknown key 'folder'"),
        ("golden = 3", BadConfig, "acidtest.toml: golden: Expected 'str"),
        ("[targets]\nmrr = 'high'", BadConfig, "targets"),
        ("unanswerable = 'two'", BadConfig, "unanswerable"),
        ("pipelines = 3", BadConfig, "pipelines"),
        ("[pipelines.a]\nconcurrency = 0\npython = 'a:b'", BadConfig, "concurrency is 0"),
        ("[pipelines.a]\ntimeout_s = -1\npython = 'a:b'", BadConfig, "timeout_s is -1"),
        ("[pipelines.a]\nretries = -1\npython = 'a:b'", BadConfig, "retries is -1"),
        ("[pipelines.a]", BadConfig, "does not say what it is. Give exactly one of python"),
        ("[pipelines.a]\npython='x:y'\nhttp='http://h'", BadConfig, "has python and http"),
        ("[pipelines.a]\ncommand = []", BadConfig, "the command is empty"),
        ("[pipelines.a]\npython='x:y'\nheaders={A='b'}", BadConfig, "headers are for http"),
        ("golden = ", BadConfig, "not TOML"),
        (b"golden = '\xff'", BadConfig, "not UTF-8 (byte 10)"),
        ("[targets]\nmrr = nan", BadConfig, "targets.mrr: is nan. Give a finite number"),
        ("[gate]\nmin = { mrr = inf }", BadConfig, "gate.min.mrr: is inf"),
        ("[gate]\nmax_drop = nan", BadConfig, "gate.max_drop: is nan"),
        ("[gate]\nmax_drop = { mrr = -inf }", BadConfig, "gate.max_drop.mrr: is -inf"),
        ("[judge]\nbudget_usd = nan", BadConfig, "judge.budget_usd: is nan"),
        ("[judge]\nbudget_usd = -1", BadConfig, "[judge]: budget_usd is -1"),
        (f"[judge]\nmax_tokens = {2**62}", BadConfig, "Give 1000000000 or less"),
        ("[judge]\nbase_url = ''", BadConfig, "[judge]: base_url is empty"),
        ("[embedder]\nbase_url = ' '", BadConfig, "[embedder]: base_url is empty"),
        ("[judge.price]\ninput = -1\noutput = 2", BadConfig, "[judge.price]: input is -1"),
        (
            "[judge.prices.'a:b']\ninput = 1\noutput = 2\ncache_write = -3",
            BadConfig,
            "[judge.prices.a:b]: cache_write is -3.0. Give 0 or more.",
        ),
        (
            "[judge.price]\ninput = 1\noutptu = 2",
            UnknownName,
            "[judge.price]: unknown key 'outptu'. Did you mean 'output'?",
        ),
        (
            "[judge.prices.'a:b']\noutptu = 2",
            UnknownName,
            "[judge.prices.a:b]: unknown key 'outptu'",
        ),
        ('golden = "a\\u0000b"', BadConfig, "golden: holds a NUL character"),
        ('[targets]\n"a\\u0000" = 1', BadConfig, "targets: a key holds a NUL"),
        ("golden = 'a\0b'", BadConfig, "not TOML"),
        (f"[judge]\nmax_tokens = {'9' * 5000}", BadConfig, "cannot be read"),
        (f"[judge]\nmax_tokens = {'9' * 4000}", BadConfig, "max_tokens: the integer is too large"),
        (f"[judge]\nmax_tokens = 0x{'f' * 9000}", BadConfig, "the integer is too large"),
        (f"golden = {'[' * 100_000}", BadConfig, "nested too deeply"),
        (f"rubric.{'a.' * 2_000}b = 1", BadConfig, "nested too deeply"),
        ("# " + "x" * 1_000_000, BadConfig, "over 1,000,000 bytes"),
        (
            "[pipelines.a]\npython='x:y'\n[pipelines.b]\nconcurrency = 'x'\npython='x:y'",
            BadConfig,
            "acidtest.toml: [pipelines.b] concurrency: Expected 'int'",
        ),
        ("[judge]\ncoverage = 1.5", BadConfig, "coverage is 1.5"),
        ("[judge]\naudit = -0.1", BadConfig, "audit is -0.1"),
        ("[pipelines]\na = 3", BadConfig, "[pipelines] a: Expected 'object'"),
        ("[pipelines]\na = 'x.py:y'", BadConfig, "A pipeline is a table"),
        ("[gate]\nmin = { mrr = 0.5, recall = 'x' }", BadConfig, "[gate.min] recall: Expected"),
        ("[metrics]\na = ['mrr']\nb = [3]", BadConfig, "[metrics.b]"),
    ],
)
def test_what_cannot_be(write, text, error, message):
    path = write(text)
    with pytest.raises(AcidtestError) as caught:
        load_config(path)
    assert type(caught.value) is error
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_bom_and_crlf(write):
    assert load_config(write(b"\xef\xbb\xbfgolden = 'g'\r\n")).golden == "g"


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(BadConfig, match="acidtest init"):
        load_config(tmp_path / "acidtest.toml")
    with pytest.raises(BadConfig, match="cannot be read"):
        load_config(tmp_path)


def test_a_tool_table_that_is_none(write):
    with pytest.raises(BadConfig, match="not a table"):
        load_config(write("[tool]\nacidtest = 3", "pyproject.toml"))


def test_a_line_that_is_not_toml_is_named_like_a_line_of_any_file(write):
    path = write('golden = "golden.jsonl"\n[judge]\nmodel local\n')
    with pytest.raises(BadConfig) as caught:
        load_config(path)
    assert caught.value.where == f"{path}:3"
    assert caught.value.what == "not TOML: Expected '=' after a key in a key/value pair"
    assert caught.value.fix


@pytest.mark.parametrize("text", ["tool = 3", 'tool = "acidtest"', "[project]\nname = 'x'"])
def test_a_pyproject_whose_tools_are_no_table_is_none_of_ours(write, text):
    path = write(text, "pyproject.toml")
    assert find_config(path.parent) is None
    assert load_config(path).pipelines == {}
