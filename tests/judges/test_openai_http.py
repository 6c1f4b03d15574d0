"""Chat completions over real sockets on this machine: forms, refusals, faults, accounting, secrets."""

import asyncio
import json
import socket

import msgspec
import pytest

from acidtest.errors import BadConfig, JudgeError
from acidtest.judges import session as session_module
from acidtest.judges.backend import Request, Stumbled, Throttled, Unreachable
from acidtest.judges.circuit import ShutOut
from acidtest.judges.faults import TooLong
from acidtest.judges.openai_http import SHARED_FROM, OpenAIBackend
from acidtest.judges.session import Session

KEY = "sk-s3cr3t-0123456789abcdef"
SCHEMA = {
    "type": "object",
    "properties": {"verdicts": {"type": "array", "items": {"type": "string"}, "minItems": 2}},
    "required": ["verdicts"],
    "additionalProperties": False,
}
NO_LIMITS = {
    "type": "object",
    "properties": {"why": {"type": "string"}},
    "required": ["why"],
    "additionalProperties": False,
}
REQUEST = Request(
    text="Judge.", schema=SCHEMA, schema_name="faith", max_tokens=64, system="Be just."
)


def body(content="{}", finish="stop", **more):
    message = {"role": "assistant", "content": content} | more.pop("message", {})
    return {
        "model": "gpt-x-2026-01-01",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": 120,
            "completion_tokens": 7,
            "prompt_tokens_details": {"cached_tokens": 96, "cache_write_tokens": 20},
        },
    } | more


def refusal(message, param=None, code=None, status=400):
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return {"error": error}, status


@pytest.fixture
async def backend_of():
    """Make backends for an endpoint, and close them."""
    made = []

    def make(endpoint, **more):
        base = more.pop("base_url", None) or f"{endpoint.origin}/v1"
        key = more.pop("api_key", KEY)
        backend = OpenAIBackend(more.pop("model", "gpt-x"), api_key=key, base_url=base, **more)
        made.append(backend)
        return backend

    yield make
    for backend in made:
        await backend.aclose()


async def once(stub, backend_of, *script, request=REQUEST, **more):
    async with stub.serving(*script) as endpoint:
        return await backend_of(endpoint, **more).complete(request), endpoint.asked


async def fails(stub, backend_of, kind, *script, **more):
    with pytest.raises(kind) as raised:
        await once(stub, backend_of, *script, **more)
    return raised.value


async def test_what_shares_a_beginning_has_its_schema_behind_it(stub, backend_of):
    request = msgspec.structs.replace(REQUEST, text="<passage>\n\nJudge.", prefix=9)
    got, asked = await once(stub, backend_of, stub.says(body()), request=request)
    assert asked[0].json["response_format"] == {"type": "json_object"}
    text = asked[0].json["messages"][-1]["content"]
    assert text.startswith("<passage>\n\nJudge.\n\nReply with one JSON value")
    assert '"minItems":2' in text
    assert got.dropped == ()  # by choice: the model refused nothing


async def test_only_where_input_costs_money_prompts_go_together(backend_of):
    for base, least in (
        ("https://api.openai.com/v1", SHARED_FROM),
        ("https://x.openai.azure.com/openai/v1", SHARED_FROM),
        ("http://127.0.0.1:8000/v1", None),
        ("https://gateway.example/v1", None),
    ):
        assert backend_of(None, base_url=base).shared_from == least


ROOM = [
    "max_tokens is too large: 64. This model supports at most 40 completion tokens.",
    "`max_tokens` must be less than or equal to `40`, the maximum value for `max_tokens`",
    "Invalid max_tokens value, the valid range of max_tokens is [1, 40]",
]


@pytest.mark.parametrize("message", ROOM)
async def test_the_most_room_is_learnt(stub, backend_of, message):
    async with stub.serving(stub.says(*refusal(message)), stub.says(body())) as endpoint:
        backend = backend_of(endpoint)
        first, second = [await backend.complete(REQUEST) for _ in range(2)]
        less = await backend.complete(msgspec.structs.replace(REQUEST, max_tokens=30))
    assert [a.json["max_tokens"] for a in endpoint.asked] == [64, 40, 40, 30]
    assert (first.room, second.room, less.room) == (40, 40, None)


