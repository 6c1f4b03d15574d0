"""Crossing real pipelines: what is asked and what not, what a kill costs, and what cannot be crossed."""

import asyncio
import json
import subprocess
import sys
from collections import Counter

import pytest
from msgspec.structs import replace

import acidtest as at
from acidtest.data.golden import Turn
from acidtest.errors import Incomparable, UsageError
from acidtest.judges.local.judge import LocalJudge
from acidtest.project.config import load_config
from acidtest.project.cross import crossed
from acidtest.project.stores import pick
from acidtest.store.runs import Store

CASES = 20

RAG = '''
import os

class Rag:
    """Finds the passage of some items, and copies or invents."""

    def __init__(self, name, finds, copies):
        self.name, self.finds, self.copies = name, finds, copies

    def retrieve(self, question):
        n = int(question.split()[-1].rstrip("?"))
        if self.finds(n):
            return [{"id": f"item#{n}", "text": f"Item {n} costs {n + 10} euros."}]
        return [{"id": "hours#0", "text": "The shop opens at nine."}]

    def generate(self, question, contexts):
        n = int(question.split()[-1].rstrip("?"))
        if os.path.exists("die") and n == 11:
            os._exit(9)
        with open("calls", "a") as calls:
            print(self.name, n, file=calls)
        found = contexts[0]["id"] == f"item#{n}"
        return contexts[0]["text"] if found and self.copies(n) else "It is free of charge."

half, most = (lambda n: n % 2 == 0), (lambda n: n % 10 != 0)
old = Rag("old", half, half)
finder = Rag("finder", most, half)
copier = Rag("copier", half, most)
both = Rag("both", most, most)
twin = Rag("twin", half, half)

class Deaf(Rag):
    def generate(self, question, contexts):
        own = self.retrieve(question)
        return {"answer": super().generate(question, own), "contexts": own}

deaf = Deaf("deaf", most, most)
'''

