"""Reading a labels file: judgements as they came, and decisions on what people disagreed on.

A session that was killed may leave the last line cut off: that line was nobody's word yet, and is passed
over.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from acidtest.codec.files import read_bytes
from acidtest.codec.rows import jsontext
from acidtest.codec.rows.fault import LineFault
from acidtest.codec.rows.row import Row, kind, shown
from acidtest.data.golden import Case
from acidtest.errors import BadData, suggestion
from acidtest.golden.labelling.judgement import Judgement, Which, fault
from acidtest.golden.labels import MAX_GRADE
from acidtest.text.surrogates import without_halves_in

Form = TypeVar("Form", bound=Struct)

_BEGINNING = b'{"case":'
_NUL = b"\0"  # what a power cut leaves where a line was to be
HOW = f'Write a grade from 0 to {MAX_GRADE}, or "drop" (no label); null leaves it open.'


class Asked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row that asks a person to decide between others, in the order in which it is read.

    Attributes:
        case: The case.
        question: What is asked.
        reference: The expected answer.
        chunk: The chunk.
        text: What it says.
        grades: What each person said: a grade, `unsure` or `skip`.
        proposed: What the rule makes of it; None where it makes nothing.
        doc_id: The chunk's document.
        doc_version: The document's version.
        decision: What is decided: a grade or `drop`.
        note: Anything.
    """

    case: str
    question: str
    reference: str | None = None
    chunk: str
    text: str
    grades: dict[str, int | str]
    proposed: int | None = None
    doc_id: str | None = None
    doc_version: str | None = None
    decision: int | str | None = None
    note: str | None = None


class Labels(Struct, frozen=True, kw_only=True):
    """A labels file.

    Attributes:
        path: Where it is.
        judgements: What people said, in the order in which they said it.
        decided: Case and chunk -> what was decided; rows that are open are left out.
        places: Case and chunk -> file and line where they come first, for errors.
        whole: How many bytes of the file are whole lines.
    """

    path: str
    judgements: tuple[Judgement, ...] = ()
    decided: Mapping[Which, Asked] = {}
    places: Mapping[Which, str] = {}
    whole: int = 0


def read_labels(path: str | os.PathLike[str], *, new: bool = False) -> Labels:
    """Read a labels file.

    Args:
        path: JSON lines.
        new: Whether it may be missing or empty.

    Raises:
        BadData: It is missing, or a line is none of a labels file; with file, line and field.
    """
    where = os.fspath(path)
    if new and (not Path(where).exists() or Path(where).stat().st_size == 0):
        return Labels(path=where)
    raw = read_bytes(where)
    lines = raw.split(b"\n")
    torn = lines.pop()
    rows = list(_rows(where, lines))
    whole = len(raw) - len(torn)
    if torn.strip() and not (_is_begun(torn) or (rows and not torn.strip(_NUL))):
        # Written by an editor that ends no last line, or by nobody who labels.
        rows += _rows(where, [torn], first=len(lines) + 1)
        whole = len(raw)
    judgements: list[Judgement] = []
    decided: dict[Which, Asked] = {}
    places: dict[Which, str] = {}
    for row in rows:
        if "grades" not in row.values:
            judgements.append(_judgement(row))
            places.setdefault(judgements[-1].which, row.where)
            continue
        asked = _asked(row)
        places.setdefault((asked.case, asked.chunk), row.where)
        if asked.decision is None:
            continue
        which = (asked.case, asked.chunk)
        if which in decided and decided[which].decision != asked.decision:
            raise row.fault("is decided twice, and differently", fix="Keep one of the rows.")
        decided[which] = asked
    return Labels(
        path=where, judgements=tuple(judgements), decided=decided, places=places, whole=whole
    )


def last_words(judgements: Iterable[Judgement]) -> dict[Which, Judgement]:
    """Return the last judgement of each chunk for each case, of one person."""
    return {said.which: said for said in judgements}


def asked_rows(asked: Iterable[Asked]) -> bytes:
    """Return the JSON lines that ask a person to decide."""
    built = (without_halves_in(msgspec.to_builtins(each)) for each in asked)
    return b"".join(msgspec.json.encode(each) + b"\n" for each in built)


def asked_of(
    case: Case | None, said: Judgement, grades: dict[str, int | str], **more: Any
) -> Asked:
    """Return the row that asks about a chunk.

    Args:
        case: The case, where the set is at hand.
        said: What anyone said of the chunk.
        grades: What each person said.
        more: Further fields.
    """
    return Asked(
        case=said.case,
        question=said.question,
        reference=case.reference if case is not None else None,
        chunk=said.chunk,
        text=said.text,
        grades=grades,
        doc_id=said.doc_id,
        doc_version=said.doc_version,
        **more,
    )


def _is_begun(line: bytes) -> bool:
    """Say whether a line is the beginning of a judgement: what else is cut off is somebody's text."""
    if not (line.startswith(_BEGINNING) or _BEGINNING.startswith(line)):
        return False
    try:
        jsontext.parse(line.decode())
    except (LineFault, UnicodeDecodeError):
        return True
    return False


def _rows(where: str, lines: Iterable[bytes], first: int = 1) -> Iterator[Row]:
    for number, line in enumerate(lines, start=first):
        if not line.strip():
            continue
        place = f"{where}:{number}"
        try:
            value = jsontext.parse(line.decode())
        except UnicodeDecodeError as error:
            raise BadData("not UTF-8", where=place, fix="Save the file as UTF-8.") from error
        except LineFault as error:
            raise BadData(error.what, where=place, fix=error.fix) from error
        if not isinstance(value, dict):
            raise BadData(
                f"must be a mapping, not {kind(value)}",
                where=place,
                fix="Write one JSON object a line.",
            )
        yield Row(where=place, values=value)


def _judgement(row: Row) -> Judgement:
    said = _converted(row, Judgement)
    why = fault(said)
    if why is not None:
        raise row.fault(why)
    return said


def _asked(row: Row) -> Asked:
    said = row.values.get("decision")
    if said is not None and not isinstance(said, str) and type(said) is not int:
        raise row.fault(f"{shown(said)} is no decision", field="decision", fix=HOW)
    asked = _converted(row, Asked)
    decision = asked.decision
    if isinstance(decision, str):
        word = decision.strip().lower()
        if word not in ("", "drop"):
            raise row.fault(f"{shown(decision)} is no decision", field="decision", fix=HOW)
        return msgspec.structs.replace(asked, decision=word or None)
    if decision is not None and not 0 <= decision <= MAX_GRADE:
        raise row.fault(f"{decision} is no grade", field="decision", fix=HOW)
    return asked


def _converted(row: Row, form: type[Form]) -> Form:
    names = [field.name for field in msgspec.structs.fields(form)]
    for name in row.values:
        if name not in names:
            raise row.fault(f"unknown field {shown(name)}", fix=suggestion(name, names))
    try:
        return msgspec.convert(row.values, form)
    except msgspec.ValidationError as error:
        raise row.fault(
            f"this is no line of a labels file: {error}",
            fix="Labels files are written by acidtest golden label and acidtest golden agree.",
        ) from error
