"""The server redacts before it stores, and tells the sender what it refused."""

import json
import subprocess
import sys
import urllib.request

import pytest

MAIL = "anna@mail.example"


@pytest.fixture
def address(folder):
    (folder / "mine.py").write_text(
        "def clean(text):\n    if 'refuse' in text:\n        raise ValueError(text)\n    return text\n"
    )
    (folder / "acidtest.toml").write_text(
        '[online]\nredact = ["email"]\nredact_with = "mine.py:clean"\n'
    )
    command = [sys.executable, "-m", "acidtest", "serve", "--port", "0", "--no-worker"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()
            told = server.communicate(timeout=20)[0]
            assert MAIL not in told
            assert "Traceback" not in told


def span(number: int, text: str) -> dict:
    return {
        "traceId": "5b8efff798038103d269b633813fc60c",
        "spanId": f"{number:016x}",
        "name": text,
        "startTimeUnixNano": "1764489600000000000",
        "endTimeUnixNano": "1764489601000000000",
        "attributes": [{"key": "input.value", "value": {"stringValue": text}}],
    }


def test_nothing_reaches_the_store_and_the_sender_is_told(address, folder):
    spans = [span(1, f"ask {MAIL}"), span(2, f"refuse {MAIL}")]
    body = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()
    request = urllib.request.Request(
        f"{address}/v1/traces", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        told = json.load(answer)["partialSuccess"]
    assert int(told["rejectedSpans"]) == 1
    assert "could not be redacted" in told["errorMessage"]
    assert MAIL not in told["errorMessage"]
    # While it runs: also what the log beside the database holds.
    stored = b"".join(path.read_bytes() for path in (folder / ".acidtest").iterdir())
    assert MAIL.encode() not in stored
    assert b"ask [email]" in stored