CONFIG = "".join(
    f'[pipelines.{name}]\npython = "rag.py:{name}"\nconcurrency = 1\n'
    for name in ("old", "finder", "copier", "both", "twin", "deaf")
)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rag.py").write_text(RAG)
    (tmp_path / "acidtest.toml").write_text('golden = "golden.jsonl"\n' + CONFIG)
    rows = [
        {
            "id": f"c{n}",
            "question": f"What is the price of item {n}?",
            "reference": f"Item {n} costs {n + 10} euros.",
            "relevant": {f"item#{n}": 1},
        }
        for n in range(CASES)
    ]
    (tmp_path / "golden.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


@pytest.fixture
def store(here):
    with Store(str(here / "store.db")) as opened:
        yield opened


@pytest.fixture
def asked(here):
    """Count the calls of generators since last asked."""

    def count():
        calls = here / "calls"
        found = Counter(calls.read_text().splitlines()) if calls.exists() else Counter()
        calls.unlink(missing_ok=True)
        return found

    return count


@pytest.fixture
def evaluated(here, store, asked):
    async def run(name, golden="golden.jsonl", **settings):
        from acidtest.pipelines.load import load_pipeline
        from acidtest.ports import PipelineOptions

        settings = {
            "metrics": ["recall@5", "exact_match", "faithfulness"],
            "judge": "local",
        } | settings
        pipeline = load_pipeline(
            f"rag.py:{name}", base=here, name=name, options=PipelineOptions(concurrency=1)
        )
        done = await at.aevaluate(pipeline, golden, store=store, **settings)
        asked()
        return done

    return run


def config():
    return load_config()


@pytest.mark.parametrize(
    ("candidate", "parts"),
    [("twin", (0, 0)), ("finder", (-0.1, 0)), ("copier", (0, -0.1)), ("both", (0.2, 0.2))],
)
async def test_each_stage_gets_what_it_did(evaluated, store, candidate, parts):
    """Found and copied means right: old 10 of 20, both 18 of 20; half of it is the interaction's.

    `half` is even numbers, `most` all but every tenth: 10 and 18 of 20, 8 in both, 2 in `half` alone.
    Alone, each of the two new stages loses these 2 and gains nothing: -0.1. Together: +0.4.
    """
    base, other = await evaluated("old"), await evaluated(candidate)
    result = await crossed(config(), base, other, store=store, judge="local")
    split = result.splits["exact_match"]
    assert split.delta == pytest.approx(other.metrics["exact_match"].mean - 0.5)
    assert split.retrieval + split.generation == pytest.approx(split.delta, abs=1e-12)
    assert (split.retrieval, split.generation) == pytest.approx(parts)
    assert "recall@5" not in result.splits


async def test_only_cases_with_other_contexts_are_asked_and_only_once(evaluated, store, asked):
    base, other = await evaluated("old"), await evaluated("both")
    told = []
    first = await crossed(config(), base, other, store=store, judge="local", told=told.append)
    # 8 are found by both, 2 by the old one alone, 10 by the new one alone.
    changed = {n for n in range(CASES) if (n % 2 == 0) != (n % 10 != 0)}
    assert asked() == Counter(f"{name} {n}" for name in ("old", "both") for n in changed)
    assert told == []
    again = await crossed(config(), base, other, store=store, judge="local", told=told.append)
    assert asked() == Counter()
    assert again == first
    assert told == [f"Crossed before: {run.name} is run {run.id}." for run in first.runs]
    await crossed(config(), base, other, store=store, judge="local", fresh=True)
    assert asked().total() == 2 * len(changed)


async def test_runs_of_a_crossing_are_told_from_others(evaluated, store):
    base, other = await evaluated("old"), await evaluated("both")
    result = await crossed(config(), base, other, store=store, judge="local")
    assert [(run.name, run.info.contexts_from) for run in result.runs] == [
        ("old on both", other.id),
        ("both on old", base.id),
    ]
    assert [run.info.pipeline.name for run in result.runs] == ["old", "both"]
    assert {run.info.mode for run in result.runs} == {"golden-context"}
    assert pick(store, "latest").info.id == other.id
    assert pick(store, "old on both").info.id == result.runs[0].id


async def test_same_contexts_ask_nobody(evaluated, store, asked):
    base, other = await evaluated("old"), await evaluated("copier")
    result = await crossed(config(), base, other, store=store, judge="local")
    assert asked() == Counter()
    assert result.runs == ()
    assert result.words[0] == (
        "The contexts are the same in all 20 cases: only the generator can have changed."
    )


async def test_a_killed_crossing_goes_on_and_asks_nothing_twice(evaluated, store, here, asked):
    base, other = await evaluated("old"), await evaluated("both")
    base.save("base.json"), other.save("other.json")
    (here / "die").touch()
    code = (
        "import asyncio, acidtest as at\n"
        "from acidtest.project.config import load_config\n"
        "from acidtest.project.cross import crossed\n"
        "from acidtest.store.runs import Store\n"
        "base, other = at.load_run('base.json'), at.load_run('other.json')\n"
        "with Store('store.db') as store:\n"
        "    asyncio.run(crossed(load_config(), base, other, store=store, judge='local'))\n"
    )
    killed = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", code], check=False, timeout=60
    )
    assert killed.returncode == 9
    before = asked()
    assert 0 < before.total() < 12
    (here / "die").unlink()
    told = []
    result = await crossed(config(), base, other, store=store, judge="local", told=told.append)
    after = asked()
    assert told[0].startswith(f"Going on with run {result.runs[0].id}: ")
    assert set(before.values()) | set(after.values()) == {1}
    assert not before & after
    assert (before | after).total() == 24
    assert result.splits["exact_match"].retrieval == pytest.approx(0.2)


async def test_a_run_from_a_file_is_asked_with_what_the_golden_set_tells(evaluated, here, asked):
    from acidtest.golden.load import load_golden

    cases = [
        at.Case(id=c.id, question=c.question, reference=c.reference, history=(Turn("user", "Hi"),))
        for c in load_golden("golden.jsonl")
    ]
    base, other = [await evaluated(name, golden=cases) for name in ("old", "both")]
    told = []
    with Store(str(here / "another.db")) as another:
        await crossed(config(), base, other, store=another, judge="local", told=told.append)
        assert told == [
            "The golden set of run 'both' is not here: its cases are asked without earlier turns."
        ]
    at.save_golden(cases, here / "golden.jsonl")
    with Store(str(here / "third.db")) as third:
        told.clear()
        result = await crossed(config(), base, other, store=third, judge="local", told=told.append)
        assert told == []
        (stored, _) = third.all_runs()
        assert {case.history for case in third.cases(stored)} == {(Turn("user", "Hi"),)}
    assert result.splits


async def test_changed_code_and_another_judge_are_told_of(evaluated, store, here):
    base, other = await evaluated("old"), await evaluated("both", judge=_yes)
    (here / "rag.py").write_text(RAG + "\n# another line\n")
    told = []
    await crossed(config(), base, other, store=store, judge="local", told=told.append)
    assert [line.split(":")[0] for line in told] == [
        f"The runs were judged by {other.info.judge.model}, the crossing is by local",
        f"The code of pipeline 'old' has changed since run {base.id}",
        f"The code of pipeline 'both' has changed since run {other.id}",
    ]


def _yes(prompt):
    return {"verdict": "supported"}


