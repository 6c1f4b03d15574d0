"""What holds on every address: HEAD beside GET, methods that are not there, fields that nobody reads."""

import pytest

PATHS = ("/", "/traces", "/alerts", "/queue", "/runs", "/login", "/health", "/metrics", "/api/runs",
         "/api/traces", "/api/openapi.json", "/static/site.css", "/nope", "/api/traces/nope", "/v1/traces")  # fmt: skip


@pytest.mark.parametrize("token", [None, "a-token-of-some-length"])
@pytest.mark.parametrize("path", PATHS)
async def test_head_is_as_get_without_the_body(opened, path, token):
    shown = {"authorization": f"Bearer {token}"} if token else {}
    async with opened(token=token) as client:
        head = await client("HEAD", path, **shown)
        client.cookies.clear()
        get = await client("GET", path, **shown)
    own = {"set-cookie"}
    if path == "/metrics":
        own.add("content-length")  # its numbers have moved on
    assert head.status == get.status
    assert head.body == b""
    assert [h for h in head.headers if h[0] not in own] == [
        h for h in get.headers if h[0] not in own
    ]
    assert int(head.header("content-length")) > 0


async def test_head_is_let_in_as_get_is(opened):
    async with opened(token="a-token-of-some-length") as client:  # noqa: S106 - of no server
        assert (await client("HEAD", "/api/runs")).status == 401
        assert (await client("HEAD", "/runs")).status == 303
        assert (await client("HEAD", "/health")).status == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/runs", "GET, HEAD, OPTIONS"),
        ("OPTIONS", "/runs", "GET, HEAD, OPTIONS"),
        ("FOO", "/", "GET, HEAD, OPTIONS"),
        ("HEAD", "/queue/revive", "POST, OPTIONS"),
        ("HEAD", "/v1/traces", "POST"),
    ],
)
async def test_methods_that_are_there_are_named(opened, method, path, allowed):
    async with opened() as client:
        answer = await client(method, path)
    assert answer.status == (204 if method == "OPTIONS" else 405)
    assert answer.header("allow") == allowed


@pytest.mark.parametrize(
    "path", ["/alerts", "/queue", "/runs", "/runs/x", "/api/runs", "/api/runs/x"]
)
async def test_fields_that_nobody_reads_are_refused(opened, path):
    async with opened() as client:
        answer = await client("GET", f"{path}?limit=5")
    assert answer.status == 400
    assert "limit: There is no such field" in answer.text
    if path.startswith("/api/"):
        assert list(answer.json()["fields"]) == ["limit"]


@pytest.mark.parametrize("path", ["/health?at=1", "/metrics?name=x", "/static/site.css?v=1"])
async def test_who_only_looks_may_add_what_he_likes(opened, path):
    async with opened() as client:
        assert (await client("GET", path)).status == 200
