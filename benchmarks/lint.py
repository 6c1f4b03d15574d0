"""How quickly lint is, and what it misses: `python benchmarks/lint.py [--peers] [--brute N]`.

Speed: `kin` (everything that asks the same) and all rules over 100,000 made-up cases of several shapes, in
seconds of one processor, with the peak of memory. Recall: questions are changed in ways that the definition
allows and planted among the rest; and for N cases every pair is held against the definition. `--peers` runs
MinHash with LSH too (rensa, datasketch, where they are installed) at a threshold of 0.5 over runs of four letters, and
counts what it proposes, before anything is verified.
"""

import argparse
import random
import resource
import time
from collections.abc import Callable
from itertools import combinations

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case, Evidence, GoldenSet
from acidtest.golden.lint.alike.counted import counted
from acidtest.golden.lint.alike.kin import kin
from acidtest.golden.lint.alike.near import near
from acidtest.golden.lint.lint import RULES, lint_all
from acidtest.golden.lint.rule import Subject

N = 100_000
PLANTED = 2_000
_R = random.Random(1)
_SYLLABLES = [a + b for a in "bcdfglmnprst" for b in "aeiou"]
WORDS = ["".join(_R.choice(_SYLLABLES) for _ in range(_R.randint(2, 4))) for _ in range(20_000)]


def word() -> str:
    """Return a made-up word, some far more often than others."""
    return _R.choice(WORDS) if _R.random() < 0.6 else WORDS[int(len(WORDS) * _R.random() ** 6)]


def phrase(least: int, most: int) -> str:
    return " ".join(word() for _ in range(_R.randint(least, most)))


SHAPES: dict[str, Callable[[int], str]] = {
    "questions": lambda _: f"How do I {phrase(4, 9)}?",
    "one question": lambda _: "What does the Pro plan cost?",
    "template, ids": lambda n: f"What is the price of X{n}?",
    "template, nouns": lambda _: f"What is the price of the {word()} in {word()}?",
    "long questions": lambda _: f"We migrated last week and since then {phrase(25, 35)}?",
    "long template": lambda _: (
        "We migrated our whole cluster from the old data centre to a new region last week and since "
        "then users cannot open any dashboard that shows weekly reports about the product called "
        f"{word()} {word()} and we need help soon"
    ),
    "Chinese": lambda _: "".join(chr(0x4E00 + int(2_000 * _R.random() ** 2)) for _ in range(14)),
}


def seconds(run: Callable[[], object]) -> float:
    begun = time.process_time()
    run()
    return time.process_time() - begun


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def misspelt(text: str) -> str:
    """Return a question with a letter less in one of its long words."""
    pieces = text.split()
    long = [at for at, piece in enumerate(pieces) if len(piece) >= 7 and piece.isalpha()]
    if not long:
        return text
    at = _R.choice(long)
    cut = _R.randint(1, len(pieces[at]) - 2)
    pieces[at] = pieces[at][:cut] + pieces[at][cut + 1 :]
    return " ".join(pieces)


def reordered(text: str) -> str:
    """Return a question whose two halves changed places."""
    pieces = text.rstrip("?").removeprefix("How do I ").split()
    half = len(pieces) // 2
    return f"How do I {' '.join([*pieces[half:], *pieces[:half]])}?"


CHANGES: dict[str, Callable[[str], str]] = {
    "small words": lambda text: text.replace("How do I", "Please, how can we") + "?",
    "a slip": misspelt,
    "order": reordered,
    "a plural": lambda text: text.rstrip("?") + "s?",
}


