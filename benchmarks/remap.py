"""How many labels survive re-chunking: `python benchmarks/remap.py [DATA] [--speed]`.

DATA is the folder `chunk_spans` (344 spans of text with their offsets, in two documents). The old
chunks have 400 characters. Each span is a case of its own; its labels are the old chunks that it
touches, its evidence is its text. The documents are then edited and cut anew, and where each span is by
then is known from its offsets. A span's labels are right when each of its chunks holds some of it, all
together hold 80 % of it at least, and no fewer chunks would hold as much. `wrong` are those that are not
right and not reported either: neither doubtful nor lost.
"""

import argparse
import gzip
import json
import random
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case, Evidence, GoldenSet
from acidtest.golden.remap.carry import carry
from acidtest.golden.remap.record import Remapping
from acidtest.golden.version import version_of
from acidtest.text.sentences import spans

OLD = 400
LEAST = 0.8
HERE = Path(__file__).resolve().parents[2] / "shared" / "data" / "chunk_spans"

Range = tuple[int, int]
Edited = tuple[str, list[int]]
"""A text, and for each character of the old text where it stands in it (one more for the end)."""


def load(folder: Path) -> tuple[dict[str, str], list[tuple[str, str, Range]]]:
    """Return the documents, and the spans as question, document and range."""
    texts = {}
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            texts[row["corpus_id"]] = row["text"]
    found = []
    with (folder / "questions.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            found += [
                (row["question"], row["corpus_id"], (each["start"], each["end"]))
                for each in row["references"]
            ]
    return texts, found