@pytest.mark.parametrize(
    "message",
    [
        "'max_tokens' is too large: 64. This model's maximum context length is 100 tokens (64 > 100 - 60).",
        "This model's maximum context length is 100 tokens. You requested 124 tokens (60 in the messages, 64 in the completion).",
    ],
)
async def test_room_beside_one_prompt_is_no_rule_for_others(stub, backend_of, message):
    async with stub.serving(stub.says(*refusal(message)), stub.says(body())) as endpoint:
        backend = backend_of(endpoint)
        first, second = [await backend.complete(REQUEST) for _ in range(2)]
    assert [a.json["max_tokens"] for a in endpoint.asked] == [64, 40, 64]
    assert (first.room, second.room) == (40, None)


async def test_an_endpoint_that_never_has_enough_of_it_is_not_asked_for_ever(stub, backend_of):
    script = [refusal(f"max_tokens: this model supports at most {n} tokens") for n in (40, 39)]
    error = await fails(stub, backend_of, JudgeError, *(stub.says(*each) for each in script))
    assert "at most 39" in error.what


async def test_what_goes_out(stub, backend_of):
    _, asked = await once(stub, backend_of, stub.says(body()))
    assert asked[0].path == "/v1/chat/completions"
    assert asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert asked[0].json == {
        "model": "gpt-x",
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "faith", "strict": True, "schema": SCHEMA},
        },
        "messages": [
            {"role": "system", "content": "Be just."},
            {"role": "user", "content": "Judge."},
        ],
        "max_tokens": 64,
        "temperature": 0.0,
    }


async def test_what_comes_back(stub, backend_of):
    got, _ = await once(stub, backend_of, stub.says(body('{"verdicts": []}')))
    assert got.text == '{"verdicts": []}'
    assert (got.model, got.finish) == ("gpt-x-2026-01-01", "stop")
    assert (got.input_tokens, got.output_tokens, got.cached_tokens) == (120, 7, 96)
    assert got.cache_write_tokens == 20
    assert got.dropped == ()
    assert got.wait_s == 0


@pytest.mark.parametrize(
    ("said", "finish", "text"),
    [
        (body("{}", "eos"), "stop", "{}"),
        (body("{}", None), "stop", "{}"),
        (body('{"a', "length"), "length", '{"a'),
        (body("", "content_filter"), "filtered", ""),
        (body(None, "stop", message={"refusal": "I will not."}), "refusal", "I will not."),
        (body(None, "length"), "length", ""),
        (
            body([{"type": "thinking", "text": "x"}, {"type": "text", "text": "{}"}]),
            "stop",
            "{}",
        ),
    ],
)
async def test_how_it_ends(stub, backend_of, said, finish, text):
    got, _ = await once(stub, backend_of, stub.says(said))
    assert (got.finish, got.text) == (finish, text)


async def test_a_reply_without_usage_or_model(stub, backend_of):
    said = body() | {"usage": None, "model": None}
    got, _ = await once(stub, backend_of, stub.says(said))
    assert (got.model, got.input_tokens, got.output_tokens) == ("gpt-x", 0, 0)


async def test_a_prompt_that_the_filter_stops_is_filtered(stub, backend_of):
    said = stub.says(*refusal("The prompt was filtered.", "prompt", "content_filter"))
    got, _ = await once(stub, backend_of, said)
    assert got.finish == "filtered"


@pytest.mark.parametrize(
    "message",
    [
        refusal("Unsupported value: 'temperature' does not support 0 with this model.",
                "temperature", "unsupported_value"),
        refusal("temperature is deprecated for this model."),
    ],
)  # fmt: skip
async def test_a_refused_temperature_is_dropped_once_and_remembered(stub, backend_of, message):
    async with stub.serving(stub.says(*message), stub.says(body())) as endpoint:
        backend = backend_of(endpoint)
        first = await backend.complete(REQUEST)
        second = await backend.complete(REQUEST)
        asked = [a.json for a in endpoint.asked]
    assert first.dropped == second.dropped == ("temperature",)
    assert ["temperature" in a for a in asked] == [True, False, False]
    assert all(a["response_format"]["type"] == "json_schema" for a in asked)


