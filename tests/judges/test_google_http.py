"""Google's generateContent, imitated as documented, over real sockets on this machine."""

import pytest

from acidtest.errors import JudgeError
from acidtest.judges.backend import Request, Stumbled, Throttled, Unreachable
from acidtest.judges.circuit import ShutOut
from acidtest.judges.faults import TooLong
from acidtest.judges.google_http import GoogleBackend

KEY = "AIza-s3cr3t-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {"verdicts": {"type": "array", "items": {"type": "string"}, "minItems": 2}},
    "required": ["verdicts"],
    "additionalProperties": False,
}
REQUEST = Request(text="Judge.", schema=SCHEMA, schema_name="x", max_tokens=64, system="Be just.")


def body(text="{}", finish="STOP", **more):
    parts = [{"text": "{hm}", "thought": True}, {"text": text[:1]}, {"text": text[1:]}]
    return {
        "candidates": [
            {"content": {"parts": parts, "role": "model"}, "finishReason": finish, "index": 0}
        ],
        "usageMetadata": {
            "promptTokenCount": 100,
            "candidatesTokenCount": 7,
            "thoughtsTokenCount": 30,
            "cachedContentTokenCount": 60,
            "totalTokenCount": 137,
        },
        "modelVersion": "gemini-x-001",
    } | more


def error(stub, code, status, message, details=()):
    said = {"code": code, "message": message, "status": status, "details": list(details)}
    return stub.says({"error": said}, code)


async def once(stub, *script, times=1, model="gemini-x"):
    async with stub.serving(*script) as endpoint:
        backend = GoogleBackend(model, api_key=KEY, base_url=f"{endpoint.origin}/v1beta")
        try:
            for _ in range(times):
                got = await backend.complete(REQUEST)
            return got, endpoint.asked
        finally:
            await backend.aclose()


async def test_the_most_room_is_learnt(stub):
    message = (
        "Unable to submit request because it has a maxOutputTokens value of 64 but the supported "
        "range is from 1 (inclusive) to 41 (exclusive). Update the value and try again."
    )
    refused = error(stub, 400, "INVALID_ARGUMENT", message)
    got, asked = await once(stub, refused, stub.says(body()), times=2)
    assert [a.json["generationConfig"]["maxOutputTokens"] for a in asked] == [64, 40, 40]
    assert got.room == 40


@pytest.mark.parametrize("model", ["gemini-x", "models/gemini-x"])
async def test_what_goes_out_and_comes_back(stub, model):
    got, asked = await once(stub, stub.says(body('{"verdicts": []}')), model=model)
    assert asked[0].path == "/v1beta/models/gemini-x:generateContent"
    assert asked[0].headers["x-goog-api-key"] == KEY
    assert asked[0].json == {
        "contents": [{"role": "user", "parts": [{"text": "Judge."}]}],
        "systemInstruction": {"parts": [{"text": "Be just."}]},
        "generationConfig": {
            "maxOutputTokens": 64,
            "temperature": 0.0,
            "responseMimeType": "application/json",
            "responseJsonSchema": SCHEMA,
        },
    }
    assert got.text == '{"verdicts": []}'
    assert (got.model, got.finish) == ("gemini-x-001", "stop")
    assert (got.input_tokens, got.output_tokens, got.cached_tokens) == (100, 37, 60)


@pytest.mark.parametrize(
    ("said", "finish"),
    [
        (body("{}", "MAX_TOKENS"), "length"),
        (body("{}", "SAFETY"), "filtered"),
        (body("{}", "RECITATION"), "filtered"),
        (body("{}", "PROHIBITED_CONTENT"), "filtered"),
        ({"promptFeedback": {"blockReason": "SAFETY"}}, "filtered"),
        ({"candidates": [{"finishReason": "MAX_TOKENS", "content": {"role": "model"}}]}, "length"),
        ({"candidates": [{"finishReason": "SAFETY"}]}, "filtered"),
    ],
)
async def test_how_it_ends(stub, said, finish):
    got, _ = await once(stub, stub.says(said))
    assert got.finish == finish


async def test_forms_step_down_one_by_one(stub):
    got, asked = await once(
        stub,
        error(stub, 400, "INVALID_ARGUMENT", "The specified schema produces too many states"),
        error(
            stub,
            400,
            "INVALID_ARGUMENT",
            "Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.",
        ),
        error(stub, 400, "INVALID_ARGUMENT", "response_schema is not supported by this model"),
        error(stub, 400, "INVALID_ARGUMENT", "JSON mode is not enabled for this model"),
        stub.says(body()),
        times=2,
    )
    configs = [a.json["generationConfig"] for a in asked]
    assert configs[0]["responseJsonSchema"]["properties"]["verdicts"]["minItems"] == 2
    assert "minItems" not in configs[1]["responseJsonSchema"]["properties"]["verdicts"]
    assert "additionalProperties" not in configs[2]["responseSchema"]
    assert configs[3]["responseMimeType"] == "application/json"
    assert not {"responseSchema", "responseJsonSchema"} & set(configs[3])
    assert "responseMimeType" not in configs[4]
    assert "minItems" in asked[4].json["contents"][0]["parts"][0]["text"]
    assert got.dropped == ("response_format",)
    assert len(asked) == 6


async def test_the_body_says_when_to_come_back(stub):
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]
    said = error(stub, 429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", details)
    with pytest.raises(Throttled) as raised:
        await once(stub, said)
    assert raised.value.retry_after == 34.5


@pytest.mark.parametrize(
    ("code", "status", "message", "kind"),
    [
        (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", ShutOut),
        (403, "PERMISSION_DENIED", "not for you", JudgeError),
        (404, "NOT_FOUND", "models/gemini-x is not found", ShutOut),
        (
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200000) exceeds the maximum number of tokens allowed",
            TooLong,
        ),
        (500, "INTERNAL", "oops", Stumbled),
        (503, "UNAVAILABLE", "The model is overloaded. Please try again later.", Throttled),
        (504, "DEADLINE_EXCEEDED", "slow", Unreachable),
    ],
)
async def test_what_an_error_means(stub, code, status, message, kind):
    with pytest.raises(JudgeError) as raised:
        await once(stub, error(stub, code, status, message))
    assert type(raised.value) is kind


@pytest.mark.parametrize("said", [{}, {"candidates": []}, [], {"candidates": 7}])
async def test_what_is_no_response(stub, said):
    with pytest.raises(Unreachable):
        await once(stub, stub.says(said))


async def test_the_check_looks_the_model_up(stub):
    missing = error(stub, 404, "NOT_FOUND", "models/gemini-x is not found")
    bad = error(stub, 400, "INVALID_ARGUMENT", f"API key not valid: {KEY}")
    found = stub.says({"name": "models/gemini-x"})
    async with stub.serving(found, missing, bad) as endpoint:
        backend = GoogleBackend("gemini-x", api_key=KEY, base_url=endpoint.origin)
        assert await backend.check() == []
        assert len(await backend.check()) == 1
        with pytest.raises(ShutOut) as raised:
            await backend.check()
        await backend.aclose()
        assert endpoint.asked[0].path == "/models/gemini-x"
    assert KEY not in f"{raised.value}{raised.value.detail}{backend!r}"
