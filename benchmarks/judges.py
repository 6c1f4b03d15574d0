"""Judges beside people, on recorded data: `python benchmarks/judges.py [--data ../shared/data] [--only PART]`.

Prints Markdown tables: figures that came with the data, computed again (`published`); LLMBar's verdicts in both
orders (`llmbar`); the local judge beside recorded judges and counted words (`faithful`, `correct`, `relevant`);
panels and cascades made of recorded verdicts (`panels`), and such as are chosen on other questions (`chosen`).
`--write PAGE` puts them into a page of the handbook. No model is called. Intervals are over questions, documents or
conversations, whichever cases share.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from judges_chosen import chosen
from judges_correct import correct
from judges_faithful import faithful
from judges_llmbar import against_upstream
from judges_page import put
from judges_panels import panels
from judges_published import published
from judges_relevant import relevant
from judges_tables import Table

PARTS: dict[str, Callable[[Path], Iterator[Table]]] = {
    "published": lambda data: iter([published(data)]),
    "llmbar": lambda data: iter([against_upstream(data)]),
    "faithful": faithful,
    "correct": correct,
    "relevant": relevant,
    "panels": panels,
    "chosen": chosen,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args()
    began = time.perf_counter()
    made: list[Table] = []
    for name in options.only or PARTS:
        for each in PARTS[name](options.data):
            print(f"\n## {each.title}\n\n{each.markdown()}", flush=True)
            made.append(each)
    if options.write:
        left = put(options.write, made)
        print(f"\nleft as they were: {', '.join(left) or 'none'}")
    print(f"\n{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
