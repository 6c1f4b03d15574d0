"""Panels, cascades, own judges, budgets and deadlines from the command line, over HTTP."""

import json
import os
import re
import subprocess
import sys
import time

import pytest
from tests.judges.stub import Threaded, chat, instance, says

from acidtest.store.runs import Store

CLAIMS = ("-m", "faithfulness")
RUBRIC = ("-m", "answer_relevance")
PRICE = "[judge.price]\ninput = 100.0\noutput = 100.0\n"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in os.environ:
        if re.match("OPENAI|ACIDTEST|GEMINI|GOOGLE|ANTHROPIC", name):
            monkeypatch.delenv(name)


@pytest.fixture
def serve(monkeypatch):
    """Serve models: `contrary` always chooses the last word of a list, the others the first."""
    opened = []

    def start(*script, **options):
        endpoint = Threaded(*(script or (model,)), **options)
        endpoint.__enter__()
        opened.append(endpoint)
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        return endpoint

    yield start
    for endpoint in opened:
        endpoint.__exit__()


def model(asked):
    if asked.method == "GET":
        return says({"data": [{"id": "m"}]})
    if asked.path.endswith("/embeddings"):
        texts = asked.json["input"]
        data = [{"index": n, "embedding": [1.0, float(n)]} for n in range(len(texts))]
        return says({"data": data, "usage": {"prompt_tokens": 10 * len(texts)}})
    reply = chat(asked)
    if asked.json["model"] != "contrary":
        return reply
    schema = asked.json["response_format"]["json_schema"]["schema"]
    body = json.loads(reply.body)
    said = instance(schema)
    said["verdict"] = schema["properties"]["verdict"]["enum"][-1]
    body["choices"][0]["message"]["content"] = json.dumps(said)
    return says(body)


def asked_of(endpoint, name=None):
    posts = [asked.json for asked in endpoint.stub.asked if asked.method == "POST"]
    return [body for body in posts if name is None or body["model"] == name]


def configure(project, text):
    head = 'golden = "golden.jsonl"\n[pipelines.p]\npython = "my_rag.py:starter"\n'
    (project / "acidtest.toml").write_text(head + text)


def judge_use(done):
    assert done.status == 0, done.err
    return done.json["operations"]["judge"]


def test_a_cascade_asks_the_model_what_the_local_judge_leaves_open(project, cli, serve):
    endpoint = serve()
    done = cli("run", "--judge", "local > openai:m", *CLAIMS, *RUBRIC, "--json")
    use = judge_use(done)
    cascade = use["cascade"]
    assert done.json["run"]["judge"]["model"] == "local > m"
    assert 0 < cascade["spared"] < cascade["asked"]
    assert len(asked_of(endpoint)) == cascade["asked"] - cascade["spared"]
    assert use["calls"] == len(asked_of(endpoint))  # the local judge is not called
    assert (cascade["audited"], use["panel"]) == (0, None)
    failed = [m["failed"] for m in done.json["metrics"].values()]
    assert failed == [0, 0]

    # The same questions are known when the model is asked alone, and the other way round.
    before = len(asked_of(endpoint))
    alone = judge_use(cli("run", "--judge", "openai:m", *CLAIMS, *RUBRIC, "--json"))
    assert alone["cached"] == before
    assert alone["cascade"] is None
    again = judge_use(cli("run", "--judge", "local > openai:m", *CLAIMS, *RUBRIC, "--json"))
    assert (again["calls"], again["cached"]) == (0, before)
    assert again["cascade"] == cascade
    shown = cli("run", "--judge", "local > openai:m", *CLAIMS, *RUBRIC).out
    share = cascade["spared"] / cascade["asked"]
    assert re.search(
        rf"Cascade +{share:.0%} of {cascade['asked']} prompts spared the last judge", shown
    )


def test_an_audit_says_how_often_both_agree(project, cli, serve):
    endpoint = serve()
    configure(project, '[judge]\nmodel = "local > openai:m"\naudit = 1.0\n')
    done = cli("run", *CLAIMS, "--json")
    cascade = judge_use(done)["cascade"]
    assert cascade["spared"] == 0
    assert 0 < cascade["audited"] <= cascade["asked"] == len(asked_of(endpoint))
    assert cascade["agreed"] <= cascade["audited"]
    share = cascade["agreed"] / cascade["audited"]
    assert f"audited {cascade['audited']}, agreed on {share:.0%}" in cli("run", *CLAIMS).out


