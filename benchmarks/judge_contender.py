"""acidtest as a contender in a race of RAG judges: four judged metrics over samples, scores to a file.

`python benchmarks/judge_contender.py --samples F.jsonl --base-url URL --concurrency 16 --out F.json --cache-dir D`

A sample is a line `{"id", "question", "contexts", "answer", "reference"}`; the answers are recorded, so
that nothing but the judge is asked. The whole stack runs as `evaluate` runs it: plan, store, cache, limits,
retries. With `--cache-dir` the store stays there and a second run is served from it; without, it lives in a
folder that is gone afterwards. What is written: `{"scores": {METRIC: [number or null, one a sample]},
"import_s", "eval_s", "eval_cpu_s", "aborted", "error", "note", "errors"}`.
"""

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

METRICS = ("faithfulness", "answer_relevance", "context_precision_judged", "context_recall")
BEGAN = time.perf_counter()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=Path, required=True)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cache-dir", default="")
    parser.add_argument("--model", default="gpt-4o-mini")
    parser.add_argument("--metrics", default=",".join(METRICS))
    options = parser.parse_args()
    os.environ["OPENAI_BASE_URL"] = options.base_url
    os.environ.setdefault("OPENAI_API_KEY", "sk-stub")

    import acidtest

    evaluate = acidtest.evaluate  # names are loaded when they are first used
    import_module("acidtest.judges.openai_http")
    import_module("aiohttp")
    result: dict[str, Any] = {"import_s": round(time.perf_counter() - BEGAN, 3), "note": ""}
    names = options.metrics.split(",")
    wall, cpu = time.perf_counter(), time.process_time()
    with ExitStack() as stack:
        folder = options.cache_dir or stack.enter_context(tempfile.TemporaryDirectory())
        cases = read(options.samples)
        try:
            run = evaluate(
                None,
                cases,
                metrics=names,
                judge=f"openai:{options.model}",
                concurrency=options.concurrency,
                store=f"sqlite:///{Path(folder).absolute() / 'store.db'}",
                fresh=True,
            )
        except acidtest.AcidtestError as error:
            result |= {"aborted": True, "error": str(error)[:300], "scores": {}}
        else:
            result |= {"aborted": False, "error": None} | told(run, names)
    result["eval_s"] = round(time.perf_counter() - wall, 3)
    result["eval_cpu_s"] = round(time.process_time() - cpu, 3)
    options.out.write_text(json.dumps(result))


def read(path: Path) -> list[dict[str, Any]]:
    """Read the samples: golden cases that carry the recorded answer and contexts."""
    renamed = {"answer": "response", "contexts": "retrieved_contexts"}
    samples = map(json.loads, path.read_text().splitlines())
    return [{renamed.get(key, key): value for key, value in each.items()} for each in samples]


def told(run: Any, names: list[str]) -> dict[str, Any]:
    """Return scores by metric, null where there is none, and how often each failure was met."""
    outcomes = [[case.scores[name] for case in run.cases] for name in names]
    scores = {
        name: [getattr(outcome, "value", None) for outcome in column]
        for name, column in zip(names, outcomes, strict=True)
    }
    why = Counter(
        getattr(outcome, "why", "")[:90]
        for column in outcomes
        for outcome in column
        if not hasattr(outcome, "value")
    )
    return {"scores": scores, "errors": dict(why)}


if __name__ == "__main__":
    main()