async def test_the_limit_on_tokens_is_renamed_as_told(stub, backend_of):
    message = refusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. "
        "Use 'max_completion_tokens' instead.",
        "max_tokens",
        "unsupported_parameter",
    )
    got, asked = await once(stub, backend_of, stub.says(*message), stub.says(body()))
    assert asked[1].json["max_completion_tokens"] == 64
    assert "max_tokens" not in asked[1].json
    assert got.dropped == ()


async def test_a_prompt_that_leaves_no_room_is_too_long_and_nothing_is_renamed(stub, backend_of):
    message = refusal(
        "'max_tokens' or 'max_completion_tokens' is too large: 64. This model's maximum context "
        "length is 4096 tokens and your request has 4090 input tokens. temperature: unsupported",
        "max_tokens",
    )
    async with stub.serving(stub.says(*message)) as endpoint:
        with pytest.raises(TooLong):
            await backend_of(endpoint).complete(REQUEST)
        assert len(endpoint.asked) == 1


async def test_a_limit_beyond_the_models_is_not_dropped(stub, backend_of):
    message = refusal("max_tokens is too large: 99999. It supports at most 16384.", "max_tokens")
    async with stub.serving(stub.says(*message)) as endpoint:
        with pytest.raises(JudgeError, match="at most 16384"):
            await backend_of(endpoint).complete(REQUEST)
        assert len(endpoint.asked) == 1


async def test_a_provider_that_failed_behind_its_gateway(stub, backend_of):
    await fails(stub, backend_of, Unreachable, stub.says(body("{", "error")))


async def test_a_key_that_is_none_does_not_garble_messages(stub, backend_of):
    said = stub.says({"error": {"message": "ollama is out of memory"}}, 500)
    raised = await fails(stub, backend_of, Unreachable, said, api_key="ollama")
    assert "ollama is out of memory" in raised.what


async def test_forms_step_down_one_by_one(stub, backend_of):
    script = [
        stub.says(*refusal("Invalid schema: 'minItems' is not permitted", "response_format")),
        stub.says(*refusal("response_format 'json_schema' is not supported", "response_format")),
        stub.says(*refusal("'response_format.type' must be 'text'")),
        stub.says(body()),
    ]
    async with stub.serving(*script) as endpoint:
        backend = backend_of(endpoint)
        first = await backend.complete(REQUEST)
        await backend.complete(REQUEST)
        asked = [a.json for a in endpoint.asked]
    assert first.dropped == ("response_format",)
    assert "minItems" not in json.dumps(asked[1])
    assert asked[1]["response_format"]["type"] == "json_schema"
    assert asked[2]["response_format"] == {"type": "json_object"}
    assert '"minItems":2' in asked[2]["messages"][1]["content"]
    assert "response_format" not in asked[3]
    assert len(asked) == 5
    assert asked[4] == asked[3]


async def test_a_schema_without_limits_goes_straight_to_json_mode(stub, backend_of):
    request = Request(text="x", schema=NO_LIMITS, schema_name="x", max_tokens=9)
    refused = stub.says(*refusal("This response_format type is unavailable now"))
    got, asked = await once(stub, backend_of, refused, stub.says(body()), request=request)
    assert asked[1].json["response_format"] == {"type": "json_object"}
    assert got.dropped == ("json_schema",)


async def test_a_system_role_that_is_refused_goes_into_the_question(stub, backend_of):
    refused = stub.says(*refusal("System role not supported"))
    _, asked = await once(stub, backend_of, refused, stub.says(body()))
    assert asked[1].json["messages"] == [{"role": "user", "content": "Be just.\n\nJudge."}]


async def test_a_refusal_of_something_else_is_no_reason_to_drop_anything(stub, backend_of):
    # The message quotes the prompt, which speaks of a temperature: nothing is learnt from it.
    script = [
        stub.says(*refusal("Invalid character in 'the temperature is 20 degrees'")),
        stub.says(*refusal("Invalid character in 'the temperature is 20 degrees'")),
        stub.says(body()),
    ]
    async with stub.serving(*script) as endpoint:
        backend = backend_of(endpoint)
        with pytest.raises(JudgeError, match="Invalid character"):
            await backend.complete(REQUEST)
        got = await backend.complete(REQUEST)
    assert got.dropped == ()