def test_a_panel_shows_its_dissent_in_each_case_and_over_all(project, cli, serve):
    endpoint = serve()
    panel = "openai:m + openai:n + openai:contrary"
    done = cli("run", "--judge", panel, *RUBRIC, "--json")
    use = judge_use(done)
    scored = [c["scores"]["answer_relevance"] for c in done.json["cases"]]
    reasons = [s["reason"] for s in scored if "value" in s]
    assert reasons
    assert all(re.search(r"\(2 of 3 judges; 1 \w+\)", reason) for reason in reasons)
    asked = len(asked_of(endpoint, "m"))
    assert use["calls"] == 3 * asked
    assert use["panel"] == {"answer_relevance": {"voted": asked, "unanimous": 0}}
    shown = cli("run", "--judge", panel, *RUBRIC).out
    assert re.search(rf"Panel +of one mind on 0% of {asked} verdicts", shown)
    alike = judge_use(cli("run", "--judge", "openai:m + openai:n", *RUBRIC, "--json"))
    assert alike["panel"] == {"answer_relevance": {"voted": asked, "unanimous": asked}}
    assert (alike["calls"], alike["cached"]) == (0, 2 * asked)


def test_the_local_judge_in_a_panel_has_no_vote_on_what_it_leaves_open(project, cli, serve):
    serve()
    done = cli("run", "--judge", "local + openai:m", *CLAIMS, *RUBRIC, "--json")
    assert done.status == 0, done.err
    assert [m["failed"] for m in done.json["metrics"].values()] == [0, 0]
    assert done.json["metrics"]["answer_relevance"]["scored"] > 0


def test_an_own_judge_by_name(project, cli):
    (project / "judges").mkdir()
    (project / "judges" / "mine.py").write_text(
        "def rule(prompt, fields):\n    return {'why': 'by rule', 'verdict': 'partial'}\n"
    )
    named = cli("run", "--judge", "judges/mine.py:rule", *RUBRIC, "--json")
    assert named.json["metrics"]["answer_relevance"]["mean"] == pytest.approx(0.7)
    configure(project, '[judge]\nmodel = "local > judges/mine.py:rule"\n')
    done = cli("run", *RUBRIC, "--json")
    assert done.json["metrics"]["answer_relevance"]["mean"] == pytest.approx(0.7)
    assert judge_use(done)["cached"] > 0
    assert "rule" in done.json["run"]["judge"]["model"]
    doctor = cli("doctor")
    assert re.search(r"ok +judge +local > \S*rule", doctor.out)


def test_a_judge_s_file_is_not_written_over(project, cli):
    text = "def judge(prompt, fields):\n    return {'why': '', 'verdict': 'partial'}\n"
    (project / "mine.py").write_text(text)
    refused = cli("run", "--judge", "local > mine.py:judge", *RUBRIC, "--json", "mine.py")
    assert refused.status == 2
    assert "judge's file" in refused.err
    configure(project, '[judge]\nmodel = "mine.py:judge"\n')
    assert cli("run", *RUBRIC, "--html", "mine.py").status == 2
    assert (project / "mine.py").read_text() == text


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("local >", "names no judge after '>'"),
        ("+", "names no judge before '+'"),
        ("> a", "names no judge before '>'"),
        ("local + local", "names local twice"),
        ("opnai:m", "Did you mean 'openai:m'?"),
        ("local > opnai:m", "Did you mean 'openai:m'?"),
        ("my_rag.py:nothing", "unknown object 'nothing'"),
        ("raises.py:judge", "raises.py:1"),
        ("gone.py:judge", "there is no file"),
        ("my_rag.py:", "no address of an object"),
        ("numbers.py:judge", "cannot be a judge"),
        ("local > openai:m", "no key for openai"),
    ],
)
def test_names_that_cannot_be_are_told_in_words(project, cli, name, message):
    (project / "raises.py").write_text("1 / 0\n")
    (project / "numbers.py").write_text("judge = 3\n")
    done = cli("run", "--judge", name, *CLAIMS)
    assert done.status == 2
    assert message in done.err
    assert not (project / ".acidtest").exists()
    configure(project, f"[judge]\nmodel = {json.dumps(name)}\n")
    assert cli("run", *CLAIMS).status == 2
    doctor = cli("doctor")
    assert doctor.status == 1
    assert message in doctor.out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("audit = 1.5", "audit is 1.5"),
        ("audit = -0.1", "audit is -0.1"),
        ("budget_tokens = -1", "budget_tokens is -1"),
        ("budget_tokens = 1.5", "budget_tokens"),
        ("run_timeout_s = 0", "run_timeout_s is 0"),
        ("timeout_s = 0", "timeout_s is 0"),
        ("max_tokens = 0", "max_tokens is 0"),
        ('prices."openai:m" = { input = 1.0, outptu = 1.0 }', "Did you mean 'output'?"),
        ('prices."openai:m" = { input = 1.0 }', "output"),
    ],
)
def test_settings_that_cannot_be(project, cli, line, message):
    configure(project, f"[judge]\n{line}\n")
    done = cli("run", *CLAIMS)
    assert done.status == 2
    assert message in done.err


