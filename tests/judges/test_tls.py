"""Endpoints over TLS: a certificate that is not trusted is told with what helps, and never gone around.

The certificates in `tls/` are the tests' own: an authority, and three that it gave: to this machine, to
another host, and one that has run out.
"""

import asyncio
import os
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
from tests.judges.stub import Threaded, chat, says

from acidtest.errors import JudgeError
from acidtest.judges.openai_http import OpenAIBackend

TLS = Path(__file__).with_name("tls")
TOLD = "Name a file with your organisation's certificates in SSL_CERT_FILE"


def context(name):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(TLS / f"{name}.pem")
    return made


def model(asked):
    return chat(asked) if asked.method == "POST" else says({"data": []})


def serving(name):
    endpoint = Threaded(model, tls=context(name))
    endpoint.loop.set_exception_handler(lambda *_: None)  # clients that hang up in the handshake
    return endpoint


def run(folder, url, **environment):
    (folder / "golden.jsonl").write_text('{"id": "one", "question": "q?"}\n')
    (folder / "o.jsonl").write_text('{"id": "one", "answer": "Yes.", "contexts": ["Yes."]}\n')
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("SSL_", "OPENAI_", "ACIDTEST"))
    }
    return subprocess.run(
        [sys.executable, "-m", "acidtest", "run", "--golden", "golden.jsonl", "--outputs", "o.jsonl",
         "-m", "faithfulness", "--judge", "openai:m"],
        cwd=folder, env={**kept, "OPENAI_BASE_URL": url, **environment},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_a_certificate_of_an_unknown_authority_names_the_variable_that_helps(tmp_path):
    with serving("server") as endpoint:
        done = run(tmp_path, endpoint.url)
        assert done.returncode == 3
        assert "its certificate is not trusted" in done.stderr
        assert TOLD in done.stderr
        assert "Traceback" not in done.stderr
        assert endpoint.stub.asked == []
        helped = run(tmp_path, endpoint.url, SSL_CERT_FILE=str(TLS / "authority.pem"))
        assert helped.returncode == 0, helped.stderr
        assert len(endpoint.questions) == 1


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("elsewhere", "Check the address: the certificate is another host's"),
        ("expired", "certificate has expired. Renew it"),
    ],
)
def test_a_certificate_that_more_authorities_do_not_help_says_why(tmp_path, name, why):
    with serving(name) as endpoint:
        done = run(tmp_path, endpoint.url, SSL_CERT_FILE=str(TLS / "authority.pem"))
    assert done.returncode == 3
    assert why in done.stderr
    assert TOLD not in done.stderr


class Plain(asyncio.Protocol):
    """A server without TLS: whatever comes, it answers in plain HTTP."""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        self.transport.close()


async def test_https_to_a_server_without_tls_says_so():
    server = await asyncio.get_running_loop().create_server(Plain, "127.0.0.1", 0)
    address = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        backend = OpenAIBackend("m", base_url=f"{address}/v1")
        with pytest.raises(JudgeError, match="it does not speak TLS") as raised:
            await backend.check()
        await backend.aclose()
    assert address.replace("https:", "http:") in raised.value.fix
