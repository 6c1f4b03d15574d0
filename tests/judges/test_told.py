"""What endpoints tell beside the verdict: oddities that must neither cost a reply nor a run, nor show a key."""

import json

import msgspec
import pytest

from acidtest.errors import BadConfig, JudgeError
from acidtest.judges.anthropic_http import AnthropicBackend
from acidtest.judges.backend import Request, Unreachable
from acidtest.judges.google_http import GoogleBackend
from acidtest.judges.openai_embed import OpenAIEmbedder
from acidtest.judges.openai_http import OpenAIBackend
from acidtest.judges.told import MOST_TOKENS, count, named, read, word

KEY = "sk-s3cr3t-0123456789abcdef"
DEEP = b"[" * 100_000 + b"]" * 100_000
REQUEST = Request(
    text="Judge.", schema={"type": "object"}, schema_name="faith", max_tokens=64, system="Be just."
)
ANY = msgspec.json.Decoder()

OPENAI = {
    "model": "x-1",
    "choices": [{"message": {"content": "fine"}, "finish_reason": "stop"}],
    "usage": "@",
}
ANTHROPIC = {
    "model": "x-1",
    "content": [{"type": "text", "text": "fine"}],
    "stop_reason": "end_turn",
    "usage": "@",
}
GOOGLE = {
    "modelVersion": "x-1",
    "candidates": [{"content": {"parts": [{"text": "fine"}]}, "finishReason": "STOP"}],
    "usageMetadata": "@",
}


async def complete(stub, said, kind=OpenAIBackend, **more):
    raw = said if isinstance(said, bytes) else json.dumps(said).encode()
    async with stub.serving(stub.Reply(raw, **more)) as endpoint:
        backend = kind("m", api_key=KEY, base_url=f"{endpoint.origin}/v1")
        try:
            return await backend.complete(REQUEST)
        finally:
            await backend.aclose()


@pytest.mark.parametrize(
    ("told", "found"),
    [
        (12, 12),
        (12.0, 12),
        (12.5, 12),
        (0, 0),
        (-5, 0),
        (MOST_TOKENS, MOST_TOKENS),
        (MOST_TOKENS + 1, 0),
        (10**400, 0),
        (float("inf"), 0),
        (float("nan"), 0),
        (True, 0),
        ("12", 0),
        (None, 0),
        ([], 0),
    ],
)
def test_a_count_that_cannot_be_is_unknown(told, found):
    assert count({"details": {"tokens": told}}, "details", "tokens") == found


@pytest.mark.parametrize("told", [None, [], "x", 3, {"details": None}, {"details": [1]}])
def test_no_counts_at_all(told):
    assert count(told, "details", "tokens") == 0