def test_a_budget_holds_over_all_executions_of_a_run(project, cli, serve):
    endpoint = serve()
    configure(project, PRICE)
    command = ("run", "--judge", "openai:m", *CLAIMS, *RUBRIC, "--concurrency", "2")
    stopped = cli(*command, "--budget-usd", "0.25")
    assert stopped.status == 3
    assert re.search(r"budget of \$0.25 is used up: \$0.\d+ spent", stopped.err)
    assert asked_of(endpoint)
    for _ in range(3):  # until what was in flight is not only expected but known to be too much
        asked = len(asked_of(endpoint))
        again = cli(*command, "--budget-usd", "0.25")
        assert again.status == 3
        assert "Going on with run" in again.err
    assert len(asked_of(endpoint)) == asked
    spent = float(re.search(r"\$([\d.]+) spent\.", again.err)[1])
    most = max(len(json.dumps(body)) for body in asked_of(endpoint)) / 4 * 100 / 1e6 * 1.5
    assert 0.25 <= spent <= 0.25 + 2 * most
    done = cli(*command, "--budget-usd", "50", "--json")
    use = judge_use(done)
    assert use["calls"] == len(asked_of(endpoint)) > asked
    assert use["cost_usd"] > spent


def test_a_budget_is_shared_by_the_pipelines_of_a_command(project, cli, serve):
    endpoint = serve()
    configure(project, f'[pipelines.q]\npython = "my_rag.py:starter"\n{PRICE}')
    command = ("--judge", "openai:m", *RUBRIC, "--no-cache", "--concurrency", "1", "--json")
    whole = cli("run", "p", *command)
    cost = judge_use(whole)["cost_usd"]
    both = cli("run", "p", "q", "--budget-usd", str(cost * 1.5), *command)
    assert both.status == 3
    assert len(asked_of(endpoint)) < 3 * judge_use(whole)["calls"]
    with Store(str(project / ".acidtest" / "store.db")) as store:
        newest, *_ = store.all_runs()
    assert (newest.info.name, newest.info.status) == ("q", "interrupted")
    assert 0 < newest.judge_use.cost_usd < cost


def test_a_budget_of_nothing_serves_what_is_known(project, cli, serve):
    endpoint = serve()
    configure(project, PRICE)
    command = ("run", "--judge", "local > openai:m", *RUBRIC, "--budget-usd", "0")
    refused = cli(*command)
    assert refused.status == 3
    assert "$0 is used up: $0 spent" in refused.err
    assert asked_of(endpoint) == []
    assert cli("run", "--judge", "openai:m", *RUBRIC).status == 0
    assert cli(*command, "--fresh").status == 0


def test_a_budget_in_tokens(project, cli, serve):
    endpoint = serve()
    configure(project, "[judge]\nbudget_tokens = 1000\n")
    done = cli("run", "--judge", "openai:m", *RUBRIC, "--concurrency", "1")
    assert done.status == 3
    assert re.search(r"the budget of 1,000 tokens is used up: 1,\d{3} spent", done.err)
    assert 1 < len(asked_of(endpoint)) < 8


def test_what_the_endpoint_does_not_count_stops_a_budget(project, cli, serve):
    def silent(asked):
        reply = model(asked)
        if asked.method == "GET":
            return reply
        body = json.loads(reply.body)
        del body["usage"]
        return says(body)

    endpoint = serve(silent)
    configure(project, PRICE)
    done = cli("run", "--judge", "openai:m", *RUBRIC, "--budget-usd", "9", "--concurrency", "1")
    assert done.status == 3
    assert "price of a call is unknown" in done.err
    assert len(asked_of(endpoint)) == 1
    configure(project, "[judge]\nbudget_tokens = 100000\n")
    done = cli("run", "--judge", "openai:m", *RUBRIC, "--fresh", "--concurrency", "1")
    assert done.status == 3
    assert "it does not say how many tokens a call took" in done.err
    assert len(asked_of(endpoint)) == 2


def test_embedding_counts_in_the_budget(project, cli, serve):
    serve()
    configure(project, '[embedder]\nmodel = "openai:m"\nusd_per_million_tokens = 1000.0\n')
    command = ("run", "-m", "semantic_similarity", "--concurrency", "1")
    stopped = cli(*command, "--budget-usd", "0.05")
    assert stopped.status == 3
    assert "embedder m: the budget of $0.05 is used up" in stopped.err
    done = cli(*command, "--budget-usd", "5", "--json")
    took = judge_use(done)["embedding"]
    assert took["cost_usd"] == pytest.approx(took["tokens"] / 1000)
    shown = cli(*command, "--fresh").out
    assert re.search(rf"Embedding +{took['tokens']} tokens, \$", shown)
    assert "Judge " not in shown


