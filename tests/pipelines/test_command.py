"""Commands as pipelines: real processes, answering, crashing, hanging and chattering."""

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.golden import Case, Turn
from acidtest.errors import BadConfig, PipelineError
from acidtest.pipelines import command as command_module
from acidtest.pipelines import process as process_module
from acidtest.pipelines.command import CommandPipeline
from acidtest.ports import PipelineOptions

CASE = Case(id="q1", question="hello", history=(Turn("user", "hi"),))
GOLD = (Chunk(id="g1", text="Gold text.", doc_id="d"),)

LOOP = """
import json, os, sys
for line in sys.stdin:
    q = json.loads(line)
    print(json.dumps({"id": q["id"], "answer": q["question"].upper(), "retrieved": ["c1"],
                      "usage": {"model": str(os.getpid())}}))
"""
ONCE = """
import json, os, sys
q = json.loads(sys.stdin.readline())
print(json.dumps({"answer": q["question"].upper(), "usage": {"model": str(os.getpid())}}))
"""
ECHO = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"answer": line, "retrieved": []}))
"""
START = "import json, os, sys, time\nfor line in sys.stdin:\n    q = json.loads(line)\n"


@pytest.fixture
def make(tmp_path):
    """Make a pipeline of a Python script; every process must be gone at the end."""
    made = []

    def of(script, **options):
        path = tmp_path / f"ask{len(made)}.py"
        path.write_text(script)
        pipeline = CommandPipeline(
            [sys.executable, "-S", path.name],
            name="p",
            folder=tmp_path,
            options=PipelineOptions(**{"timeout_s": 20, **options}),
        )
        made.append(path)
        return pipeline

    yield of
    running = [p for p in Path("/proc").glob("[0-9]*/cmdline") if b"ask" in read(p)]
    assert not [p for p in running if str(tmp_path) in cwd(p)]


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def cwd(path):
    try:
        return str((path.parent / "cwd").readlink())
    except OSError:
        return ""


async def ask(pipeline, case=CASE, **more):
    try:
        return await pipeline.ask(case, **more)
    finally:
        await pipeline.aclose()


async def failure(pipeline, **more):
    with pytest.raises(PipelineError) as caught:
        await ask(pipeline, **more)
    return caught.value


async def test_one_process_answers_one_question_after_another(make):
    pipeline = make(LOOP)
    answers = [await pipeline.ask(Case(id=str(n), question=f"q{n}")) for n in range(3)]
    await pipeline.aclose()
    assert [a.text for a in answers] == ["Q0", "Q1", "Q2"]
    assert answers[0].retrieved == (Chunk(id="c1", rank=1),)
    assert len({a.usage.model for a in answers}) == 1


async def test_a_script_that_answers_once_is_started_again(make):
    pipeline = make(ONCE)
    answers = [await pipeline.ask(Case(id=str(n), question=f"q{n}")) for n in range(3)]
    await pipeline.aclose()
    assert [a.text for a in answers] == ["Q0", "Q1", "Q2"]
    assert len({a.usage.model for a in answers}) == 3


@pytest.mark.parametrize("script", [LOOP, ONCE])
async def test_questions_at_once_get_processes_of_their_own(make, script):
    pipeline = make(script)
    cases = [Case(id=str(n), question=f"q{n}") for n in range(4)]
    for _ in range(2):
        answers = await asyncio.gather(*map(pipeline.ask, cases))
        assert [a.text for a in answers] == ["Q0", "Q1", "Q2", "Q3"]
        assert len({a.usage.model for a in answers}) == 4
    await pipeline.aclose()


async def test_the_question_is_one_line_of_json(make):
    odd = Case(id="q", question="two\nlines \u2028 \u00e9", history=CASE.history)
    answer = await ask(make(ECHO, k=4), odd, mode="golden-context", contexts=GOLD)
    assert answer.text == (
        '{"id": "q", "question": "two\\nlines \\u2028 \\u00e9", '
        '"history": [{"role": "user", "content": "hi"}], '
        '"contexts": [{"id": "g1", "text": "Gold text.", "doc_id": "d"}], "k": 4}\n'
    )
    assert [c.id for c in answer.retrieved] == ["g1"]


async def test_retrieval_only_is_told_and_held_to(make):
    searches = START + "    print(json.dumps({'retrieved': [q['mode']]}))\n"
    answer = await ask(make(searches), mode="retrieval-only")
    assert (answer.text, answer.retrieved[0].id) == (None, "retrieval-only")
    pipeline = make(LOOP)
    for _ in range(2):
        with pytest.raises(PipelineError, match="generated an answer"):
            await pipeline.ask(CASE, mode="retrieval-only")
    await pipeline.aclose()


async def test_a_relative_program_starts_in_the_folder(tmp_path):
    script = tmp_path / "ask"
    script.write_text('#!/bin/sh\nread line\necho "{\\"answer\\": \\"$(cat note.txt)\\"}"\n')
    script.chmod(0o755)
    (tmp_path / "note.txt").write_text("from the folder")
    pipeline = CommandPipeline(["./ask"], folder=tmp_path)
    assert pipeline.name == "ask"
    assert (await ask(pipeline)).text == "from the folder"


# ------------------------------------------------------------------------------- what goes wrong

CRASHES_ON_BAD = START + (
    "    if q['question'] == 'bad': sys.exit('no index\\nat all')\n"
    "    print(json.dumps({'answer': 'fine'}))\n"
)


async def test_a_crash_fails_its_case_and_the_next_one_goes_on(make):
    pipeline = make(CRASHES_ON_BAD)
    assert (await pipeline.ask(Case(id="q", question="good"))).text == "fine"
    with pytest.raises(PipelineError) as caught:
        await pipeline.ask(Case(id="q", question="bad"))
    assert (await pipeline.ask(Case(id="q", question="good"))).text == "fine"
    await pipeline.aclose()
    assert caught.value.detail == "no index\nat all\n"
    assert str(caught.value) == "pipeline 'p': it ended with status 1 before it answered: at all"


async def test_a_process_that_ends_without_an_answer(make):
    assert "it ended with status 0 before it answered" in str(await failure(make("pass")))


async def test_a_process_that_is_killed(make):
    script = START + "    os.kill(os.getpid(), 9)\n"
    assert "it was ended by SIGKILL before it answered" in str(await failure(make(script)))


async def test_a_process_that_hangs_is_killed_with_what_it_started(make, tmp_path):
    script = (
        "import subprocess\n"
        + START
        + "    child = subprocess.Popen(['sleep', '60'])\n"
        + "    open('child', 'w').write(str(child.pid))\n"
        + "    print('thinking', file=sys.stderr)\n"
        + "    time.sleep(60)\n"
    )
    pipeline = make(script, timeout_s=1.5)
    start = time.monotonic()
    error = await failure(pipeline)
    assert "no answer within 1.5 s" in str(error)
    assert error.detail == "thinking\n"
    assert time.monotonic() - start < 10
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not alive(child):
            break
        await asyncio.sleep(0.02)
    assert not alive(child)


def alive(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


async def test_a_process_that_never_reads_is_given_up(make):
    case = Case(id="q", question="x" * 1_000_000)
    pipeline = make("import time; time.sleep(60)", timeout_s=0.5)
    with pytest.raises(PipelineError, match="no answer within"):
        await pipeline.ask(case)
    await pipeline.aclose()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Loading the model...", "its reply is not JSON: bytes b'Loading the model...\\n'"),
        ("{", "not JSON"),
        ("[1]", "its reply is list of 1"),
        ('{"id": "other", "answer": "a"}', "its reply is to the question 'other', not 'q1'"),
        ('{"answer": null}', "holds no answer"),
        ('{"error": "no index"}', "it reported an error: no index"),
    ],
)
async def test_nonsense_is_refused(make, said, told):
    error = await failure(make(START + f"    print({said!r})\n"))
    assert told in str(error)


async def test_a_line_that_is_not_json_says_what_to_do(make):
    script = START + "    print('warming up', file=sys.stderr)\n    print('hello')\n"
    error = await failure(make(script))
    assert "flush it; everything else goes to stderr" in str(error)
    assert error.detail.endswith("warming up\n")


async def test_a_line_that_nobody_asked_for_is_noticed(make):
    script = START + "    print(json.dumps({'answer': 'a'}))\n    print('done')\n"
    pipeline = make(script)
    assert (await pipeline.ask(CASE)).text == "a"
    await asyncio.sleep(0.2)
    with pytest.raises(PipelineError, match="a line that was not asked for: done"):
        await pipeline.ask(CASE)
    assert (await pipeline.ask(CASE)).text == "a"
    await pipeline.aclose()


async def test_a_process_that_writes_without_end(make, monkeypatch):
    monkeypatch.setattr(process_module, "MAX_LINE", 100_000)
    monkeypatch.setattr(command_module, "MAX_LINE", 100_000)
    monkeypatch.setattr(command_module, "GRACE_S", 0.1)
    endless = START + "    while True: sys.stdout.write('x' * 10000)\n"
    assert "a line of over 100,000 bytes" in str(await failure(make(endless)))
    flood = START + "    while True: print(json.dumps({'answer': 'a'}))\n"
    assert (await ask(make(flood))).text == "a"


async def test_stderr_is_kept_in_part(make):
    script = START + "    sys.stderr.write('x' * 1000000 + 'the end')\n    sys.exit(3)\n"
    error = await failure(make(script))
    assert len(error.detail) == process_module.MAX_STDERR
    assert error.detail.endswith("the end")


async def test_retries_start_anew(make, tmp_path):
    script = START + (
        "    if not os.path.exists('seen'):\n"
        "        open('seen', 'w').close()\n"
        "        sys.exit(1)\n"
        "    print(json.dumps({'answer': 'second time'}))\n"
    )
    assert (await ask(make(script, retries=1))).text == "second time"


async def test_closing_lets_a_process_finish(make, tmp_path):
    script = LOOP + "open('finished', 'w').close()\n"
    await ask(make(script))
    assert (tmp_path / "finished").exists()


async def test_closing_kills_what_does_not_end(make, monkeypatch):
    monkeypatch.setattr(command_module, "GRACE_S", 0.1)
    start = time.monotonic()
    await ask(make(LOOP + "import time\ntime.sleep(60)\n"))
    assert time.monotonic() - start < 5


async def test_a_cancelled_question_leaves_no_process(make):
    pipeline = make(START + "    time.sleep(60)\n")
    task = asyncio.create_task(pipeline.ask(CASE))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await pipeline.aclose()


def script(tmp_path, name, text, mode=0o755):
    path = tmp_path / name
    path.write_text(text)
    path.chmod(mode)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["./missing"], "there is no program"),
        (["no-such-program-at-all"], "there is no program 'no-such-program-at-all'"),
        (["./locked"], "is not executable. Make it so: chmod +x"),
        (["./"], "there is no program"),
        ([], "the command is []"),
        ("./ask", "Write it as a list"),
        ([3], "the command is [3]"),
    ],
)
def test_a_command_that_cannot_be_is_refused_early(tmp_path, command, said):
    script(tmp_path, "locked", "#!/bin/sh\n", 0o644)
    with pytest.raises(BadConfig) as caught:
        CommandPipeline(command, folder=tmp_path)
    assert said in str(caught.value)


def test_a_missing_folder_is_refused_early(tmp_path):
    with pytest.raises(BadConfig, match=r"the working folder .* is not there"):
        CommandPipeline([sys.executable], folder=tmp_path / "missing")


@pytest.mark.parametrize(
    ("text", "said"),
    [("#!/no/such/interpreter\n", "the interpreter in its first line"), ("echo\n", "#!/bin/sh")],
)
async def test_a_program_that_does_not_start_is_not_repeated(tmp_path, text, said):
    script(tmp_path, "ask", text)
    pipeline = CommandPipeline(["./ask"], folder=tmp_path, options=PipelineOptions(retries=3))
    error = await failure(pipeline)
    assert "'./ask' cannot be started" in str(error)
    assert said in str(error)


def test_the_fingerprint_knows_command_and_script_but_no_folder(tmp_path):
    prints = []
    for folder, text in (("a", "echo 1"), ("b", "echo 1"), ("c", "echo 2")):
        (tmp_path / folder).mkdir()
        script(tmp_path / folder, "ask", text)
        prints.append(CommandPipeline(["./ask"], folder=tmp_path / folder).fingerprint)
    assert prints[0] == prints[1] != prints[2]


def test_the_environment_is_handed_on(tmp_path):
    pipeline = CommandPipeline([sys.executable], environ={"X": "1", "PATH": os.environ["PATH"]})
    assert pipeline._environ["X"] == "1"
