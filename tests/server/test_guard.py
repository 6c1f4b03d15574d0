import time

import pytest

from acidtest.server.guard import COOKIE
from acidtest.server.settings import Settings, loopback
from acidtest.server.signing import Signer

TOKEN = "a-token-of-some-length"  # noqa: S105 - of no server
BEARER = f"Bearer {TOKEN}"
FORM = "application/x-www-form-urlencoded"


def form_token(page):
    return page.text.partition('name="form_token" value="')[2].partition('"')[0]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:7373", 200), ("localhost", 200), ("LOCALHOST:1", 200), ("[::1]:7373", 200),
        ("127.8.8.8", 200), ("evil.example", 403), ("127.0.0.1.evil.example", 403), ("", 403),
        ("[::1", 403), ("localhost.evil.example:7373", 403), ("0.0.0.0", 403),
        ("evil.example@127.0.0.1", 403), ("127.0.0.1/x", 403), ("127.0.0.1#evil.example", 403),
    ],
)  # fmt: skip
async def test_without_a_token_only_this_machines_names_are_answered_to(opened, host, status):
    async with opened() as client:
        assert (await client("GET", "/runs", host=host)).status == status
        body = b'{"resourceSpans":[]}'
        sent = await client("POST", "/v1/traces", body, host=host, content_type="application/json")
        assert sent.status == status


async def test_with_a_token_any_name_is_answered_to_but_nobody_unknown(opened):
    async with opened(token=TOKEN) as client:
        assert (await client("GET", "/api/runs", host="rag.example")).status == 401
        answer = await client("GET", "/api/runs", host="rag.example", authorization=BEARER)
        assert (answer.status, answer.json()) == (200, [])


@pytest.mark.parametrize("path", ["/api/runs", "/metrics", "/api/openapi.json", "/v1/traces"])
@pytest.mark.parametrize(
    "shown", ["", "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer", f"{BEARER}x", "Bearer \xe9"]
)
async def test_programs_are_kept_out_without_the_token(opened, path, shown):
    async with opened(token=TOKEN) as client:
        method = "POST" if path == "/v1/traces" else "GET"
        answer = await client(method, path, authorization=shown, content_type="application/json")
        assert (answer.status, answer.header("www-authenticate")) == (401, "Bearer")
        assert TOKEN not in answer.text


@pytest.mark.parametrize("path", ["/", "/traces", "/queue", "/alerts", "/runs", "/login"])
async def test_who_shows_the_token_sees_the_pages_too_and_gets_no_session(opened, path):
    async with opened(token=TOKEN) as client:
        page = await client("GET", path, authorization=BEARER)
        assert (page.status, page.header("set-cookie")) == (200, None)
        wrong = await client("POST", "/login", b"token=x", authorization=BEARER, content_type=FORM)
        assert wrong.status == 403


@pytest.mark.parametrize(
    "value", ['"' + "\\" * 60_000 + '"', '"' + "\\001" * 15_000 + '"', "a;" * 30_000, "=" * 60_000]
)
async def test_no_cookie_keeps_the_server_busy(opened, value):
    async with opened(token=TOKEN) as client:
        began = time.process_time()
        answer = await client("GET", "/runs", cookie=f"{COOKIE}={value}")
        assert answer.status == 303
        assert time.process_time() - began < 1


@pytest.mark.parametrize("shown", ["", BEARER])
async def test_forms_of_very_many_fields_are_not_read(opened, shown):
    async with opened(token=TOKEN) as client:
        body = b"a=1&" * 200_000
        answer = await client("POST", "/login", body, content_type=FORM, authorization=shown)
        assert answer.status == 413


async def test_health_and_styles_are_open_to_all(opened):
    async with opened(token=TOKEN) as client:
        assert (await client("GET", "/health")).json() == {"status": "ok"}
        assert (await client("GET", "/static/site.css")).status == 200
        assert (await client("GET", "/static/..%2fapp.py")).status == 404


async def test_a_browser_signs_in_and_out(opened):
    async with opened(token=TOKEN) as client:
        sent_away = await client("GET", "/runs")
        assert (sent_away.status, sent_away.header("location")) == (303, "/login?next=/runs")
        login = await client("GET", "/login?next=/runs")
        form = {
            "content_type": FORM,
            "origin": "http://127.0.0.1:7373",
        }
        body = f"form_token={form_token(login)}&token={TOKEN}".encode()
        answer = await client("POST", "/login?next=/runs", body, **form)
        assert (answer.status, answer.header("location")) == (303, "/runs")
        flags = answer.header("set-cookie")
        assert "HttpOnly" in flags
        assert "SameSite=Strict" in flags
        assert TOKEN not in flags
        runs = await client("GET", "/runs")
        assert runs.status == 200
        assert "Sign out" in runs.text
        assert (await client("GET", "/api/runs")).status == 200
        traces = await client("POST", "/v1/traces", b"{}", content_type="application/json")
        assert traces.status == 401  # a page must not send spans in a browser's name
        body = f"form_token={form_token(runs)}".encode()
        assert (await client("POST", "/logout", body, **form)).status == 303
        assert (await client("GET", "/runs")).status == 303


async def test_behind_a_proxy_with_tls_the_cookie_stays_with_tls(opened):
    async with opened() as client:
        assert "Secure" not in (await client("GET", "/login")).header("set-cookie")
        client.cookies.clear()
        answer = await client("GET", "/login", x_forwarded_proto="https")
        assert answer.header("set-cookie").endswith("; Secure")