def test_a_deadline_ends_a_run_and_the_same_command_goes_on(project, cli, serve):
    endpoint = serve(latency_s=0.2)
    configure(project, "[judge]\nrun_timeout_s = 0.5\n")
    command = ("run", "--judge", "openai:m", *RUBRIC, "--concurrency", "1")
    done = cli(*command)
    assert done.status == 3
    assert "0.5 s that the run's calls may take are over" in done.err
    assert 0 < len(asked_of(endpoint)) < 6
    statuses = [cli(*command).status for _ in range(8)]
    assert statuses[-1] == 0


def test_an_embedder_that_is_not_there_is_told_before_anything_is_asked(project, cli, serve):
    configure(
        project,
        '[embedder]\nmodel = "e"\nbase_url = "http://127.0.0.1:9/v1"\n[judge]\nmodel="local"',
    )
    done = cli("run", "-m", "semantic_similarity")
    assert done.status == 3
    assert "no connection to 127.0.0.1:9" in done.err
    assert not (project / ".acidtest").exists()
    doctor = cli("doctor")
    assert doctor.status == 1
    assert re.search(r"broken +embedder +http://127.0.0.1:9: no connection", doctor.out)
    configure(project, '[embedder]\nmodel = "openai:e"\n')
    assert "no key for openai" in cli("doctor").out
    serve()
    assert re.search(r"warning +embedder +\S+ does not list the model 'e'", cli("doctor").out)
    assert "does not list the model 'e'" in cli("run", "-m", "semantic_similarity").err


def test_every_part_is_looked_up_first(project, cli, serve):
    endpoint = serve()
    done = cli("run", "--judge", "openai:m > openai:n", *RUBRIC, "--limit", "2")
    assert done.status == 0, done.err
    assert "does not list the model 'n'" in done.err
    assert "does not list the model 'm'" not in done.err
    endpoint.stub.script = [says({"error": {"message": "no"}}, status=401)]
    refused = cli("run", "--judge", "local > openai:m", *RUBRIC, "--fresh")
    assert refused.status == 3
    assert "Check the API key" in refused.err


def test_all_in_flight_is_never_more_than_the_limit(project, cli, serve):
    one, other = serve(latency_s=0.02), serve(latency_s=0.02)
    configure(project, f'[judge]\nmodel = "m > openai:n"\nbase_url = "{one.url}"\n')
    peaks = []

    def watched(asked):
        peaks.append(one.stub.in_flight + other.stub.in_flight)
        return model(asked)

    one.stub.script = other.stub.script = [watched]
    done = cli("run", "--judge", "m + openai:n", *RUBRIC, "--concurrency", "2")
    assert done.status == 0, done.err
    assert asked_of(one)
    assert asked_of(other)
    assert max(peaks) <= 2


def test_no_terminal_obeys_the_names_that_an_endpoint_lists(project, cli, serve):
    endpoint = serve()
    configure(project, f'[judge]\nmodel = "m"\nbase_url = "{endpoint.url}"\n')

    def listed(asked):
        return says({"data": [{"id": "\x1b]0;x\x07"}]}) if asked.method == "GET" else model(asked)

    endpoint.stub.script = [listed]
    done = cli("run", *RUBRIC)
    assert done.status == 0, done.err
    assert "does not list the model 'm'" in done.err
    assert not {"\x1b", "\x07"} & set(done.err)


@pytest.mark.slow
def test_what_was_spent_before_a_kill_counts(project, serve):
    endpoint = serve(latency_s=0.1)
    configure(project, PRICE)
    command = [sys.executable, "-m", "acidtest", "run", "--judge", "openai:m", *RUBRIC]
    limits = ["--concurrency", "1", "--budget-usd"]
    process = subprocess.Popen(
        [*command, *limits, "9"], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    patience = time.monotonic() + 60
    while len(asked_of(endpoint)) < 5 and time.monotonic() < patience:
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=60)
    with Store(str(project / ".acidtest" / "store.db")) as store:
        (run,) = store.all_runs()
    assert run.info.status == "running"
    # The last calls before the kill may be missing: their results were not stored.
    assert 2 <= run.judge_use.calls <= 5
    spent = run.judge_use.cost_usd
    before = len(asked_of(endpoint))
    again = subprocess.run(
        [*command, *limits, f"{spent:.6f}"], cwd=project, capture_output=True, text=True
    )
    assert again.returncode == 3
    assert f"${spent:.4f} spent" in again.stderr
    assert len(asked_of(endpoint)) == before
