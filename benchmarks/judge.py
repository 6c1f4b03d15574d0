"""What a judged run costs beside the model: `python benchmarks/judge.py [--cases 200] [--in-flight 16]`.

The command line runs as a process of its own, against a stub of a model that is another process and takes
a fixed time a call. Recorded answers, four judged metrics a case, everything on the way: files, plan, store,
journal, prompts, limits, HTTP, parsing, scores, the run's JSON. Then the same command again, which asks
nothing; and one with another store where a share of the calls fails (429, 500, broken JSON).

Printed: calls, most of them in flight, wall time from the first call to the last over the ideal (calls x
latency / in flight), wall and processor time of the whole process, processor time a call, peak memory,
and metrics without a score. The layers one by one: `benchmarks/judge_layers.py`.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

METRICS = ("faithfulness", "answer_relevance", "context_precision_judged", "context_recall")
WORDS = (Path(__file__).resolve().parents[1] / "docs/index.md").read_text().split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--latency-ms", type=float, default=50.0)
    parser.add_argument("--faults", type=float, default=0.05)
    options = parser.parse_args()
    stub = Path(__file__).with_name("judge_stub.py")
    command = [sys.executable, str(stub), "--latency-ms", str(options.latency_ms)]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as endpoint,
    ):
        try:
            origin = json.loads(endpoint.stdout.readline())["origin"]
            write(Path(folder), options.cases)
            print(
                f"{options.cases} cases, {options.in_flight} in flight, {options.latency_ms:g} ms"
            )
            for name, store, faults in (
                ("first run", "a", 0.0),
                ("the same again", "a", 0.0),
                (f"{options.faults:.0%} faults", "b", options.faults),
            ):
                print(
                    f"{name:15}", told(run(Path(folder), origin, store, faults, options), options)
                )
        finally:
            endpoint.kill()


def write(folder: Path, cases: int) -> None:
    """Write a golden set and recorded answers: five passages of 120 words, three sentences each."""
    draw = random.Random(11)

    def text(words: int) -> str:
        return " ".join(draw.choices(WORDS, k=words)) + "."

    with (folder / "golden.jsonl").open("w") as golden, (folder / "rows.jsonl").open("w") as rows:
        for n in range(cases):
            question = f"What does number {n} say?"
            case = {
                "id": f"c{n}",
                "question": question,
                "reference": " ".join(text(16) for _ in "abc"),
            }
            row = {"id": f"c{n}", "answer": " ".join(text(16) for _ in "abc")}
            retrieved = [{"id": f"{n}.{m}", "text": text(120)} for m in range(5)]
            golden.write(json.dumps(case) + "\n")
            rows.write(json.dumps(row | {"retrieved": retrieved}) + "\n")


def run(folder: Path, origin: str, store: str, faults: float, options: Any) -> dict[str, float]:
    """Run the command once; return what it took, here and at the endpoint."""
    asked(origin, "/control", {"faults": faults})
    command = [
        sys.executable, "-m", "acidtest", "run", "--golden", "golden.jsonl", "--outputs", "rows.jsonl",
        *(word for name in METRICS for word in ("-m", name)),
        "--judge", "openai:stub", "--concurrency", str(options.in_flight),
        "--store", f"sqlite:///{store}.db", "--json", "run.json",
    ]  # fmt: skip
    environment = {**os.environ, "OPENAI_BASE_URL": f"{origin}/v1", "OPENAI_API_KEY": "sk-stub"}
    began = time.perf_counter()
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit((folder / "log").read_text())
    taken = {
        "wall": time.perf_counter() - began,
        "cpu": used.ru_utime + used.ru_stime,
        "mb": used.ru_maxrss / 1024,
    }
    metrics = json.loads((folder / "run.json").read_bytes())["metrics"]
    lost = sum(each["n"] - each["scored"] for each in metrics.values())
    return asked(origin, "/stats") | taken | {"lost": lost}


def asked(origin: str, path: str, body: Any = None) -> dict[str, float]:
    """Ask the endpoint for something else than a judgement."""
    connection = HTTPConnection(origin.removeprefix("http://"))
    method, data = ("GET", None) if body is None else ("POST", json.dumps(body).encode())
    connection.request(method, path, data)
    counts: dict[str, float] = json.loads(connection.getresponse().read())
    connection.close()
    return counts


def told(got: dict[str, float], options: Any) -> str:
    """Say in one line what a run took."""
    calls = got["calls"]
    line = f"{calls:5} calls ({got['failed']} failed, {got['peak']} at once)"
    if calls:
        ideal = calls * options.latency_ms / 1000 / options.in_flight
        line += f"  {got['span_s'] / ideal:5.2f} x ideal  {1000 * got['cpu'] / calls:.2f} ms a call"
    return (
        f"{line}  whole: {got['wall']:.2f} s, processor {got['cpu']:.2f} s, {got['mb']:.0f} MB, "
        f"{got['lost']} without a score"
    )


if __name__ == "__main__":
    main()
