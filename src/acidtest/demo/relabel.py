"""Keeps the labels of the demo's golden set true when the handbook changes.

A label is a chunk id; what it stands for is the evidence text. `python -m acidtest.demo.relabel` finds
the chunk that holds each piece of evidence today and writes its id into the golden set. Evidence that no
chunk holds, or that several hold, is named and left for a person.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from acidtest.demo.corpus import Passage, passages

GOLDEN = Path(__file__).resolve().parent / "golden.jsonl"


def read(path: Path = GOLDEN) -> list[dict[str, Any]]:
    """Return the rows of the golden set as they are written."""
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def faults(case: Mapping[str, Any], found: Sequence[Passage]) -> list[str]:
    """Return what is wrong with the labels of one case, with the id that would be right."""
    texts = {passage.id: _joined(passage.text) for passage in found}
    said: list[str] = []
    evidence = case.get("evidence", [])
    for item in evidence:
        held = _joined(item["text"]) in texts.get(item["chunk_id"], "")
        if not held:
            now = ", ".join(holders(item["text"], found)) or "no chunk"
            said.append(f"{case['id']}: {item['chunk_id']} lacks {item['text']!r}: now in {now}")
    named = {item["chunk_id"] for item in evidence}
    if named != set(case.get("relevant", {})):
        said.append(f"{case['id']}: relevant is not what the evidence names")
    return said


def holders(text: str, found: Sequence[Passage]) -> list[str]:
    """Return the ids of the chunks that hold a text."""
    return [passage.id for passage in found if _joined(text) in _joined(passage.text)]


def relabelled(case: Mapping[str, Any], found: Sequence[Passage]) -> dict[str, Any]:
    """Return a case with the ids of today; evidence that cannot be placed keeps its old id."""
    grades = case.get("relevant", {})
    evidence, relevant = [], dict[str, int]()
    for item in case.get("evidence", []):
        old = item["chunk_id"]
        now = holders(item["text"], found)
        new = now[0] if len(now) == 1 else old
        evidence.append(item | {"chunk_id": new, "doc_id": new.partition("#")[0]})
        relevant[new] = max(grades.get(old, 1), relevant.get(new, 0))
    return dict(case) | ({"relevant": relevant, "evidence": evidence} if evidence else {})


def main() -> int:
    """Rewrite the golden set; return 1 when evidence is left for a person."""
    found = passages()
    cases = [relabelled(case, found) for case in read()]
    GOLDEN.write_bytes(b"".join(msgspec.json.encode(case) + b"\n" for case in cases))
    left = [fault for case in cases for fault in faults(case, found)]
    sys.stdout.writelines(f"{fault}\n" for fault in left)
    return 1 if left else 0


def _joined(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    sys.exit(main())
