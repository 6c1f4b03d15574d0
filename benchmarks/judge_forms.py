"""One call or several, on a real model: `python benchmarks/judge_forms.py --base-url URL --model M`.

Metrics that ask in one call what others ask in several have both forms (`faithfulness`,
`faithfulness(calls=split)`, ...). Each is scored on the same few cases, nothing shared or cached between
forms. Printed for each form: mean score over what was scored, failures, calls (re-asks included), tokens in
and out; and how far the other forms of a metric are from its first, over cases that both scored. The key is
that of OPENAI_API_KEY. `--samples F.jsonl` takes other cases: `{"id", "question", "contexts", "answer",
"reference"}` a line.
"""

import argparse
import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from acidtest.data.answers import Answer, Chunk
from acidtest.data.golden import Case
from acidtest.data.outcomes import Failure, Outcome, Score
from acidtest.errors import JudgeError
from acidtest.judges.limit import Limiter
from acidtest.judges.llm import LLMJudge
from acidtest.judges.openai_http import OpenAIBackend
from acidtest.judges.retry import Retrying, Tries
from acidtest.judges.session import Session
from acidtest.metrics.registry import find
from acidtest.ports import Spent
from acidtest.run.score import score

FORMS = {
    "faithfulness": ("one", "split"),
    "factual_correctness": ("one", "split"),
    "context_recall": ("shared", "own"),
    "context_precision_judged": ("shared", "own", "each"),
    "context_relevance": ("one", "each"),
    "context_usefulness": ("each", "one"),
}
CASES = [
    {
        "id": "price",
        "question": "What does Pro cost?",
        "contexts": ["The Pro plan costs 49 euros a month.", "Returns are free for 30 days."],
        "answer": "Pro costs 49 euros a month.",
        "reference": "49 euros a month.",
    },
    {
        "id": "laptop",
        "question": "What does Pro include?",
        "contexts": ["Pro includes priority support.", "Our office is in Vienna."],
        "answer": "Pro includes priority support. It includes a free laptop.",
        "reference": "Priority support.",
    },
    {
        "id": "hours",
        "question": "When is the shop open?",
        "contexts": ["The shop is open on weekdays from 9 to 17.", "We ship by rail."],
        "answer": "The shop is open on Sundays.",
        "reference": "On weekdays from 9 to 17.",
    },
]


@dataclass
class Counted:
    """A judge around a judge that sums what it took."""

    judge: LLMJudge
    spent: Spent = field(default_factory=Spent)

    @property
    def model(self) -> str:
        """The model of the judge inside."""
        return self.judge.model

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the judge inside."""
        return self.judge.fingerprint

    async def ask(self, prompt: Any, **fields: Any) -> Any:
        """Ask the judge inside."""
        try:
            verdict = await self.judge.ask(prompt, **fields)
        except JudgeError as error:
            self.spent += error.spent or Spent()
            raise
        self.spent += Spent(
            attempts=verdict.attempts,
            input_tokens=verdict.input_tokens,
            output_tokens=verdict.output_tokens,
        )
        return verdict


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", default="m")
    parser.add_argument("--samples", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--metrics", default=",".join(FORMS))
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--max-tokens", type=int, default=1024)
    options = parser.parse_args()
    samples = CASES
    if options.samples:
        samples = [json.loads(line) for line in options.samples.read_text().splitlines()]
    asyncio.run(compare(samples[: options.limit], options))


async def compare(samples: list[dict[str, Any]], options: argparse.Namespace) -> None:
    """Score every case in every form and print what came of it."""
    session = Session()
    key = os.environ.get("OPENAI_API_KEY")
    backend = OpenAIBackend(options.model, api_key=key, base_url=options.base_url, session=session)
    tries = Tries(backend.endpoint, limiter=Limiter(options.concurrency))
    model = LLMJudge(Retrying(backend, tries), max_tokens=options.max_tokens)
    print(f"{len(samples)} cases, {options.model}")
    print(
        f"{'form':44} {'mean':>5} {'scored':>6} {'failed':>6} {'calls':>5} {'in':>7} {'out':>6} apart"
    )
    try:
        for name in options.metrics.split(","):
            first: list[Outcome] = []
            for form in FORMS[name]:
                judge = Counted(model)
                bound = f"{name}(calls={form})"
                outcomes = await asyncio.gather(*(one(bound, s, judge) for s in samples))
                first = first or outcomes
                print(line(bound, outcomes, judge.spent, apart(first, outcomes)), flush=True)
    finally:
        await session.aclose()


async def one(bound: str, sample: Mapping[str, Any], judge: Counted) -> Outcome:
    """Score one case in one form."""
    chunks = tuple(Chunk(text=text) for text in sample["contexts"])
    return await score(
        find(bound),
        Case(id=sample["id"], question=sample["question"], reference=sample["reference"]),
        Answer(case_id=sample["id"], text=sample["answer"], retrieved=chunks),
        mode="live",
        judge=judge,
        embedder=None,
        unanswerable="skip",
    )


def apart(first: list[Outcome], other: list[Outcome]) -> float | None:
    """Return the mean distance of two forms' scores over the cases that both scored."""
    pairs = zip(first, other, strict=True)
    far = [
        abs(a.value - b.value) for a, b in pairs if isinstance(a, Score) and isinstance(b, Score)
    ]
    return fmean(far) if far else None


def line(name: str, outcomes: list[Outcome], spent: Spent, far: float | None) -> str:
    """Return one row of the table."""
    values = [outcome.value for outcome in outcomes if isinstance(outcome, Score)]
    failed = sum(isinstance(outcome, Failure) for outcome in outcomes)
    mean = f"{fmean(values):5.2f}" if values else "    -"
    return (
        f"{name:44} {mean} {len(values):6} {failed:6} {spent.attempts:5} {spent.input_tokens:7} "
        f"{spent.output_tokens:6} {'-' if far is None else f'{far:.2f}'}"
    )


if __name__ == "__main__":
    main()