async def test_one_pipeline_before_and_after_a_change_cannot_be_crossed(evaluated, store, here):
    base = await evaluated("old")
    (here / "rag.py").write_text(RAG.replace('"old", half', '"old", most'))
    for name in [name for name in sys.modules if name.startswith("rag_")]:
        del sys.modules[name]  # a command later on has a process of its own
    other = await evaluated("old")
    with pytest.raises(UsageError) as caught:
        await crossed(config(), base, other, store=store, judge="local")
    assert "only one of its generators is still here" in str(caught.value)
    assert "Configure both versions under names of their own" in str(caught.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("", "pipeline 'both' of run 'both' is not configured"),
        (
            '[pipelines.both]\npython = "whole.py:both"\n',
            "pipeline 'both' cannot be crossed: it takes no contexts",
        ),
        (
            '[pipelines.both]\noutputs = "out.jsonl"\n',
            "pipeline 'both' cannot be crossed: recorded outputs were made from their own contexts",
        ),
    ],
)
async def test_a_pipeline_that_is_not_there_or_takes_no_contexts(
    table, message, evaluated, store, here, asked
):
    base, other = await evaluated("old"), await evaluated("both")
    (here / "whole.py").write_text("def both(question):\n    return 'yes', []\n")
    (here / "out.jsonl").write_text('{"id": "c1", "answer": "yes", "retrieved": []}\n')
    (here / "acidtest.toml").write_text('[pipelines.old]\npython = "rag.py:old"\n' + table)
    with pytest.raises(UsageError) as caught:
        await crossed(config(), base, other, store=store, judge="local")
    assert message in str(caught.value)
    assert "Compare without --cross" in str(caught.value)
    assert asked() == Counter()


async def test_runs_that_cannot_be_crossed(evaluated, store):
    base = await evaluated("old")
    bare = await evaluated("both", mode="retrieval-only")
    with pytest.raises(UsageError, match="made in mode retrieval-only, and only live runs"):
        await crossed(config(), base, bare, store=store)
    ranked = await evaluated("both", metrics=["recall@5"])
    with pytest.raises(UsageError, match="share no metric that both stages can move"):
        await crossed(config(), base, ranked, store=store)
    other = await evaluated("both", golden=[{"id": "x", "question": "The price of item 1?"}])
    with pytest.raises(Incomparable):
        await crossed(config(), base, other, store=store)


async def test_runs_without_texts_cannot_be_crossed_and_cases_without_are_left_out(
    evaluated, store
):
    base, other = await evaluated("old"), await evaluated("both")

    def without(run, ids):
        cases = [
            replace(c, retrieved=tuple(replace(k, text=None) for k in c.retrieved))
            if c.id in ids
            else c
            for c in run.cases
        ]
        return replace(run, cases=tuple(cases))

    bare = without(other, {case.id for case in other.cases})
    with pytest.raises(UsageError) as caught:
        await crossed(config(), base, bare, store=store, judge="local")
    assert "run 'both' does not tell the text of what was retrieved in 12 cases" in str(
        caught.value
    )
    told = []
    some = without(other, {"c1", "c3"})
    result = await crossed(config(), base, some, store=store, judge="local", told=told.append)
    assert told == [
        "Not crossed: run 'both' does not tell the text of what was retrieved in 2 cases."
    ]
    assert result.splits["exact_match"].n == 18


async def test_a_generator_that_does_not_heed_its_contexts_is_told_of(evaluated, store):
    base, other = await evaluated("old"), await evaluated("deaf")
    told = []
    result = await crossed(config(), base, other, store=store, judge="local", told=told.append)
    (line,) = told
    assert line == (
        "deaf on old: in 12 of 12 cases the generator named contexts that it was not given. "
        "If it retrieves by itself all the same, this split says nothing."
    )
    assert result.notes == (line,)


class Aliased:
    """The local judge behind a name that stands for whatever its provider says."""

    model = "newest"
    fingerprint = "sha256:newest"

    def __init__(self, reported):
        self.reported = reported

    async def ask(self, prompt, **fields):
        said = await LocalJudge().ask(prompt, **fields)
        return said if isinstance(said, at.Skip) else replace(said, model=self.reported)


async def test_another_model_behind_the_judges_name_is_told_of_afterwards(evaluated, store):
    base, other = [await evaluated(name, judge=Aliased("m-01")) for name in ("old", "both")]
    assert base.info.judge.reported == ("m-01",)
    told = []
    same = await crossed(
        config(), base, other, store=store, judge=Aliased("m-01"), told=told.append
    )
    assert same.notes == ()
    assert told == []
    result = await crossed(
        config(), base, other, store=store, judge=Aliased("m-09"), fresh=True, use_cache=False
    )
    (line,) = result.notes
    assert line.startswith("The judges differ (newest (m-01), newest (m-09))")