async def test_one_that_refuses_everything_is_asked_a_few_times_only(stub, backend_of):
    refused = stub.says(*refusal("temperature, max_tokens, response_format: unsupported"))
    async with stub.serving(refused) as endpoint:
        with pytest.raises(JudgeError):
            await backend_of(endpoint).complete(REQUEST)
        assert len(endpoint.asked) == 6


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (429, {"message": "slow down"}, Throttled),
        (429, {"message": "no credit", "code": "insufficient_quota"}, ShutOut),
        (529, {"message": "busy"}, Throttled),
        (503, {"message": "Loading model", "type": "unavailable_error"}, Throttled),
        (503, {"message": "down for maintenance"}, Unreachable),
        (500, {"message": "oops"}, Stumbled),
        (502, "bad gateway", Unreachable),
        (504, None, Unreachable),
        (408, {"message": "slow"}, Unreachable),
        (401, {"message": "Incorrect API key provided"}, ShutOut),
        (402, {"message": "pay"}, ShutOut),
        (404, {"message": "The model `gpt-x` does not exist"}, ShutOut),
        (403, {"message": "blocked"}, JudgeError),
        (400, {"message": "what?"}, JudgeError),
        (413, {"message": "Payload too large"}, TooLong),
        (400, {"message": "This model's maximum context length is 8192 tokens", "code":
               "context_length_exceeded"}, TooLong),
        (400, {"message": "the request exceeds the available context size"}, TooLong),
    ],
)  # fmt: skip
async def test_what_a_status_means(stub, backend_of, status, error, kind):
    raised = await fails(stub, backend_of, kind, stub.says({"error": error}, status))
    assert type(raised) is kind
    assert raised.where.startswith("http://127.0.0.1:")
    assert str(status) in raised.what


@pytest.mark.parametrize(
    "said", [{"message": "no"}, {"detail": "no"}, {"error": "no"}, [], 7, None]
)
async def test_errors_in_every_form(stub, backend_of, said):
    raised = await fails(stub, backend_of, JudgeError, stub.says(said, 418))
    assert "418" in raised.what


async def test_an_error_with_status_200(stub, backend_of):
    said = {"error": {"code": 429, "message": "upstream is busy"}}
    await fails(stub, backend_of, Throttled, stub.says(said))
    await fails(stub, backend_of, Unreachable, stub.says({"error": "upstream broke"}))


async def test_retry_after_is_handed_on(stub, backend_of):
    said = stub.says({}, 429, headers={"Retry-After": "7"})
    assert (await fails(stub, backend_of, Throttled, said)).retry_after == 7
    said = stub.says({}, 503, headers={"Retry-After": "3"})
    assert (await fails(stub, backend_of, Throttled, said)).retry_after == 3
    assert (await fails(stub, backend_of, Throttled, stub.says({}, 429))).retry_after is None


async def test_rate_headers_are_read(stub, backend_of):
    headers = {
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "1m0s",
    }
    got, _ = await once(stub, backend_of, stub.says(body(), headers=headers))
    assert got.wait_s == pytest.approx(1.0)


async def test_a_cut_connection(stub, backend_of):
    raised = await fails(stub, backend_of, Unreachable, stub.Reply(b'{"cho', fault="cut"))
    assert "connection broke" in raised.what
    assert "The log of the server" in raised.fix


async def test_a_hang(stub, backend_of):
    shared = Session(timeout_s=0.2)
    raised = await fails(stub, backend_of, Unreachable, stub.Reply(fault="hang"), session=shared)
    await shared.aclose()
    assert raised.what == "no answer within 0.2 s"
    assert "timeout_s" in raised.fix


async def test_a_body_without_end(stub, backend_of, monkeypatch):
    monkeypatch.setattr(session_module, "MAX_REPLY", 3_000_000)
    raised = await fails(stub, backend_of, Unreachable, stub.Reply(b"{", fault="endless"))
    assert "over 3,000,000 bytes" in raised.what


async def test_a_page_instead_of_json(stub, backend_of):
    page = stub.Reply(b"<html>Please log in</html>", content_type="text/html")
    raised = await fails(stub, backend_of, Unreachable, page)
    assert "text/html" in raised.what
    assert "base_url" in raised.fix
    assert "Please log in" in raised.detail


async def test_json_under_a_wrong_content_type_is_json(stub, backend_of):
    said = stub.Reply(json.dumps(body("{}")).encode(), content_type="text/plain")
    got, _ = await once(stub, backend_of, said)
    assert got.text == "{}"


