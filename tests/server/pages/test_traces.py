import re

import pytest
from tests.server.pages.conftest import FAQ, NASTY, make

from acidtest.data.outcomes import Failure, Score, Skip


def ids(page):
    return re.findall(r'<th scope="row"><a dir="auto" href="/traces/([^"]*)"', page.text)


async def test_the_newest_come_first_with_scores_or_reasons(opened, typical):
    async with opened() as client:
        shown = await client("GET", "/traces")
    assert ids(shown) == ["b1", "a2", "a1"]
    text = shown.text
    assert "<b>0.50</b>" in text
    assert "skipped" in text
    assert "the judge cannot judge a free rubric" in text
    assert "the judge did not answer" in text
    assert "the generation failed" in text
    assert "thumbs down" in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("text=BATTERY", ["b1", "a1"]),
        ("text=100%25", []),
        ("service=shop", ["b1"]),
        ("model=small-2", ["a2", "a1"]),
        ("prompt_version=v7", ["b1", "a2", "a1"]),
        ("prompt_version=v8", []),
        ("session=talk-1", ["a2", "a1"]),
        ("user=ada", ["b1", "a2", "a1"]),
        ("tag=beta", ["a2", "a1"]),
        ("failed=yes", ["b1"]),
        ("failed=no", ["a2", "a1"]),
        ("feedback=bad", ["a1"]),
        ("feedback=good", []),
        ("metric=faithfulness", ["a2", "a1"]),
        ("metric=faithfulness&below=1", ["a1"]),
        ("metric=faithfulness&below=0%2C5", []),
        ("job=dead", []),
        ("since=1h", ["b1", "a2", "a1"]),
        ("since=2020-01-01&through=2020-01-02", []),
        ("until=2020-01-01", []),
        ("model=small-2&feedback=bad", ["a1"]),
    ],
)
async def test_filters(opened, typical, query, found):
    async with opened() as client:
        assert ids(await client("GET", f"/traces?{query}")) == found
        api = await client("GET", f"/api/traces?{query}")
        assert [t["trace_id"] for t in api.json()["traces"]] == found


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("metric=m&below=much", "Write a number such as 0.5."),
        ("metric=m&below=nan", "Write a number such as 0.5."),
        ("below=0.5", "Say of which metric."),
        ("since=yesterday", "Write a day (2026-11-30)"),
        ("through=soon", "Write a day: 2026-11-30."),
        ("until=soon", "Write a day (2026-11-30)"),
        ("failed=maybe", "Write yes or no."),
        ("abstained=maybe", "Write yes or no."),
        ("feedback=fine", "Write good or bad."),
        ("job=done", "Write waiting, dead or out."),
        ("model=" + "x" * 501, "Write up to 500 characters."),
    ],
)
async def test_what_cannot_be_read_is_told_at_its_field(opened, typical, query, why):
    async with opened() as client:
        shown = await client("GET", f"/traces?{query}")
        assert shown.status == 400
        assert why in shown.text
        assert 'aria-invalid="true"' in shown.text
        assert ids(shown) == []  # nothing that was not asked for
        field, _, typed = query.rpartition("&")[2].partition("=")
        assert f'value="{typed}"' in shown.text  # it stands there as it was typed
        refused = await client("GET", f"/api/traces?{query}")
        assert refused.status == 400
        assert why in refused.json()["fields"][field]
        assert field in refused.json()["error"]