def golden(texts: dict[str, str], wanted: list[tuple[str, str, Range]]) -> GoldenSet:
    """Return a set with a case for each span, labelled with the old chunks that it touches."""
    cases = []
    for number, (question, doc, (start, end)) in enumerate(wanted):
        labels = [f"{doc}:{n}" for n in range(start // OLD, (end - 1) // OLD + 1)]
        evidence = Evidence(
            text=texts[doc][start:end],
            doc_id=doc,
            chunk_id=labels[0] if len(labels) == 1 else None,
        )
        cases.append(
            Case(
                id=f"span-{number}",
                question=question,
                relevant=dict.fromkeys(labels, 1),
                evidence=(evidence,),
            )
        )
    return GoldenSet(cases, version=version_of(cases))


# --- cutting ---------------------------------------------------------------------------------------


def by_size(size: int, overlap: int = 0) -> Callable[[str], list[Range]]:
    return lambda text: [
        (at, min(at + size, len(text))) for at in range(0, len(text), size - overlap)
    ]


def by_sentence(count: int = 1, step: int = 1) -> Callable[[str], list[Range]]:
    def cut(text: str) -> list[Range]:
        found = spans(text)
        return [
            (found[at][0], found[min(at + count, len(found)) - 1][1])
            for at in range(0, len(found), step)
        ]

    return cut


CUTS: dict[str, Callable[[str], list[Range]]] = {
    "200 characters": by_size(200),
    "500 characters": by_size(500),
    "1,000 characters": by_size(1_000),
    "200 characters, 50 shared": by_size(200, 50),
    "500 characters, 100 shared": by_size(500, 100),
    "1,000 characters, 200 shared": by_size(1_000, 200),
    "each sentence": by_sentence(),
    "three sentences, one shared": by_sentence(3, 2),
}


# --- editing ---------------------------------------------------------------------------------------


def unchanged(text: str) -> Edited:
    return text, list(range(len(text) + 1))


def each_letter(change: Callable[[str, random.Random], str]) -> Callable[[str], Edited]:
    def edit(text: str) -> Edited:
        rng = random.Random(len(text))
        parts, places, size = [], [], 0
        for letter in text:
            places.append(size)
            new = change(letter, rng)
            parts.append(new)
            size += len(new)
        return "".join(parts), [*places, size]

    return edit


def white_space(letter: str, rng: random.Random) -> str:
    if not letter.isspace():
        return letter
    return rng.choice([" ", "  ", "\n", "\n\n", "\u00a0", " \t"])


PRINTED = {
    "“": '"',
    "”": '"',
    "’": "'",
    "‘": "'",
    '"': "“",
    "'": "’",
    "—": "–",
    "–": "-",
    "…": "...",
}


def typography(letter: str, rng: random.Random) -> str:
    if letter in PRINTED:
        return PRINTED[letter]
    if letter == "f" and rng.random() < 0.2:
        return "\uff46"  # full width
    if letter.isalpha() and rng.random() < 0.02:
        return f"{letter}\u00ad"  # soft hyphen
    return letter


def letters(share: float) -> Callable[[str, random.Random], str]:
    def change(letter: str, rng: random.Random) -> str:
        if rng.random() >= share:
            return letter
        other = rng.choice("etaoinshrdlu")
        return rng.choice(["", other, letter + other])

    return change


def words(share: float) -> Callable[[str], Edited]:
    def edit(text: str) -> Edited:
        rng = random.Random(len(text))
        others = text.split()[:2_000]
        parts, places, size, at = [], [], 0, 0
        while at < len(text):
            stop = at
            while stop < len(text) and text[stop].isspace() == text[at].isspace():
                stop += 1
            old = new = text[at:stop]
            if not old.isspace() and rng.random() < share:
                new = rng.choice(["", rng.choice(others), f"{old} {rng.choice(others)}"])
            places += [size + min(n, len(new)) for n in range(stop - at)]
            parts.append(new)
            size += len(new)
            at = stop
        return "".join(parts), [*places, size]

    return edit


EDITS: dict[str, Callable[[str], Edited]] = {
    "none": unchanged,
    "white space": each_letter(white_space),
    "typography": each_letter(typography),
    "1 % of words": words(0.01),
    "3 % of words": words(0.03),
    "1 % of letters": each_letter(letters(0.01)),
    "3 % of letters": each_letter(letters(0.03)),
}


# --- what is right ---------------------------------------------------------------------------------


def right(to: tuple[str, ...], start: int, end: int, places: dict[str, Range]) -> bool:
    """Say whether chunks are those that hold a range: see the top of this file."""
    if not to or any(name not in places for name in to):
        return False
    held = [(max(start, places[name][0]), min(end, places[name][1])) for name in to]
    share = covered(held) / max(1, end - start)
    if any(last <= first for first, last in held) or share < LEAST:
        return False
    return len(to) <= fewest(start, end, list(places.values()))


def trimmed(text: str, start: int, end: int) -> Range:
    """Return a range without white space at its ends."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


def covered(ranges: list[Range]) -> int:
    total = at = 0
    for start, end in sorted(ranges):
        total += max(0, end - max(start, at))
        at = max(at, end)
    return total


def fewest(start: int, end: int, chunks: list[Range]) -> int:
    """Return how many chunks it takes to hold a range whole."""
    count, at = 0, start
    while at < end:
        furthest = max((last for first, last in chunks if first <= at), default=at)
        if furthest <= at:
            at = min((first for first, _ in chunks if first > at), default=end)
            continue
        count, at = count + 1, furthest
    return count


class Cut:
    """The documents, edited and cut, with where every chunk is.

    Args:
        texts: The documents.
        edit: How they are edited.
        cut: How they are cut.
        named: What a document is called now.
        placed: Chunks say where they start.
    """

    def __init__(
        self,
        texts: dict[str, str],
        edit: Callable[[str], Edited],
        cut: Callable[[str], list[Range]],
        *,
        named: Callable[[str], str] = str,
        placed: bool = False,
    ) -> None:
        self.named = named
        self.edited = {doc: edit(text) for doc, text in texts.items()}
        self.places: dict[str, dict[str, Range]] = {}
        self.chunks: list[CorpusChunk] = []
        for doc, (text, _) in self.edited.items():
            ranges = [each for each in cut(text) if text[slice(*each)].strip()]
            self.places[doc] = {f"{named(doc)}/{n}": each for n, each in enumerate(ranges)}
            for name, (start, end) in self.places[doc].items():
                self.chunks.append(
                    CorpusChunk(
                        id=name,
                        text=text[start:end],
                        doc_id=named(doc),
                        start=start if placed else None,
                        end=end if placed else None,
                    )
                )

    def judge(self, wanted: list[tuple[str, str, Range]], found: Remapping) -> dict[str, float]:
        """Return the shares of spans whose labels are right, doubtful, lost, wrong, and held whole."""
        tally = dict.fromkeys(("right", "doubtful", "lost", "wrong", "whole"), 0)
        for number, (_, doc, (start, end)) in enumerate(wanted):
            state = found.states[f"span-{number}"]
            text, moved = self.edited[doc]
            first, last = trimmed(text, moved[start], moved[end])
            to = tuple(found.golden[number].relevant or ())
            good = right(to, first, last, self.places[doc])
            tally["right"] += good
            tally["doubtful"] += state == "doubtful"
            tally["lost"] += state == "lost"
            tally["wrong"] += not good and state not in ("doubtful", "lost")
            ranges = [self.places[doc][name] for name in to if name in self.places[doc]]
            held = [(max(first, a), min(last, b)) for a, b in ranges]
            tally["whole"] += covered(held) >= last - first
        return {name: count / len(wanted) for name, count in tally.items()}


# --- tables ----------------------------------------------------------------------------------------

HEAD = "| cut | edited | right | doubtful | lost | wrong, not told | held whole |\n|---|---|---|---|---|---|---|"


def row(cut: str, edit: str, shares: dict[str, float]) -> str:
    return f"| {cut} | {edit} | " + " | ".join(f"{100 * x:.1f} %" for x in shares.values()) + " |"


def table(texts: dict[str, str], wanted: list[tuple[str, str, Range]]) -> Iterator[str]:
    """Yield the lines of the table: every cut with every edit."""
    before = golden(texts, wanted)
    yield HEAD
    for edit_name, edit in EDITS.items():
        for cut_name, cut in CUTS.items():
            made = Cut(texts, edit, cut)
            yield row(cut_name, edit_name, made.judge(wanted, carry(before, Corpus(made.chunks))))


BOILERPLATE = (
    "For questions of any kind, please write to the address below and allow two working days."
)


def hard(texts: dict[str, str], wanted: list[tuple[str, str, Range]]) -> Iterator[str]:
    """Yield the lines of the second table: documents renamed, doubled and drowned in others."""
    before = golden(texts, wanted)
    yield HEAD
    for edit_name in ("none", "3 % of letters"):
        edit, cut = EDITS[edit_name], CUTS["500 characters"]
        made = Cut(texts, edit, cut, named=lambda doc: f"new-{doc}")
        yield row(
            "documents renamed", edit_name, made.judge(wanted, carry(before, Corpus(made.chunks)))
        )
        made = Cut(texts, edit, cut)
        twin = Cut(texts, EDITS["1 % of words"], cut, named=lambda doc: f"copy-{doc}")
        found = carry(before, Corpus([*twin.chunks, *made.chunks]))
        yield row("beside an edited copy", edit_name, made.judge(wanted, found))
        same = Cut(texts, unchanged, cut, named=lambda doc: f"copy-{doc}")
        found = carry(before, Corpus([*same.chunks, *made.chunks]))
        yield row("beside a true copy", edit_name, made.judge(wanted, found))
        loose = [CorpusChunk(id=each.id, text=each.text) for each in made.chunks]
        yield row("no document ids", edit_name, made.judge(wanted, carry(before, Corpus(loose))))


def speed(texts: dict[str, str], wanted: list[tuple[str, str, Range]], chunks: int) -> str:
    """Return how long a large corpus takes: the two documents among others made of their words."""
    before = golden(texts, wanted)
    made = Cut(texts, EDITS["3 % of letters"], by_size(500))
    rng = random.Random(0)
    vocabulary = " ".join(texts.values()).split()
    while len(made.chunks) < chunks:
        number = len(made.chunks)
        text = " ".join(rng.choices(vocabulary, k=85))
        made.chunks.append(CorpusChunk(id=f"noise-{number}", text=text, doc_id=f"n{number // 50}"))
    size = sum(len(each.text) for each in made.chunks)
    corpus = Corpus(made.chunks)
    began, used = time.perf_counter(), time.process_time()
    found = carry(before, corpus)
    seconds, used = time.perf_counter() - began, time.process_time() - used
    shares = made.judge(wanted, found)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{chunks:,} chunks, {size / 1e6:.0f} MB, {len(before)} cases: {seconds:.1f} s "
        f"({used:.1f} s of processor time), {peak:.0f} MB at most, right {100 * shares['right']:.1f} %"
    )


def main(**given: Any) -> None:
    texts, wanted = load(given["data"])
    if given["speed"]:
        print(speed(texts, wanted, given["chunks"]))
        return
    for line in (*table(texts, wanted), "", *hard(texts, wanted)):
        print(line, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", default=HERE)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--chunks", type=int, default=100_000)
    main(**vars(parser.parse_args()))
