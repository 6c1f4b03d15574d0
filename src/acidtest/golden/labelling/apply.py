"""Putting labels into a golden set: grades with the text that they were given for."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from acidtest.codec.rows.row import shown
from acidtest.data.golden import Case, Evidence, GoldenSet
from acidtest.errors import BadData
from acidtest.golden.labelling.judgement import Which
from acidtest.golden.labelling.labels_file import Asked, asked_of
from acidtest.golden.labelling.rules import Rule, settled
from acidtest.golden.labelling.votes import Votes, grades, words
from acidtest.golden.version import version_of

DECIDED = "decided"
"""The rule of a label that a person decided on."""


class Label(Struct, frozen=True, kw_only=True):
    """A label that goes into the set.

    Attributes:
        case: The case.
        chunk: The chunk.
        grade: 0 to 3.
        before: What the set said; None where it said nothing.
        rule: What made it of several people's words.
        by: Who said something.
        text: What the chunk says.
        doc_id: Its document.
        doc_version: The document's version.
    """

    case: str
    chunk: str
    grade: int
    before: int | None
    rule: str
    by: tuple[str, ...]
    text: str
    doc_id: str | None
    doc_version: str | None


class Refused(Struct, frozen=True):
    """A label that cannot go into the set, and why."""

    case: str
    chunk: str
    why: str


class Applied(Struct, frozen=True, kw_only=True):
    """What became of labels.

    Attributes:
        golden: The set with them.
        labels: Those that are in it.
        open: What a person has to decide.
        refused: Those that contradict the set.
    """

    golden: GoldenSet
    labels: tuple[Label, ...]
    open: tuple[Asked, ...]
    refused: tuple[Refused, ...]

    @property
    def exit_status(self) -> int:
        """1 when something is open or refused, else 0."""
        return 1 if self.open or self.refused else 0


def apply_votes(golden: GoldenSet, votes: Votes, rule: Rule) -> Applied:
    """Put what people said into a set.

    A grade from 1 on brings the chunk's text along as evidence; grade 0 takes evidence of that chunk out.
    Labels that nobody said anything of stay as they are. The case's metadata says by whom and by which
    rule it was labelled.

    Args:
        golden: The set.
        votes: What people said and decided.
        rule: What makes one grade of several people's.

    Raises:
        BadData: Labels are of a case that the set does not have, or that asks something else there.
    """
    cases = {case.id: case for case in golden}
    labels: list[Label] = []
    asked: list[Asked] = []
    refused: list[Refused] = []
    for which in dict.fromkeys((*votes.said, *votes.decided)):
        case = _case(cases, which, votes)
        label = _label(case, which, votes, rule)
        if isinstance(label, Asked):
            asked.append(label)
        elif label is not None and not case.answerable and label.grade > 0:
            why = "the case must be declined, and this chunk is said to be relevant"
            refused.append(Refused(case.id, label.chunk, why))
        elif label is not None and case.answerable:
            labels.append(label)
    by_case: dict[str, list[Label]] = {}
    for label in labels:
        by_case.setdefault(label.case, []).append(label)
    made = [_labelled(case, by_case[case.id]) if case.id in by_case else case for case in golden]
    return Applied(
        golden=GoldenSet(
            made, version=version_of(made), path=golden.path, recorded=golden.recorded
        ),
        labels=tuple(labels),
        open=tuple(asked),
        refused=tuple(refused),
    )


def _case(cases: dict[str, Case], which: Which, votes: Votes) -> Case:
    if which[0] not in cases:
        raise BadData(
            f"the set has no case {shown(which[0])}",
            where=votes.places.get(which),
            fix="Give the set that the labels were made for.",
        )
    case = cases[which[0]]
    asked = [each.question for each in votes.said.get(which, {}).values()]
    asked += [votes.decided[which].question] if which in votes.decided else []
    if any(question != case.question for question in asked):
        raise BadData(
            f"case {shown(case.id)} asks something else than it did when it was labelled",
            where=votes.places.get(which),
            fix="Label it again, or take its lines out of the labels.",
        )
    return case


def _label(case: Case, which: Which, votes: Votes, rule: Rule) -> Label | Asked | None:
    """Return the label of a chunk; a row where a person has to decide; None where there is none."""
    said = votes.said.get(which, {})
    decided = votes.decided.get(which)
    if decided is not None:
        if not isinstance(decided.decision, int):
            return None
        by = tuple(said) or tuple(decided.grades)
        return _made(case, which, decided.decision, DECIDED, by, decided)
    given = grades(said)
    unsure = sum(each.mark == "unsure" for each in said.values())
    grade = settled(list(given.values()), rule, unsure=unsure)
    if grade is None:
        if not given and not unsure:
            return None  # skipped by all
        return asked_of(case, next(iter(said.values())), words(said))
    named = rule if len(given) + unsure > 1 else "single"
    source = next(each for each in said.values() if each.grade is not None)
    return _made(case, which, grade, named, tuple(given), asked_of(case, source, {}))


def _made(case: Case, which: Which, grade: int, rule: str, by: Sequence[str], of: Asked) -> Label:
    return Label(
        case=case.id,
        chunk=which[1],
        grade=grade,
        before=(case.relevant or {}).get(which[1]),
        rule=rule,
        by=tuple(by),
        text=of.text,
        doc_id=of.doc_id,
        doc_version=of.doc_version,
    )


def _labelled(case: Case, labels: Sequence[Label]) -> Case:
    graded = {label.chunk: label.grade for label in labels}
    mark = {
        "by": sorted({name for label in labels for name in label.by}),
        "rules": sorted({label.rule for label in labels}),
    }
    return replace(
        case,
        relevant={**(case.relevant or {}), **graded},
        evidence=tuple(_evidence(case, labels, graded)),
        metadata={**case.metadata, "labelled": mark},
    )


def _evidence(case: Case, labels: Sequence[Label], graded: dict[str, int]) -> Iterator[Evidence]:
    there = set()
    for piece in case.evidence:
        if piece.chunk_id is None or graded.get(piece.chunk_id) != 0:
            there.add(piece.chunk_id)
            yield piece
    for label in labels:
        if label.grade > 0 and label.chunk not in there:
            yield Evidence(
                text=label.text,
                chunk_id=label.chunk,
                doc_id=label.doc_id,
                doc_version=label.doc_version,
            )
