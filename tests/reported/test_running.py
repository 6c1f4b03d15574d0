"""Ways of running in which evaluators are known to lose, mix up or stall: order, failures, loops, names, money."""

import asyncio
import subprocess
import sys
import textwrap
import time

import pytest
from tests.judges.stub import says
from tests.reported.said import claims, completion

import acidtest as at

CASES = [{"id": str(n), "question": f"q{n}?", "reference": f"a{n}"} for n in range(5)]
METRICS = ["exact_match"]
PRICED = "[judge.price]\ninput = 2.0\noutput = 10.0\n"


async def test_cases_that_finish_in_reverse_stand_in_the_order_of_the_input(folder):
    finished = []

    async def pipeline(question):
        await asyncio.sleep((5 - int(question[1])) * 0.02)
        finished.append(question)
        return question.replace("q", "a").strip("?")

    options = at.PipelineOptions(concurrency=5)
    run = await at.aevaluate(pipeline, CASES, METRICS, options=options)
    assert finished == [f"q{n}?" for n in (4, 3, 2, 1, 0)]
    assert [case.id for case in run.cases] == ["0", "1", "2", "3", "4"]
    assert [case.answer for case in run.cases] == ["a0", "a1", "a2", "a3", "a4"]
    assert run.metrics["exact_match"].mean == 1.0


def answer(question):
    return question.replace("q", "a").strip("?")


async def aanswer(question):
    return answer(question)


def test_the_third_of_five_raises_and_four_are_kept(folder):
    def pipeline(question):
        if question == "q2?":
            raise ValueError("no luck")
        return answer(question)

    run = at.evaluate(pipeline, CASES, METRICS)
    outcomes = [case.scores["exact_match"] for case in run.cases]
    assert [type(each) for each in outcomes] == [at.Score, at.Score, at.Failure, at.Score, at.Score]
    assert "ValueError: no luck" in outcomes[2].why
    summary = run.metrics["exact_match"]
    assert (summary.scored, summary.failed, summary.mean) == (4, 1, 1.0)


def test_sync_and_async_give_the_same(folder):
    def scores(run):
        return [(case.id, case.answer, case.scores) for case in run.cases]

    sync = at.evaluate(answer, CASES, METRICS)
    assert scores(at.evaluate(aanswer, CASES, METRICS)) == scores(sync)
    assert scores(asyncio.run(at.aevaluate(answer, CASES, METRICS))) == scores(sync)
    assert scores(asyncio.run(at.aevaluate(aanswer, CASES, METRICS))) == scores(sync)


def test_a_metric_that_fits_no_case_is_no_pass(folder, cli):
    (folder / "golden.jsonl").write_text('{"id": "one", "question": "q?"}\n')
    (folder / "o.jsonl").write_text('{"id": "one", "answer": "yes"}\n')
    files = ("--golden", "golden.jsonl", "--outputs", "o.jsonl")
    alone = cli(*files, "-m", "exact_match")
    assert alone.status == 3
    assert "nothing was scored" in alone.err
    floored = cli(
        *files, "-m", "exact_match", "-m", "abstention_accuracy", "--min", "exact_match=0"
    )
    assert floored.status == 3
    assert "INCONCLUSIVE exact_match: nothing was scored" in floored.err
    assert floored.run.metrics["exact_match"].mean is None


async def test_it_works_inside_a_running_loop_again_and_again(folder):
    for _ in range(2):
        run = at.evaluate(aanswer, CASES, METRICS)
        assert run.metrics["exact_match"].mean == 1.0
    assert await asyncio.sleep(0, "the loop is still there") == "the loop is still there"