@pytest.mark.parametrize("raw", [b"", b"null", b"[]", b"{}", b'{"choices": []}', b"\xff\xfe"])
async def test_what_is_no_completion(stub, backend_of, raw):
    await fails(stub, backend_of, Unreachable, stub.Reply(raw))


async def test_redirects_are_not_followed(stub, backend_of):
    async with stub.serving(stub.says(body())) as elsewhere:
        headers = {"Location": f"{elsewhere.origin}/v1?x=1"}
        said = stub.says({}, 307, headers=headers)
        raised = await fails(stub, backend_of, JudgeError, said)
        assert not elsewhere.asked
    assert "redirects (307)" in raised.what


def closed_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def test_a_closed_port(backend_of):
    backend = backend_of(None, base_url=f"http://127.0.0.1:{closed_port()}/v1")
    for call in (backend.complete(REQUEST), backend.check()):
        with pytest.raises(Unreachable, match=r"no connection to 127\.0\.0\.1") as raised:
            await call
        assert "Start the server" in raised.value.fix


async def test_a_host_that_is_not_known_is_told_at_once(backend_of, monkeypatch):
    async def unknown(*_, **__):
        raise OSError("Name or service not known")

    monkeypatch.setattr("aiohttp.resolver.ThreadedResolver.resolve", unknown)
    backend = backend_of(None, base_url="http://nowhere.invalid/v1")
    with pytest.raises(Unreachable, match=r"nowhere\.invalid is not known"):
        await backend.complete(REQUEST)


async def test_a_resolver_that_hangs_does_not_stall(backend_of, monkeypatch):
    async def hangs(*_, **__):
        await asyncio.sleep(100)

    monkeypatch.setattr("aiohttp.resolver.ThreadedResolver.resolve", hangs)
    monkeypatch.setattr(session_module, "CONNECT_S", 0.1)
    backend = backend_of(None, base_url="http://nowhere.invalid/v1")
    with pytest.raises(Unreachable, match=r"no connection within 0.1 s"):
        await backend.complete(REQUEST)


async def test_the_key_is_shown_nowhere(stub, backend_of):
    echo = {"message": f"bad key {KEY}, also cut: {KEY[:14]}"}
    async with stub.serving(stub.says({"error": echo}, 401)) as endpoint:
        backend = backend_of(endpoint)
        with pytest.raises(JudgeError) as raised:
            await backend.complete(REQUEST)
    error = raised.value
    for shown in (str(error), error.detail, repr(error), repr(backend), repr(backend._http)):
        assert KEY[:10] not in shown
    assert "[secret]" in error.what


async def test_a_login_in_the_address_goes_into_a_header(stub, backend_of):
    async with stub.serving(stub.says(body())) as endpoint:
        base = endpoint.origin.replace("://", "://user:p%40ss-word@") + "/v1"
        backend = backend_of(endpoint, base_url=base, api_key=None)
        await backend.complete(REQUEST)
        assert endpoint.asked[0].headers["authorization"] == "Basic dXNlcjpwQHNzLXdvcmQ="
        assert backend.endpoint == endpoint.origin


async def test_no_key_sends_none(stub, backend_of):
    _, asked = await once(stub, backend_of, stub.says(body()), api_key=None)
    assert "authorization" not in asked[0].headers


def test_azure_takes_its_own_header_and_version():
    backend = OpenAIBackend(
        "gpt",
        api_key=KEY,
        base_url="https://x.openai.azure.com/openai/deployments/gpt",
        api_version="2024-10-21",
    )
    http = backend._http
    assert http._headers["api-key"] == KEY
    assert "Authorization" not in http._headers
    assert http._url("/chat/completions") == (
        "https://x.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21"
    )


def test_openai_gets_the_newer_name_of_the_limit():
    sent = json.loads(OpenAIBackend("o9")._body(REQUEST, OpenAIBackend("o9")._manner))
    assert "max_completion_tokens" in sent
    assert "max_tokens" not in sent


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"base_url": "localhost:8000"}, "no HTTP address"),
        ({"base_url": "http://"}, "no HTTP address"),
        ({"base_url": "http://x:99999999/v1"}, "no HTTP address"),
        ({"base_url": "http://[::1/v1"}, "no HTTP address"),
        ({"api_key": "sk-\nx"}, "line break"),
        ({"api_key": "sk-…"}, "not ASCII"),
        ({"headers": {"a b": "c"}}, "no name of a header"),
    ],
)
def test_bad_settings(more, said):
    with pytest.raises(BadConfig, match=said):
        OpenAIBackend("m", **more)


