from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import MetricSpec, Result, Score
from acidtest.data.runs import GoldenRef, Ref, RunInfo
from acidtest.store.rows import StoredRun
from acidtest.store.runs import Store

HOSTILE = "<script>alert(1)</script>\x1b[2J\"'><img src=x onerror=alert(1)>"


def put(store, run_id, name, created="2026-01-01T00:00:00Z"):
    info = RunInfo(
        id=run_id,
        name=name,
        created=created,
        status="finished",
        mode="live",
        golden=GoldenRef(path=HOSTILE, version="sha256:v", cases=1),
        pipeline=Ref(name=name, fingerprint="f"),
    )
    specs = (MetricSpec(name="mrr", stage="retrieval"),)
    case = Case(id="a", question=HOSTILE, relevant={"x": 1})
    store.create(StoredRun(info=info, specs=specs, case_ids=("a",), plan_hash=run_id), [case])
    answer = Answer(case_id="a", text=HOSTILE, retrieved=(Chunk(id="x", text=HOSTILE),))
    store.save(run_id, [answer], [Result(case_id="a", metric="mrr", outcome=Score(0.5))])
    store.set_status(run_id, "finished")


async def test_runs_are_listed_newest_first_and_shown(opened, any_url):
    async with opened(store=any_url) as client:
        store = client.site.open(Store)
        put(store, "r1", "older")
        put(store, "r2", HOSTILE, created="2026-02-02T00:00:00Z")
        listed = await client("GET", "/runs")
        assert listed.text.index('href="/runs/r2"') < listed.text.index('href="/runs/r1"')
        shown = await client("GET", "/runs/r2")
        assert shown.status == 200
        assert "mrr" in shown.text
        assert "0.500" in shown.text
        for page in (listed, shown):
            assert "<script>alert" not in page.text
            assert "<img src=x" not in page.text
            assert "\x1b" not in page.text
            assert " style=" not in page.text  # the policy forbids them
        assert [run["id"] for run in (await client("GET", "/api/runs")).json()] == ["r2", "r1"]
        one = (await client("GET", "/api/runs/r1")).json()
        assert (one["format"], one["run"]["name"]) == ("acidtest/run", "older")


async def test_what_is_not_there_is_told_as_a_page_or_as_json(opened):
    async with opened() as client:
        page = await client("GET", "/runs/none")
        assert (page.status, page.header("content-type")) == (404, "text/html; charset=utf-8")
        assert "no run &#39;none&#39; in the store" in page.text
        answer = await client("GET", "/api/runs/none")
        assert (answer.status, answer.json()["status"]) == (404, 404)
        assert (await client("POST", "/runs")).status in (403, 405)


async def test_an_empty_store_says_how_to_fill_it(opened):
    async with opened() as client:
        assert "acidtest run" in (await client("GET", "/runs")).text


async def test_the_interface_describes_itself(opened):
    async with opened() as client:
        told = (await client("GET", "/api/openapi.json")).json()
        assert "/api/runs/{run_id}" in told["paths"]
        assert "/v1/traces" not in told["paths"]


async def test_a_bug_of_ours_is_told_to_the_log_alone(opened, monkeypatch, capsys):
    def broken(_store):
        raise ValueError("inner secret")

    async with opened() as client:
        monkeypatch.setattr(Store, "all_runs", broken)
        page = await client("GET", "/runs")
        assert page.status == 500
        assert "inner secret" not in page.text
        assert "inner secret" in capsys.readouterr().err
