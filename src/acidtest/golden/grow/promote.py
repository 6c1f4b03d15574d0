"""Promotion: a case of a run, or a recorded output, becomes a case of the golden set, with where it came from.

What was retrieved is no evidence yet: it is kept as proposed, until a person names what is relevant. A case whose right
answer nobody has said waits for review; one that was accepted in the set that it was asked from stays accepted.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from acidtest.codec.rows.row import shown
from acidtest.data.answers import Chunk
from acidtest.data.golden import Case, Evidence
from acidtest.errors import UsageError
from acidtest.golden.abstain import is_marker
from acidtest.golden.grow.review import ACCEPTED, OPEN, unfit
from acidtest.golden.grow.same import asked_by
from acidtest.golden.ids import NO_ID, with_ids

MOST_PROPOSED = 20
"""Retrieved chunks that are kept as proposed evidence."""

MOST_SAME = 100
"""Ids of others that ask the same which are kept with a case."""

_LONGEST = 20_000


class Seen(Struct, frozen=True, kw_only=True):
    """What happened once: the question, what came back, and what was known of the right answer.

    Attributes:
        case: The question, with what the set that it was asked from says of it.
        answer: What the system said.
        retrieved: What it retrieved, in order.
        provenance: Where this is from: run, case, pipeline, date.
        source: `run` or `production`.
        accepted: Whether its right answer is that of the set that it was asked from, where it does not wait.
    """

    case: Case
    answer: str | None
    retrieved: tuple[Chunk, ...]
    provenance: Mapping[str, Any]
    source: str
    accepted: bool = False


class Ruling(Struct, frozen=True, kw_only=True):
    """What a person says of a promoted case.

    Attributes:
        reference: The right answer.
        from_answer: The answer was right: it is the reference.
        unanswerable: Nothing in the corpus answers it.
        relevant: Chunk id -> grade.
        tags: More tags.
        source: In place of the usual one.
        by: Who says so.
        when: The time, ISO 8601.
    """

    reference: str | None = None
    from_answer: bool = False
    unanswerable: bool = False
    relevant: Mapping[str, int] = {}
    tags: tuple[str, ...] = ()
    source: str | None = None
    by: str
    when: str

    @property
    def decides(self) -> bool:
        """Whether it says what the right answer is."""
        return self.reference is not None or self.from_answer or self.unanswerable


def firsts(seen: Sequence[Seen]) -> list[tuple[Seen, tuple[str, ...]]]:
    """Return each that asks what none before it asks, with the ids of those behind it that ask just that.

    The first stands for all: it says in its provenance, as `same`, which these are.
    """
    alike: dict[str, list[Seen]] = {}
    for each in seen:
        alike.setdefault(asked_by(each.case.question, each.case.history), []).append(each)
    found: list[tuple[Seen, tuple[str, ...]]] = []
    for first, *more in alike.values():
        others = tuple(one.case.id for one in more)
        told = (
            {**first.provenance, "same": list(others[:MOST_SAME])} if others else first.provenance
        )
        found.append((replace(first, provenance=told), others))
    return found


def promoted(seen: Seen, ruling: Ruling) -> Case:
    """Return the case that comes of what was seen and what a person says of it.

    Raises:
        UsageError: The ruling contradicts itself, or there is no answer to take.
    """
    _check(seen, ruling)
    was = seen.case
    if not was.answerable and (ruling.decides or ruling.relevant):
        was = replace(was, answerable=True, relevant=None)  # the person knows better
    relevant = dict(ruling.relevant) or None
    case = replace(
        was,
        reference=_reference(seen, ruling),
        relevant=relevant if relevant is not None else was.relevant,
        evidence=_evidence(seen, ruling),
        tags=tuple(dict.fromkeys([*was.tags, *ruling.tags])),
        source=ruling.source or seen.source,
        metadata={**was.metadata, **_told(seen, ruling)},
    )
    if ruling.unanswerable:
        case = replace(
            case,
            reference=None,
            answerable=False,
            relevant={},
            relevant_docs=None,
            evidence=(),
            tags=tuple(dict.fromkeys([*case.tags, "unanswerable"])),
        )
    return case


def merged(old: Case, new: Case) -> Case:
    """Return a case with what the new one says in place of what the old one did; nothing else goes.

    The id, the split and the group stay, and so do labels, evidence and metadata that the new one lacks.
    """
    flipped = old.answerable != new.answerable
    kept = replace(
        new,
        id=old.id,
        reference=new.reference if new.reference is not None or flipped else old.reference,
        relevant=new.relevant if flipped else _labels(old.relevant, new.relevant),
        relevant_docs=new.relevant_docs
        if flipped
        else _labels(old.relevant_docs, new.relevant_docs),
        evidence=new.evidence if flipped else _texts(old.evidence, new.evidence),
        tags=tuple(dict.fromkeys([*old.tags, *new.tags])),
        group=old.group or new.group,
        split=old.split or new.split,
        source=old.source or new.source,
        metadata={**old.metadata, **new.metadata},
    )
    if kept.metadata.get("review") == OPEN and kept.reference is not None and old.reference:
        # Nothing was said of the answer: the review of the old case stands.
        review = old.metadata.get("review")
        rest = {name: value for name, value in kept.metadata.items() if name != "review"}
        kept = replace(kept, metadata=rest if review is None else {**rest, "review": review})
    return kept


def named_anew(case: Case, taken: Sequence[str]) -> Case:
    """Return a case whose id nobody has: its own, else that which follows from what it asks."""
    if case.id not in taken:
        return case
    name = with_ids([replace(case, id=NO_ID)])[0].id
    numbered = (f"{name}-{n}" for n in range(2, len(taken) + 3))
    return replace(case, id=next(each for each in (name, *numbered) if each not in taken))


def _check(seen: Seen, ruling: Ruling) -> None:
    if ruling.reference is not None and ruling.from_answer:
        raise UsageError(
            "give --reference or --reference-from answer, not both", fix="Leave one of them out."
        )
    if ruling.unanswerable and (ruling.reference is not None or ruling.from_answer):
        raise UsageError(
            "an unanswerable case has no reference",
            where="--unanswerable",
            fix="Leave --reference out, or --unanswerable.",
        )
    if ruling.unanswerable and ruling.relevant:
        raise UsageError(
            "an unanswerable case has no relevant chunks",
            where="--unanswerable",
            fix="Leave --relevant out, or --unanswerable.",
        )
    if is_marker(ruling.reference or ""):
        raise UsageError(
            f"the reference {shown(ruling.reference)} only says that there is no answer",
            where="--reference",
            fix="Give --unanswerable.",
        )
    if ruling.from_answer and not (seen.answer or "").strip():
        raise UsageError(
            f"case {shown(seen.case.id)} has no answer to take as its reference",
            where="--reference-from",
            fix="Give --reference TEXT.",
        )


def _reference(seen: Seen, ruling: Ruling) -> str | None:
    if ruling.from_answer:
        return seen.answer
    return ruling.reference if ruling.reference is not None else seen.case.reference


def _evidence(seen: Seen, ruling: Ruling) -> tuple[Evidence, ...]:
    texts = {chunk.id: chunk for chunk in seen.retrieved if chunk.id is not None and chunk.text}
    named = tuple(
        Evidence(text=texts[name].text or "", chunk_id=name, doc_id=texts[name].doc_id)
        for name, grade in ruling.relevant.items()
        if grade > 0 and name in texts
    )
    return _texts(seen.case.evidence, named)


def _texts(old: tuple[Evidence, ...], new: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    known = {each.chunk_id for each in old if each.chunk_id is not None}
    return (*old, *(each for each in new if each.chunk_id not in known and each not in old))


def _labels(old: dict[str, int] | None, new: dict[str, int] | None) -> dict[str, int] | None:
    return None if old is None and new is None else {**(old or {}), **(new or {})}


def _told(seen: Seen, ruling: Ruling) -> dict[str, Any]:
    told: dict[str, Any] = {"provenance": dict(seen.provenance)}
    if seen.answer is not None:
        told["answer_given"] = seen.answer[:_LONGEST]
    judged = {**(seen.case.relevant or {}), **ruling.relevant}
    proposed = [
        _proposed(chunk, rank)
        for rank, chunk in enumerate(seen.retrieved, start=1)
        if chunk.id not in judged
    ]
    if proposed and not ruling.unanswerable:
        told["proposed_evidence"] = proposed[:MOST_PROPOSED]
    if ruling.decides:
        told["review"] = ACCEPTED
        told["reviewed"] = {"by": ruling.by, "when": ruling.when}
    elif not _stands(seen, ruling):
        told["review"] = OPEN
    return told


def _stands(seen: Seen, ruling: Ruling) -> bool:
    """Tell whether the answer that was accepted is still the right one: labels of an unanswerable case deny it."""
    denied = bool(ruling.relevant) and not seen.case.answerable
    return seen.accepted and unfit(seen.case) is None and not denied


def _proposed(chunk: Chunk, rank: int) -> dict[str, Any]:
    about = {
        "chunk_id": chunk.id,
        "doc_id": chunk.doc_id,
        "rank": rank,
        "text": None if chunk.text is None else chunk.text[:_LONGEST],
    }
    return {name: value for name, value in about.items() if value is not None}
