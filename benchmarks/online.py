"""How fast `acidtest serve` stores traces, and what is left of them after it was killed or the disk was full.

A generator of OTLP traffic stands beside it (`--load`, a program that takes a URL and prints JSON); without
it nothing is measured. Every scenario starts a server on a new store; what it says is durable before it is
acknowledged, so the rate of acknowledgements is the rate of storing.

    python benchmarks/online.py                                  # all, 20 seconds each
    python benchmarks/online.py --seconds 120 --only load,rate   # the long ones
    python benchmarks/online.py --only kill --kills 20           # kill -9 under load, ids compared

Reach: 8,000 spans a second on SQLite and 4,000 on PostgreSQL (5 kB a span, 64 a request, 8 connections, 2
cores), p99 under 100 ms, under 20 ms at 2,000 a second, 0.1 ms of processor a span, under 150 MB.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from online_servers import postgres, serving

LOAD = Path(__file__).resolve().parents[2] / "shared" / "bench" / "otlp_load.py"
SCENARIOS = ("load", "json", "rate", "over", "kill", "full")
SHOWN = {
    "acked_spans_per_s": "spans/s",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "cpu_ms_per_acked_span": "cpu ms/span",
    "rss_start_MB": "MB at first",
    "rss_peak_MB": "MB at most",
    "statuses": "answers",
    "understood": "traces understood",
    "behind": "due",
}
_FULL = 60 << 20
"""Bytes that a file may have while the disk counts as full."""


def ids_of(store: str) -> list[str]:
    """Return the span ids of a store, one a row."""
    from sqlalchemy import select

    from acidtest.store.spans import SpanStore
    from acidtest.store.trace_tables import spans

    with SpanStore(store) as opened, opened._engine.connect() as connection:  # noqa: SLF001
        return [row[0] for row in connection.execute(select(spans.c.span_id))]


def understood(store: str) -> tuple[int, int]:
    """Return how many traces the server has understood, and how many are due."""
    from acidtest.store.traces import TraceStore

    with TraceStore(store) as opened:
        return opened.count(), opened.waiting(time.time_ns() // 1_000_000)[1]


def load(program: Path, address: str, *options: object) -> dict[str, Any]:
    """Run the generator against a server."""
    command = [sys.executable, str(program), f"{address}/v1/traces", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def told(name: str, found: dict[str, Any]) -> None:
    """Print one line of a measurement, with how busy the machine was."""
    shown = ", ".join(f"{words} {found[key]}" for key, words in SHOWN.items() if key in found)
    print(f"{name:24} {shown}, machine load {os.getloadavg()[0]:.1f}", flush=True)


def measured(args: argparse.Namespace, name: str, store: str, *options: object) -> dict[str, Any]:
    """Measure one kind of load on a new store."""
    with serving(store, args.folder, args.serve) as (address, process):
        found = load(args.load, address, "-t", args.seconds, "--pid", process.pid, *options)
        if not args.serve:
            found["understood"], found["behind"] = understood(store)
    told(name, found)
    return found


def killed(args: argparse.Namespace, kind: str, store: str) -> dict[str, int]:
    """Kill the server under load again and again, and compare ids each time."""
    total = {"kills": 0, "acked_spans": 0, "missing_acked_spans": 0, "duplicate_rows": 0}
    ids = f"{sys.executable} {__file__} --ids '{store}'"
    out = args.folder / "killed.json"
    for n in range(args.kills):
        with serving(store, args.folder, args.serve) as (address, process):
            after = 0.7 + 0.17 * n % 1.3
            load(
                args.load,
                address,
                "--kill-after",
                after,
                "--pid",
                process.pid,
                "--out",
                out,
                "--seed",
                n,
            )
        with serving(store, args.folder, args.serve):  # it comes back on what is there
            verify = [sys.executable, str(args.load), "--verify", str(out), "--ids-cmd", ids]
            found = json.loads(subprocess.run(verify, capture_output=True, check=True).stdout)
        total["kills"] += 1
        for key in ("acked_spans", "missing_acked_spans", "duplicate_rows"):
            total[key] += found[key]
    print(f"{'kill -9, ' + kind:24} {json.dumps(total)}", flush=True)
    return total


def full(args: argparse.Namespace, store: str) -> dict[str, Any]:
    """Fill the disk (a limit on the size of files) under load, make room, and go on."""
    endless = resource.RLIM_INFINITY
    with serving(store, args.folder, args.serve) as (address, process):
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (_FULL, endless))
        filled = load(args.load, address, "-t", args.seconds, "--pid", process.pid)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (endless, endless))
        time.sleep(1)
        after = load(args.load, address, "-t", 5, "--pid", process.pid, "--seed", 8)
    kept = len(set(ids_of(store)))
    found = {
        "while full": filled["statuses"],
        "with room again": after["statuses"],
        "acknowledged": filled["acked_spans"] + after["acked_spans"],
        "stored": kept,
    }
    print(f"{'disk full, sqlite':24} {json.dumps(found)}", flush=True)
    return found


def run(args: argparse.Namespace, kind: str, store: Any) -> dict[str, Any]:
    """Run the chosen scenarios on one kind of store; `store` makes the URL of a new one."""
    found: dict[str, Any] = {}
    kinds: dict[str, tuple[object, ...]] = {
        "load": (),
        "json": ("--format", "json"),
        "over": ("-c", 256),
    }
    kinds |= {f"rate {each}": ("--rate", each) for each in args.rates if "rate" in args.only}
    for scenario, options in kinds.items():
        if scenario in args.only or scenario.startswith("rate"):
            found[scenario] = measured(args, f"{scenario}, {kind}", store(), *options)
    if "over" in found and "load" in found:
        share = found["over"]["acked_spans_per_s"] / found["load"]["acked_spans_per_s"]
        print(f"{'over capacity, ' + kind:24} {share:.0%} of the peak is still stored", flush=True)
    if "kill" in args.only:
        found["kill"] = killed(args, kind, store())
    if "full" in args.only and kind == "sqlite":
        found["full"] = full(args, store())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--load", type=Path, default=LOAD, help="the generator")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--only", default=",".join(SCENARIOS), help="scenarios, with commas")
    parser.add_argument("--stores", default="sqlite,postgres")
    parser.add_argument("--rates", default="2000", help="spans a second, with commas")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--no-worker", action="store_true", help="only take spans")
    parser.add_argument("--json", type=Path, help="write all figures here")
    parser.add_argument("--ids", metavar="STORE", help="print the span ids of a store, and end")
    args = parser.parse_args()
    if args.ids:
        sys.stdout.write("\n".join(ids_of(args.ids)) + "\n")
        return
    if not args.load.is_file():
        print(f"The generator {args.load} is not there: nothing is measured. Name one with --load.")
        return
    args.only = args.only.split(",")
    args.rates = [int(each) for each in args.rates.split(",")]
    args.serve = ("--no-worker",) if args.no_worker else ()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="acidtest-online-") as name:
        args.folder = folder = Path(name)
        numbers = iter(range(1000))
        if "sqlite" in args.stores:
            found["sqlite"] = run(args, "sqlite", lambda: str(folder / f"{next(numbers)}.db"))
        if "postgres" in args.stores:
            with postgres(folder) as url:
                if url is not None:
                    found["postgres"] = run(
                        args, "postgres", lambda: new_database(url, next(numbers))
                    )
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))


def new_database(url: str, number: int) -> str:
    """Make an empty database on a server, and return its URL."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE d{number}")  # type: ignore[arg-type] # our own name
    return url.replace("/postgres?", f"/d{number}?")


if __name__ == "__main__":
    main()