async def test_pages_hold_all_once_and_keep_the_filter(opened, kept):
    # Several begin in the same millisecond.
    kept.traces(*(make(f"t{n:03}", minutes=n // 7) for n in range(120)), make("x", model="other"))
    async with opened() as client:
        path, seen = "/traces?model=small-2", []
        for _ in range(3):
            shown = await client("GET", path)
            seen += ids(shown)
            link = re.search(r'<a href="([^"]*)" rel="next">', shown.text)
            path = link[1].replace("&amp;", "&") if link else ""
            assert link is None or "model=small-2" in path
        assert path == ""
    assert len(seen) == len(set(seen)) == 120


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("after=x", "after"), ("after=-", "after"), ("after=1-", "after"), ("after=%D9%A3-a", "after"),
        ("after=" + "9" * 30 + "-a", "after"), ("sinze=7d", "sinze"), ("Since=7d", "Since"),
        ("text=a&text=b", "text"), ("text=%ff", "text"), ("=x", ""), ("&".join(["a=1"] * 101), "?"),
    ],
)  # fmt: skip
async def test_what_stands_in_no_form_is_told_too(opened, typical, query, field):
    async with opened() as client:
        shown = await client("GET", f"/traces?{query}")
        assert (shown.status, ids(shown)) == (400, [])
        assert "is not understood" in shown.text
        refused = await client("GET", f"/api/traces?{query}")
        assert (refused.status, list(refused.json()["fields"])) == (400, [field])


@pytest.mark.parametrize("query", ["after=99999999999999999999-a", "after=1-%00", "since=", "&=&&"])
async def test_a_page_that_never_was_is_no_fault(opened, typical, query):
    async with opened() as client:
        assert (await client("GET", f"/traces?{query}")).status == 200


async def test_empty_and_unfound_are_told_apart(opened, kept):
    async with opened() as client:
        assert "how to send the first one" in (await client("GET", "/traces")).text
        kept.traces(make())
        none = (await client("GET", "/traces?text=zebra")).text
        assert "No trace is like that" in none
        assert 'value="zebra"' in none


async def test_hostile_traces_and_words_are_text(opened, kept):
    long = "w" * 100_000
    name = NASTY.replace("\ud800", "")
    kept.traces(
        make(
            "n1", question=NASTY, answer=NASTY, model=NASTY, service=NASTY, tags=(NASTY,) * 3,
            session=NASTY, user=NASTY, error=NASTY, name=NASTY,
        ),
        make("n2", question=long, answer=long, model=long, tags=(long,), retrieved=(FAQ,)),
        make('"><b>', question=None, answer=None, missing={"question": NASTY, "answer": NASTY}),
    )  # fmt: skip
    kept.scores("n1", {name: Skip(NASTY), f"b{name}": Failure(NASTY, NASTY), "c": Score(1, NASTY)})
    async with opened() as client:
        for path in ("/traces", "/traces?text=%3Cscript%3Ealert(1)&tag=%22%3E%3Cb%3E"):
            text = (await client("GET", path)).text
            assert "<script>alert" not in text
            assert "<img src" not in text
            assert '"><b>' not in text
            assert "\u202e" not in text
        listed = await client("GET", "/traces")
        assert len(ids(listed)) == 3
        assert len(listed.body) < 40_000


async def test_programs_get_the_lists_as_the_command_writes_it(opened, typical):
    async with opened() as client:
        first = (await client("GET", "/api/traces?limit=2")).json()
        assert (first["format"], first["version"]) == ("acidtest/traces", 1)
        assert [t["trace_id"] for t in first["traces"]] == ["b1", "a2"]
        rest = (await client("GET", f"/api/traces?limit=2&after={first['next']}")).json()
        assert [t["trace_id"] for t in rest["traces"]] == ["a1"]
        assert rest["next"] is None
        one = (await client("GET", "/api/traces/a1")).json()
        assert (one["format"], one["spans"]) == ("acidtest/trace", [])
        assert one["trace"] == rest["traces"][0]
        assert one["trace"]["scores"]["faithfulness"]["value"] == 0.5
        assert (await client("GET", "/api/traces/zz")).status == 404
        for limit in ("0", "x", "201", "9" * 5000):
            refused = await client("GET", f"/api/traces?limit={limit}")
            assert (refused.status, list(refused.json()["fields"])) == (400, ["limit"])
