"""How long the pages of live traffic take over many traces, and how much memory the server needs for them.

A store is filled with traces as they are understood (their bodies as long as said), a tenth of them scored;
then `acidtest serve` is started and each page is asked for. Processor time is what counts: it is the same on
a busy machine. "New" is a page that nobody asked for in the last minute.

    python benchmarks/online_pages.py                          # 100,000 traces of 40 kB in SQLite
    python benchmarks/online_pages.py --traces 5000            # in a few seconds
    python benchmarks/online_pages.py --postgres               # in a PostgreSQL server of its own
    python benchmarks/online_pages.py --store /tmp/pages.db    # kept, and used again

A search reads what the database holds; the first one after a start may have to wait for the disk.

Reach at 100,000 traces on SQLite: the dashboard in about 1 s of processor time, a search that finds nothing
under 0.5 s, under 150 MB.
"""

import argparse
import http.client
import os
import random
import tempfile
import time
from http import HTTPStatus
from pathlib import Path

import psutil

from acidtest.codec.lossy import encoded
from acidtest.data.answers import Chunk, Latency, Usage
from acidtest.data.outcomes import Score
from acidtest.data.traces import Feedback, Trace
from acidtest.online.sample import sampled
from acidtest.store.trace_saving import Understood
from acidtest.store.trace_tables import trace_scores
from acidtest.store.traces import TraceStore
from online_servers import postgres, serving

DAYS = 14
DAY_MS = 86_400_000
BATCH = 500
CHUNKS = 10
NAMES = 5_000
SHARE = 0.1
METRICS = ("faithfulness", "answer_relevance", "citation_validity")
TEXT = (
    "battery warranty return refund shipping order invoice account password device cover month day item "
    "store contact please within after before repair screen charge cable address change cancel price "
    "discount member support answer question policy customer delivery parcel missing broken replace"
)
WORDS = TEXT.split()
PAGES = {
    "dashboard, new": "/",
    "dashboard, kept": "/",
    "dashboard, one model, new": "/?model=m1",
    "newest traces": "/traces",
    "search, nothing found": "/traces?text=zyzzyva",
    "search, one old trace": "/traces?text=needle-in-the-haystack",
    "search, many found": "/traces?text=battery",
    "scores below 0.5": "/traces?metric=faithfulness&below=0.5",
    "scores, nothing found": "/traces?metric=faithfulness&below=0.01",
    "a tag, nothing found": "/traces?tag=none",
    "one user, nothing found": "/traces?user=nobody",
    "digest, new": "/digest",
    "digest, kept": "/digest",
}