def test_plain_pytest_with_the_package_merely_installed_is_left_alone(folder):
    (folder / "test_own.py").write_text(
        textwrap.dedent(
            """
            import sys
            def test_nothing_of_it_was_imported():
                assert "acidtest.pytest_plugin" in sys.modules
                heavy = [n for n in sys.modules if n.split(".")[0] == "acidtest"
                         and n not in ("acidtest", "acidtest.pytest_plugin")]
                assert heavy == []
            """
        )
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", "."],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
    assert "acidtest" not in done.stdout + done.stderr
    assert [path.name for path in folder.iterdir() if path.suffix != ".py"] in ([], ["__pycache__"])


def test_without_names_on_the_network_nothing_stalls(folder):
    (folder / "script.py").write_text(
        textwrap.dedent(
            """
            import socket, time
            def getaddrinfo(*args, **kwargs):
                print("LOOKED UP", args[0], flush=True)
                time.sleep(60)
            socket.getaddrinfo = socket.gethostbyname = getaddrinfo
            import acidtest as at
            case = {"id": "one", "question": "What does Pro cost?", "reference": "€49"}
            run = at.evaluate(
                lambda question: {"answer": "Pro costs €49.", "contexts": ["Pro costs €49 a month."]},
                [case], ["faithfulness", "context_recall", "token_f1"])
            print(run.metrics["faithfulness"].mean)
            """
        )
    )
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "1.0\n", done.stderr
    assert time.monotonic() - began < 30


def test_an_unknown_host_of_a_judge_is_told_and_does_not_stall(folder, monkeypatch, cli):
    def unknown(*args, **kwargs):
        raise OSError(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", unknown)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://nowhere.invalid/v1")
    (folder / "golden.jsonl").write_text('{"id": "one", "question": "q?"}\n')
    (folder / "o.jsonl").write_text('{"id": "one", "answer": "yes"}\n')
    files = ("--golden", "golden.jsonl", "--outputs", "o.jsonl")
    began = time.monotonic()
    done = cli(*files, "-m", "faithfulness", "--judge", "openai:m")
    assert done.status == 3
    assert "the host nowhere.invalid is not known" in done.err
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(("config", "cost"), [(PRICED, 0.0004), ("", None)])
async def test_a_model_of_ones_own_costs_what_was_said_and_else_unknown(
    judged, folder, config, cost
):
    (folder / "acidtest.toml").write_text(config)
    got = await judged(completion(claims(["supported"]), tokens=20), judge="openai:my-own-model")
    use = got.run.operations.judge
    assert (use.calls, use.tokens) == (1, 120)
    assert use.cost_usd == (None if cost is None else pytest.approx(cost))
    assert (b'"cost_usd": null' in got.run.to_json()) == (cost is None)


async def test_a_retried_case_is_paid_for_once_more(judged, folder):
    (folder / "acidtest.toml").write_text(PRICED)
    got = await judged("no verdict at all", claims(["supported"]), judge="openai:my-own-model")
    assert got.run.operations.judge.cost_usd == pytest.approx(2 * 0.0004)
    refused = says({"error": {"message": "no"}}, 400)
    failed = await judged(refused, judge="openai:another")
    assert isinstance(failed.score, at.Failure)
    assert failed.run.operations.judge.cost_usd == 0.0


class GeneratorDown:
    """A pipeline that retrieves, and whose generator fails."""

    def retrieve(self, question):
        return [{"id": "c1", "text": "Pro costs €49 a month."}]

    def generate(self, question, contexts):
        raise ConnectionError("the model is gone")


@pytest.mark.parametrize(
    ("metric", "reference", "scored"),
    [
        ("recall@5", "€49", True),
        ("token_recall", "€49", True),
        ("context_recall", "€49", True),
        ("context_relevance", "€49", True),
        ("context_relevance", None, True),
        ("context_precision_judged", "€49", True),
        ("context_precision_judged", None, False),
        ("context_usefulness", "€49", False),
        ("context_use", "€49", True),
        ("answer_in_context", "€49", False),
        ("faithfulness", "€49", False),
        ("correctness", "€49", False),
    ],
)
async def test_what_was_retrieved_is_judged_though_the_generator_failed(
    judged, folder, metric, reference, scored
):
    rubric = '[rubric.{}]\ncriteria = "Any use?"\nstage = "retrieval"\ninputs = {}\nscale = {{ y = 1, n = 0 }}\n'
    (folder / "acidtest.toml").write_text(
        rubric.format("context_use", '["question", "contexts", "reference"]')
        + rubric.format("answer_in_context", '["answer", "contexts"]')
    )
    case = {
        "id": "one",
        "question": "What does Pro cost?",
        "relevant": ["c1"],
        "evidence": ["Pro €49"],
    }
    if reference:
        case["reference"] = reference
    got = await judged(metric=metric, golden=[case], pipeline=GeneratorDown())
    assert isinstance(got.score, at.Score if scored else at.Failure)
    assert scored or "ConnectionError: the model is gone" in got.score.why
