"""Starting what benchmarks/online.py measures: `acidtest serve`, and a PostgreSQL server of its own."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(
    store: str, folder: Path, options: tuple[str, ...] = ()
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Run a server on a store; gives its address and process, which may be killed meanwhile."""
    command = [sys.executable, "-m", "acidtest", "serve", "--port", "0", "--store", store]
    with (folder / "serve.err").open("a") as errors:
        process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder
        )
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line.startswith("Serving on "):
            raise SystemExit((folder / "serve.err").read_text())
        yield line.split()[-1], process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=60)


@contextmanager
def postgres(folder: Path) -> Iterator[str | None]:
    """Run a PostgreSQL server with its usual durability; gives a URL, or None where it is not installed."""
    found = shutil.which("initdb")
    place = Path(found).resolve().parent if found else None
    if place is None:
        print("PostgreSQL is not installed: left out.")
        yield None
        return
    home = Path(tempfile.mkdtemp(prefix="acidtest-pg-", dir=folder))
    user: dict[str, object] = {}
    if os.geteuid() == 0:
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
        for each in (folder, home):
            each.chmod(0o755)
        shutil.chown(home, "postgres")
    with (folder / "postgres.log").open("wb") as log:
        told = {"stdout": log, "stderr": log, "cwd": "/", **user}
        initdb = [
            place / "initdb",
            "-D",
            home / "data",
            "-U",
            "acidtest",
            "-A",
            "trust",
            "-E",
            "UTF8",
        ]
        subprocess.run([*initdb, "--locale=C.UTF-8"], check=True, **told)  # type: ignore[call-overload]
        quiet = ["-k", home, "-c", "listen_addresses="]
        server = subprocess.Popen(  # type: ignore[call-overload]
            [place / "postgres", "-D", home / "data", *quiet], **told
        )
    try:
        until = time.monotonic() + 30
        while not (home / ".s.PGSQL.5432").exists() and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(0.5)
        yield f"postgresql://acidtest@/postgres?host={home}"
    finally:
        server.send_signal(2)
        server.wait(60)
        shutil.rmtree(home, ignore_errors=True)