def test_names_and_words():
    assert [word(x) for x in ("a", None, 3, {})] == ["a", None, None, None]
    assert [named(x, "m") for x in ("a", "", None, 3)] == ["a", "m", "m", "m"]
    assert len(named("x" * 10_000, "m")) == 200


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b'{"a": "x\\ud800y"}', {"a": "x\ufffdy"}),
        (b'{"a": NaN, "b": 1e400}', {"a": None, "b": float("inf")}),
        (b'{"a": ' + b"9" * 5000 + b', "b": NaN}', {"a": None, "b": None}),
    ],
)
def test_what_json_forbids_in_small_things_is_read(body, value):
    assert read(body, ANY) == value


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff", DEEP, b"[" * 100_000, b"\xfe\xff\0{"])
def test_what_is_no_json_is_one_error(body):
    with pytest.raises(ValueError, match=r"^[^\n]{5,120}$"):
        read(body, ANY)


@pytest.mark.parametrize(
    "usage",
    [
        "[]", "3", '"many"', "null", "NaN", "1e400", "{}",
        '{"prompt_tokens": -5, "input_tokens": -5, "promptTokenCount": -5}',
        '{"prompt_tokens": "12", "input_tokens": "12", "promptTokenCount": "12"}',
        '{"prompt_tokens": 1e30, "input_tokens": 1e30, "promptTokenCount": 1e30}',
        f'{{"prompt_tokens": {"9" * 400}, "input_tokens": {"9" * 400}, "promptTokenCount": {"9" * 400}}}',
        '{"prompt_tokens_details": [], "cache_read_input_tokens": [], "thoughtsTokenCount": []}',
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("kind", "reply"),
    [(OpenAIBackend, OPENAI), (AnthropicBackend, ANTHROPIC), (GoogleBackend, GOOGLE)],
)
async def test_a_reply_counts_whatever_its_usage_is(stub, kind, reply, usage):
    completion = await complete(stub, json.dumps(reply).replace('"@"', usage).encode(), kind)
    assert (completion.text, completion.input_tokens) == ("fine", 0)
    assert completion.output_tokens == completion.cached_tokens == 0


async def test_counts_written_as_floats_count(stub):
    usage = {"prompt_tokens": 12.0, "completion_tokens": 3.0}
    completion = await complete(stub, OPENAI | {"usage": usage})
    assert (completion.input_tokens, completion.output_tokens) == (12, 3)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": 3}, ""),
        ({"content": {"verdict": "yes"}}, '{"verdict":"yes"}'),
        ({"content": ["a", {"type": "text", "text": 3}, {"type": 3}, {"text": "b"}]}, "b"),
        ({"content": "fine", "refusal": {"no": 1}}, "fine"),
    ],
)
async def test_a_message_of_another_form_is_a_reply_all_the_same(stub, message, text):
    said = OPENAI | {"choices": [{"message": message, "finish_reason": 7}], "model": ["x"]}
    completion = await complete(stub, said)
    assert (completion.text, completion.finish, completion.model) == (text, "stop", "m")


@pytest.mark.parametrize("status", [200, 400, 403, 429, 500])
@pytest.mark.parametrize("kind", [OpenAIBackend, AnthropicBackend, GoogleBackend])
async def test_a_body_nested_beyond_measure_is_an_error_like_others(stub, kind, status):
    with pytest.raises(JudgeError):
        await complete(stub, b'{"error": ' + DEEP + b"}", kind, status=status)


async def test_lists_of_models_nested_beyond_measure_tell_nothing(stub):
    async with stub.serving(stub.Reply(b'{"data": ' + DEEP + b"}")) as endpoint:
        backend = OpenAIBackend("m", base_url=f"{endpoint.origin}/v1")
        assert await backend.check() == []
        await backend.aclose()


async def test_embeddings_nested_beyond_measure(stub):
    async with stub.serving(stub.Reply(b'{"meta": ' + DEEP + b"}")) as endpoint:
        embedder = OpenAIEmbedder("m", base_url=f"{endpoint.origin}/v1")
        with pytest.raises(Unreachable, match="nested too deeply"):
            await embedder.embed(["a"])
        await embedder.aclose()


def _escaped(text):
    return "".join(f"\\u{ord(c):04x}" for c in text)


@pytest.mark.parametrize("key", [KEY, _escaped(KEY)], ids=["plain", "escaped"])
@pytest.mark.parametrize(
    "said",
    [
        OPENAI | {"choices": [{"message": {"content": "your key is @KEY"}}]},
        OPENAI | {"choices": [{"message": {"content": None, "refusal": "not with @KEY"}}]},
        OPENAI | {"model": "@KEY"},
    ],
)
async def test_a_reply_that_echoes_the_key_is_kept_without_it(stub, said, key):
    completion = await complete(stub, json.dumps(said).replace("@KEY", key).encode())
    assert KEY not in repr(completion)
    assert "[secret]" in completion.text + completion.model


@pytest.mark.parametrize("key", [KEY, _escaped(KEY)], ids=["plain", "escaped"])
async def test_a_content_filter_that_echoes_the_key(stub, key):
    said = b'{"error": {"message": "with @KEY", "code": "content_filter"}}'
    completion = await complete(stub, said.replace(b"@KEY", key.encode()), status=400)
    assert completion.finish == "filtered"
    assert completion.text == "with [secret]"


async def test_a_list_of_models_that_echoes_the_key(stub):
    async with stub.serving(stub.says({"data": [{"id": KEY}]})) as endpoint:
        backend = OpenAIBackend("m", api_key=KEY, base_url=f"{endpoint.origin}/v1")
        [warning] = await backend.check()
        await backend.aclose()
    assert KEY not in warning


async def test_secrets_of_the_address_are_blackened_too(stub):
    """Those of its query, and the login as the header has it."""
    login = "dXNlcjpwYXNzLXdvcmQtMQ=="
    async with stub.serving(
        stub.says({"error": f"?api-version=2025-01-01&key=q-secret-1, Basic {login}"}, 400)
    ) as endpoint:
        base = endpoint.origin.replace("://", "://user:pass-word-1@")
        backend = OpenAIBackend("m", base_url=f"{base}/v1?api-version=2025-01-01&key=q-secret-1")
        with pytest.raises(JudgeError) as raised:
            await backend.complete(REQUEST)
        await backend.aclose()
    shown = f"{raised.value} {raised.value.detail}"
    assert "q-secret" not in shown
    assert login not in shown
    assert "2025-01-01" in shown


async def test_a_broken_answer_shows_no_secret_of_the_address(stub):
    reply = stub.Reply(b"{}", headers={"X": "y" * 20_000})
    async with stub.serving(reply) as endpoint:
        backend = OpenAIBackend("m", base_url=f"{endpoint.origin}/v1?key=q-secret-1")
        with pytest.raises(Unreachable) as raised:
            await backend.complete(REQUEST)
        await backend.aclose()
    assert "q-secret" not in f"{raised.value} {raised.value!r}"


@pytest.mark.parametrize(
    "host", ["a..b", "a" * 64 + ".example", ".example", "999.1.1.1", "1.2.3", "a" * 300]
)
def test_a_host_that_no_network_knows_is_told_at_once(host):
    with pytest.raises(BadConfig, match="is no HTTP address"):
        OpenAIBackend("m", base_url=f"http://{host}/v1")


@pytest.mark.parametrize("host", ["my_service", "例え.example", "[::1]:80", "a.example.", "7b.ai"])
def test_a_host_that_a_network_may_know(host):
    assert OpenAIBackend("m", base_url=f"http://{host}/v1").endpoint == f"http://{host}"