def recall() -> list[tuple[Case, Case]]:
    cases = [Case(id=str(n), question=SHAPES["questions"](n)) for n in range(N)]
    pairs = {name: [] for name in CHANGES}
    for number, (name, change) in enumerate(list(CHANGES.items()) * (PLANTED // len(CHANGES))):
        other = Case(id=f"planted-{number}", question=change(cases[number].question))
        if other.question != cases[number].question:
            pairs[name].append((number, len(cases)))
            cases.append(other)
    found = kin(cases)
    met = {
        pair
        for places, _ in found.together()
        if len(places) < 50
        for pair in combinations(sorted(places), 2)
    }
    for name, planted in pairs.items():
        print(f"  {name:14} {sum(pair in met for pair in planted):5} of {len(planted)} found")
    whole = [pair for planted in pairs.values() for pair in planted]
    return [(cases[one], cases[other]) for one, other in whole]


def brute(count: int) -> None:
    """Hold every pair of cases against the definition, and say how many of the near ones are found."""
    nouns = WORDS[:60]
    cases = [
        Case(
            id=str(n),
            question=f"how do {' '.join(_R.choice(nouns) for _ in range(_R.randint(2, 12)))}",
        )
        for n in range(count // 2)
    ]
    changes = list(CHANGES.values())
    cases += [Case(id=f"c{c.id}", question=_R.choice(changes)(c.question)) for c in cases]
    asked = [counted(case) for case in cases]
    true = {
        (one, other)
        for one, other in combinations(range(len(cases)), 2)
        if near(asked[one], asked[other])
    }
    found = {
        pair for places, _ in kin(cases).together() for pair in combinations(sorted(places), 2)
    }
    print(
        f"brute force over {len(cases):,} cases: {len(true & found):,} of {len(true):,} near pairs found"
    )


def peers(planted: list[tuple[Case, Case]]) -> None:
    """Run MinHash with LSH over the planted pairs and as many other questions as there are."""
    texts = [text for pair in planted for text in (pair[0].question, pair[1].question)]
    texts += [SHAPES["questions"](n) for n in range(N - len(texts))]
    grams = [[text[at : at + 4] for at in range(max(1, len(text) - 3))] for text in texts]
    for name, run in (("rensa", _rensa), ("datasketch", _datasketch)):
        try:
            begun = time.process_time()
            proposed = run(grams)
        except ImportError:
            print(f"  {name}: not installed")
            continue
        took = time.process_time() - begun
        met = sum((2 * n, 2 * n + 1) in proposed for n in range(len(planted)))
        print(
            f"  {name:11} {took:6.1f} s, {met} of {len(planted)} planted, {len(proposed):,} pairs proposed"
        )


def _rensa(grams: list[list[str]]) -> set[tuple[int, int]]:
    from rensa import RMinHash, RMinHashLSH

    index = RMinHashLSH(threshold=0.5, num_perm=128, num_bands=32)
    found: set[tuple[int, int]] = set()
    for number, each in enumerate(grams):
        sketch = RMinHash(num_perm=128, seed=1)
        sketch.update(each)
        found.update((other, number) for other in index.query(sketch))
        index.insert(number, sketch)
    return found


def _datasketch(grams: list[list[str]]) -> set[tuple[int, int]]:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=0.5, num_perm=128)
    found: set[tuple[int, int]] = set()
    for number, each in enumerate(grams):
        sketch = MinHash(num_perm=128)
        sketch.update_batch([gram.encode() for gram in each])
        found.update((other, number) for other in index.query(sketch))
        index.insert(number, sketch)
    return found


def whole_set() -> None:
    chunks = [
        CorpusChunk(id=f"c{n}", text=f"{n} {phrase(60, 90)}.", doc_id=f"d{n // 10}")
        for n in range(N)
    ]
    cases = [
        Case(
            id=str(n),
            question=f"How do I {phrase(4, 9)}?",
            reference=f"{phrase(5, 15)} {n}.",
            relevant={chunk.id: 1},
            evidence=(Evidence(text=chunk.text[:200], chunk_id=chunk.id, doc_id=chunk.doc_id),),
            tags=("lookup",),
        )
        for n, chunk in enumerate(chunks)
    ]
    golden, corpus = GoldenSet(cases, version="sha256:0"), Corpus(chunks)
    for rule in RULES.values():
        for held, told in ((None, "alone"), (corpus, "with a corpus")):
            if held is None and rule.needs == "corpus":
                continue
            subject = Subject(golden, corpus=held)
            took = seconds(lambda rule=rule, subject=subject: lint_all(subject, [rule]))
            if took > 0.3:
                print(f"  {rule.name:18} {told:14} {took:6.1f} s")
    for held, told in ((None, "alone"), (corpus, "with a corpus")):
        took = seconds(lambda held=held: lint_all(Subject(golden, corpus=held), RULES.values()))
        print(f"  all rules          {told:14} {took:6.1f} s, peak {peak()} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--brute", type=int, default=2_000)
    asked = parser.parse_args()
    print(f"everything that asks the same, {N:,} cases:")
    for name, make in SHAPES.items():
        cases = [Case(id=str(n), question=make(n)) for n in range(N)]
        print(
            f"  {name:16} {seconds(lambda cases=cases: kin(cases)):6.1f} s, peak {peak()} MB",
            flush=True,
        )
    print(f"planted among {N:,}:")
    planted = recall()
    brute(asked.brute)
    if asked.peers:
        print("MinHash with LSH:")
        peers(planted)
    print(f"all rules over {N:,} cases and chunks:")
    whole_set()


if __name__ == "__main__":
    main()