async def test_a_wrong_token_signs_nobody_in_and_guessing_is_slowed(opened, monkeypatch):
    monkeypatch.setattr("acidtest.server.pages.login._PAUSE_S", 0.0)
    async with opened(token=TOKEN) as client:
        body = f"form_token={form_token(await client('GET', '/login'))}&token=".encode()
        form = {"content_type": FORM}
        answers = [await client("POST", "/login", body + b"no", **form) for _ in range(21)]
        assert [answer.status for answer in answers] == [403] * 20 + [429]
        assert "That is not the token." in answers[0].text
        assert (await client("POST", "/login", body + TOKEN.encode(), **form)).status == 429
        assert (await client("GET", "/runs")).status == 303


@pytest.mark.parametrize(
    "there",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "evil",
        "/%0d%0aSet-Cookie:x",
        "/a%00b",
        "/é",
    ],
)
async def test_signing_in_leads_nowhere_else(opened, there):
    async with opened(token=TOKEN) as client:
        token = form_token(await client("GET", "/login"))
        body = f"form_token={token}&token={TOKEN}".encode()
        kind = FORM
        answer = await client("POST", f"/login?next={there}", body, content_type=kind)
        assert (answer.status, answer.header("location")) == (303, "/")


async def test_what_the_browser_says_of_a_form_goes_before_an_origin_that_it_hides(opened):
    async with opened() as client:
        token = form_token(await client("GET", "/login"))
        body = f"form_token={token}".encode()
        kind = FORM
        mine = {"sec_fetch_site": "same-origin", "origin": "null"}
        assert (await client("POST", "/logout", body, content_type=kind, **mine)).status == 303
        said = (await client("GET", "/login")).header("referrer-policy")
        assert said == "same-origin"  # with `no-referrer` browsers hide the origin of every form


@pytest.mark.parametrize(
    "elsewhere",
    [{"origin": "https://evil.example"}, {"sec_fetch_site": "cross-site"}, {"origin": "null"}],
)
async def test_changes_from_other_sites_are_refused(opened, elsewhere):
    async with opened() as client:
        page = await client("GET", "/login")
        body = f"form_token={form_token(page)}".encode()
        kind = FORM
        assert (await client("POST", "/logout", body, content_type=kind, **elsewhere)).status == 403
        sent = await client(
            "POST", "/v1/traces", b"{}", content_type="application/json", **elsewhere
        )
        assert sent.status == 403


async def test_a_change_needs_the_token_of_its_session(opened):
    async with opened(token=TOKEN) as client:
        kind = FORM
        mine = form_token(await client("GET", "/login"))
        client.cookies.clear()
        other = form_token(await client("GET", "/login"))
        assert mine != other
        for told in ("", "x", mine):
            body = f"form_token={told}&token={TOKEN}".encode()
            answer = await client("POST", "/login", body, content_type=kind)
            assert answer.status == 403, told
            assert "load its page again" in answer.text
        answer = await client(
            "POST", "/login", f"token={TOKEN}".encode(), content_type=kind, x_form_token=other
        )
        assert answer.status == 303


def test_sessions_are_signed_and_end(monkeypatch):
    signer = Signer(TOKEN, 3600)
    session = signer.new(signed_in=True)
    cookie = signer.cookie(session)
    assert Signer(TOKEN, 3600).session(cookie) == session
    assert Signer("another", 3600).session(cookie) is None
    assert Signer(None, 3600).session(cookie) is None
    outside = signer.new(signed_in=False)
    forged = signer.cookie(outside).replace(".0.", ".1.", 1)
    assert signer.session(forged) is None
    for broken in (
        "",
        "...",
        "a.b.c.d",
        cookie[:-1],
        cookie + "0",
        "é" * 9,
        cookie.replace(".", "", 1),
    ):
        assert signer.session(broken) is None
    assert Signer(TOKEN, -1).session(Signer(TOKEN, -1).cookie(session._replace(expires=1))) is None


async def test_cookies_that_are_none_are_no_session(opened):
    async with opened(token=TOKEN) as client:
        for cookie in (f"{COOKIE}=x", "\x00=;;;", "a" * 5000, f"{COOKIE}=a.1.b.c"):
            assert (await client("GET", "/runs", cookie=cookie)).status == 303


async def test_every_page_forbids_what_it_does_not_need(opened):
    async with opened() as client:
        for path in ("/runs", "/login", "/nope", "/api/runs", "/health", "/metrics"):
            answer = await client("GET", path)
            policy = answer.header("content-security-policy")
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.header("x-content-type-options") == "nosniff"
            assert answer.header("x-frame-options") == "DENY"
            assert answer.header("cache-control") == "no-store"
            assert "<style" not in answer.text
            assert "<script>" not in answer.text
            assert "access-control-allow-origin" not in dict(answer.headers)


def test_the_token_shows_in_no_repr():
    assert TOKEN not in repr(Settings(store="s", token=TOKEN))


def test_what_counts_as_this_machine():
    assert [
        h for h in ("localhost", "127.0.0.1", "::1", "[::1]", "127.9.9.9") if not loopback(h)
    ] == []
    assert [
        h for h in ("0.0.0.0", "::", "10.0.0.1", "example.org", "", "localhost.") if loopback(h)
    ] == []