def prose(draw: random.Random, size: int) -> str:
    """Return words of about so many characters."""
    return " ".join(draw.choices(WORDS, k=max(size // 7, 1)))


def names(draw: random.Random) -> list[str]:
    """Return words that questions are about: some often, most seldom, as in the questions of people."""
    return ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(NAMES)]


def traces(count: int, size: int, now_ms: int) -> list[Trace]:
    """Return traces over two weeks, the oldest first, of so many bytes; passages are shared."""
    draw = random.Random(11)
    passages = [prose(draw, size // CHUNKS - 150) for _ in range(50)]
    about, often = names(draw), [1 / (n + 1) for n in range(NAMES)]
    begin, step = now_ms - (DAYS - 1) * DAY_MS, (DAYS - 1) * DAY_MS / count
    made = []
    for n in range(count):
        texts = draw.sample(passages, CHUNKS)
        chunks = tuple(
            Chunk(
                id=f"d{n % 997}#{k}", doc_id=f"d{n % 997}", text=text, rank=k + 1, score=1 / (k + 1)
            )
            for k, text in enumerate(texts)
        )
        made.append(
            Trace(
                id=f"{draw.getrandbits(128):032x}",
                name="answer",
                started_ns=int(begin + n * step) * 1_000_000,
                question=f"{prose(draw, 30)} {' '.join(draw.choices(about, often, k=4))}"
                f"{' needle-in-the-haystack' if n == 0 else ''}?",
                answer=prose(draw, 400),
                retrieved=chunks,
                model=f"m{n % 3}",
                prompt_version=f"v{n * 4 // count}",
                service="helpdesk",
                session=f"talk-{n // 3}",
                user=f"user-{n % 5000}",
                tags=("beta",) if n % 7 == 0 else (),
                error="RateLimitError: 429" if n % 97 == 0 else None,
                abstained=n % 13 == 0,
                feedback=(Feedback(score=-1.0, good=False),) if n % 51 == 0 else (),
                latency_ms=Latency(total=draw.lognormvariate(7, 0.5)),
                usage=Usage(input_tokens=800, output_tokens=60, cost_usd=0.001 * draw.random()),
                spans=5,
            )
        )
    return made


def fill(url: str, count: int, size: int) -> None:
    """Fill an empty store."""
    now_ms = time.time_ns() // 1_000_000
    draw = random.Random(13)
    with TraceStore(url) as store:
        if store.count():
            return
        made = traces(count, size, now_ms)
        for start in range(0, count, BATCH):
            some = made[start : start + BATCH]
            store.save(
                [Understood(trace=t, digest=f"sha256:{t.id}{t.id}") for t in some], now_ms=now_ms
            )
            chosen = [t for t in some if t.feedback or t.error or sampled(t.id, SHARE)]
            rows = [
                {
                    "trace_id": t.id,
                    "metric": metric,
                    "digest": f"sha256:{t.id}{t.id}",
                    "judge": "sha256:judge",
                    "created": now_ms,
                    "value": (value := draw.choice((0.25, 0.5, 1.0, 1.0, 1.0))),
                    "body": encoded(Score(value, "as it was found")),
                }
                for t in chosen
                for metric in METRICS
            ]
            with store._begin() as connection:  # noqa: SLF001 - as a worker's results, without a judge
                connection.execute(trace_scores.insert(), rows)


def ask(url: str, folder: Path) -> None:
    """Ask a new server for each page, and print what it took."""
    (folder / "acidtest.toml").write_text(f"[online]\nsample = {SHARE}\n", encoding="utf-8")
    with serving(url, folder, ("--no-worker",)) as (address, process):
        server = psutil.Process(process.pid)
        before_mb = server.memory_info().rss / 1e6
        most_mb = before_mb
        for name, path in PAGES.items():
            used, begun = server.cpu_times(), time.perf_counter()
            connection = http.client.HTTPConnection(address.partition("://")[2], timeout=300)
            connection.request("GET", path)
            answer = connection.getresponse()
            shown = len(answer.read())
            if answer.status != HTTPStatus.OK:
                raise SystemExit(f"{path}: {answer.status} {answer.reason}")
            connection.close()
            wall, after = time.perf_counter() - begun, server.cpu_times()
            took = after.user + after.system - used.user - used.system
            most_mb = peak_mb(server.pid)
            print(
                f"{name:28} {took:6.2f} s processor, {wall:6.2f} s in all, {shown / 1e3:6.1f} kB",
                flush=True,
            )
        print(f"memory {before_mb:.0f} MB at first, {most_mb:.0f} MB at most")
    print(f"machine load {os.getloadavg()[0]:.1f}")


def peak_mb(pid: int) -> float:
    """Return the most memory that a process had."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM"))


def measured(url: str, folder: Path, args: argparse.Namespace) -> None:
    """Fill a store, ask for its pages, and print what it took."""
    begun = time.perf_counter()
    fill(url, args.traces, args.kilobytes * 1000)
    size = Path(url).stat().st_size / 1e9 if "://" not in url else None
    told = "" if size is None else f", {size:.2f} GB"
    print(
        f"{args.traces:,} traces of {args.kilobytes} kB in {time.perf_counter() - begun:.0f} s{told}",
        flush=True,
    )
    ask(url, folder)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--traces", type=int, default=100_000)
    parser.add_argument("--kilobytes", type=int, default=40, help="of one trace, about")
    parser.add_argument("--store", help="a file that is kept, and used again where it has traces")
    parser.add_argument("--postgres", action="store_true", help="in a PostgreSQL server of its own")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="acidtest-pages-") as made:
        folder = Path(made)
        if args.postgres:
            with postgres(folder) as url:
                if url:
                    measured(url, folder, args)
        else:
            measured(args.store or str(folder / "pages.db"), folder, args)


if __name__ == "__main__":
    main()