@pytest.mark.parametrize(
    ("model", "warnings"), [("gpt-x", 0), ("llama3", 0), ("gpt-y", 1), ("other", 1)]
)
async def test_the_check_looks_the_model_up(stub, backend_of, model, warnings):
    listed = {"data": [{"id": "gpt-x"}, {"id": "llama3:latest"}]}
    async with stub.serving(stub.says(listed)) as endpoint:
        found = await backend_of(endpoint, model=model).check()
        assert endpoint.asked[0].method == "GET"
        assert endpoint.asked[0].path == "/v1/models"
        assert len(endpoint.asked) == 1  # nothing that could cost
    assert len(found) == warnings
    if model == "gpt-y":
        assert "did you mean 'gpt-x'" in found[0]


@pytest.mark.parametrize("status", [400, 403, 404, 405, 501])
async def test_a_server_without_a_list_is_no_warning(stub, backend_of, status):
    async with stub.serving(stub.says({}, status)) as endpoint:
        assert await backend_of(endpoint).check() == []


async def test_a_list_in_another_form_is_no_warning(stub, backend_of):
    async with stub.serving(stub.says(["gpt-x"]), stub.Reply(b"<html>")) as endpoint:
        assert await backend_of(endpoint).check() == []
        assert await backend_of(endpoint).check() == []


async def test_the_check_tells_a_bad_key(stub, backend_of):
    async with stub.serving(stub.says(*refusal("Incorrect API key", status=401))) as endpoint:
        with pytest.raises(ShutOut, match="401") as raised:
            await backend_of(endpoint).check()
    assert "key" in raised.value.fix


async def test_one_session_serves_many_models_and_keeps_connections(stub):
    async with stub.serving(stub.says(body())) as endpoint:
        shared = Session()
        backends = [
            OpenAIBackend(f"m{i}", base_url=f"{endpoint.origin}/v1", session=shared)
            for i in range(3)
        ]
        for _ in range(5):
            for backend in backends:
                await backend.complete(REQUEST)
        await backends[0].aclose()  # leaves a shared session alone
        await backends[1].complete(REQUEST)
        assert endpoint.connections == 1
        await shared.aclose()


def test_a_backend_outlives_its_event_loop(stub):
    async def ask(backend_of):
        async with stub.serving(stub.says(body())) as endpoint:
            backend = backend_of(endpoint)
            await backend.complete(REQUEST)
            await backend.aclose()

    kept = []

    def make(endpoint):
        if not kept:
            kept.append(OpenAIBackend("m", base_url=f"{endpoint.origin}/v1"))
        kept[0]._http._base = f"{endpoint.origin}/v1"
        return kept[0]

    asyncio.run(ask(make))
    asyncio.run(ask(make))


async def test_a_proxy_of_the_environment_is_used_but_never_for_this_machine(
    stub, backend_of, monkeypatch
):
    async with stub.serving(stub.says(body())) as proxy, stub.serving(stub.says(body())) as direct:
        monkeypatch.setenv("http_proxy", proxy.origin)
        monkeypatch.delenv("no_proxy", raising=False)
        await backend_of(None, base_url="http://models.example/v1").complete(REQUEST)
        assert proxy.asked[0].path == "http://models.example/v1/chat/completions"
        await backend_of(direct).complete(REQUEST)
        assert len(direct.asked) == 1


async def test_hostile_text_goes_through_unchanged(stub, backend_of):
    text = 'a\u0000b\u202e {x} "\\" \U0001f600 ```json {"verdicts": []}```'
    request = Request(text=text, schema=SCHEMA, schema_name="näme with spaces" * 9, max_tokens=9)
    got, asked = await once(stub, backend_of, stub.says(body(text)), request=request)
    assert got.text == text
    assert asked[0].json["messages"][0]["content"] == text
    name = asked[0].json["response_format"]["json_schema"]["name"]
    assert len(name) == 64
    assert name.isascii()


async def test_the_stub_as_a_program_lists_no_models_and_answers_to_any_name(stub, backend_of):
    async with stub.serving(stub.model) as endpoint:
        assert await backend_of(endpoint).check() == []
