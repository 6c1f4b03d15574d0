"""The judge of a run is pinned by the model that its provider reports, not only by its name."""

from dataclasses import replace

import pytest

from acidtest.data.runs import JudgeRef
from acidtest.judges.circuit import EndpointGone
from acidtest.ports import Verdict
from acidtest.run.imports import put
from acidtest.run.pinned import pinned, reported_name
from acidtest.run.start import start
from acidtest.store.runs import Store
from acidtest.testing import FakeJudge, FakePipeline

ANSWERS = {"a": "yes", "b": "no", "c": "x", "d": "y"}
NAMED = JudgeRef(model="m", fingerprint="sha256:k")


class Aliased(FakeJudge):
    """A judge whose name stands for another model in the end."""

    def __init__(self, *reported):
        super().__init__({"p": {"outcome": "score", "value": 1.0}}, model="m")
        self.reported = list(reported)

    async def ask(self, prompt, **fields):
        said = await super().ask(prompt, **fields)
        name = self.reported.pop(0) if len(self.reported) > 1 else self.reported[0]
        return Verdict(reply=said.reply, model=name)


async def judged_by(make_plan, store, *reported):
    plan = make_plan(FakePipeline(ANSWERS), metrics=("judged",), judge=Aliased(*reported))
    return await start(plan, store, fresh=True)


def test_the_names_of_models_are_part_of_the_fingerprint():
    january, september = (pinned(NAMED, [name]) for name in ("m-01", "m-09"))
    assert len({NAMED.fingerprint, january.fingerprint, september.fingerprint}) == 3
    assert january == pinned(NAMED, ["m-01", "m-01"])
    assert pinned(NAMED, ["m-09", "m-01"]) == pinned(NAMED, ["m-01", "m-09"])
    assert pinned(january, ["m-01"]) == january


def test_what_bears_its_own_name_or_has_not_spoken_is_left_as_it_is():
    assert pinned(NAMED, ["m"]) == pinned(NAMED, []) == NAMED


def test_judges_of_a_panel_or_cascade_that_bear_their_own_names_are_left_as_they_are():
    several = JudgeRef(model="local > m + own", fingerprint="sha256:k")
    assert pinned(several, ["m"]) == pinned(several, ["own", "m"]) == several
    assert pinned(several, ["m-01", "own"]).reported == ("m-01", "own")


@pytest.mark.parametrize(
    ("reported", "name"),
    [
        ("/home/a/models/smol-Q4.gguf", "smol-Q4.gguf"),
        ("models/smol-Q4.gguf", "smol-Q4.gguf"),
        ("./smol-Q4.gguf", "smol-Q4.gguf"),
        (r"C:\models\smol-Q4.gguf", "smol-Q4.gguf"),
        ("/srv/weights/smol", "smol"),
        ("org/smol-135M", "org/smol-135M"),
        ("gpt-5-mini-2026-08-07", "gpt-5-mini-2026-08-07"),
        ("/", "/"),
    ],
)
def test_a_file_of_weights_is_the_same_in_whichever_folder(reported, name):
    assert reported_name(reported) == name


async def test_a_run_is_pinned_by_what_judged_it(store, make_plan):
    runs = [await judged_by(make_plan, store, name) for name in ("m-01", "m-01", "m-09")]
    one, again, other = (run.info.judge for run in runs)
    assert (one.model, one.reported) == ("m", ("m-01",))
    assert one == again
    assert one.fingerprint != other.fingerprint
    assert runs[0].operations.judge.models == ("m-01",)


async def test_a_model_that_changed_within_a_run_shows(store, make_plan):
    run = await judged_by(make_plan, store, "m-01", "m-09")
    assert run.info.judge.reported == ("m-01", "m-09")


async def test_a_run_keeps_its_judge_through_another_store(store, make_plan, tmp_path):
    run = await judged_by(make_plan, store, "m-01")
    with Store(str(tmp_path / "other.db")) as other:
        put(run, other)
        kept = other.get(run.id).info.judge
    assert kept == run.info.judge == pinned(kept, run.operations.judge.models)


async def test_models_of_an_interrupted_run_stay_known(store, make_plan):
    class Tiring(Aliased):
        async def ask(self, prompt, **fields):
            if self.reported == ["end"]:
                raise EndpointGone("gone")
            return await super().ask(prompt, **fields)

    plan = make_plan(FakePipeline(ANSWERS), metrics=("judged",), judge=Tiring("m-01", "end"))
    with pytest.raises(EndpointGone):
        await start(plan, store)
    run = await start(replace(plan, judge=Aliased("m-09")), store)
    assert run.info.judge.reported == ("m-01", "m-09")
