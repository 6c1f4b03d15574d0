"""The public path for inputs that evaluators are known to stumble over: a case, a model over HTTP, a score."""

import json
import sqlite3
import sys
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from tests.judges.stub import Threaded, chat, serving
from tests.reported.said import beside_models, completion

import acidtest as at
from acidtest.cli import main

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")
PASSAGE = "The Pro plan costs €49/month and includes priority support."


@dataclass(frozen=True)
class Judged:
    """What came of it: the run, the score of its first case, and the requests that the model got."""

    run: at.Run
    metric: str
    asked: list

    @property
    def score(self):
        return self.run.cases[0].scores[self.metric]

    @property
    def questions(self):
        return [asked.json for asked in self.asked if asked.method == "POST"]

    @property
    def verdict(self):
        """The verdict that the store kept."""
        with sqlite3.connect(".acidtest/store.db") as store:
            ((body,),) = store.execute("SELECT body FROM verdicts ORDER BY created, key LIMIT 1")
        store.close()
        return SimpleNamespace(**json.loads(body))


def answering(text, contexts):
    def pipeline(question):
        return {"answer": text, "contexts": contexts}

    return pipeline


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder without configuration, and an environment without keys."""
    monkeypatch.chdir(tmp_path)
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def judged(folder, monkeypatch):
    """Score one case with one metric, judged by a model that replies what it is told, over HTTP."""

    async def judge(
        *replies,
        metric="faithfulness",
        answer="The Pro plan is €49/month.",
        contexts=(PASSAGE,),
        reference="It costs €49 a month.",
        **settings,
    ):
        case = {"id": "one", "question": "What does Pro cost?"}
        if reference is not None:
            case["reference"] = reference
        script = [completion(said) if isinstance(said, str) else said for said in replies]
        async with serving(beside_models(*(script or [chat]))) as endpoint:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{endpoint.origin}/v1")
            settings.setdefault("judge", "openai:stub")
            pipeline = settings.pop("pipeline", None) or answering(answer, list(contexts))
            run = await at.aevaluate(
                pipeline, settings.pop("golden", [case]), metrics=[metric], **settings
            )
            return Judged(run, metric, endpoint.asked)

    return judge


@pytest.fixture
def cli(folder, monkeypatch, capsys):
    """`acidtest run` here, in this process; `run` is what it wrote, if it wrote a run."""

    def call(*arguments):
        argv = ["acidtest", "run", "--json", "run.json", *map(str, arguments)]
        monkeypatch.setattr(sys, "argv", argv)
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        written = (folder / "run.json").exists()
        run = at.load_run("run.json") if written else None
        return SimpleNamespace(status=left.value.code, err=err, run=run)

    return call


@pytest.fixture
def cli_over(cli, monkeypatch):
    """`acidtest run` on golden.jsonl and outputs.jsonl, judged by a model over HTTP."""

    def call(script, *arguments):
        with Threaded(beside_models(script)) as endpoint:
            monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
            files = ("--golden", "golden.jsonl", "--outputs", "outputs.jsonl")
            return cli(*files, "--judge", "openai:stub", *arguments)

    return call
