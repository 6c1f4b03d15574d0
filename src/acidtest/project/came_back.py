"""What a written file gives when it is read again: the check on what its writer said was lost."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from acidtest.data.answers import Answer
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.formats.format import Format
from acidtest.formats.losses import Losses

_CHANGED = "comes back otherwise than it was written"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def came_back(
    exchanged: Exchanged,
    path: str,
    form: Format,
    declared: Sequence[Loss],
    read: Callable[[str, Format], Exchanged],
) -> tuple[Exchanged, tuple[Loss, ...], tuple[str, ...]]:
    """Read a written file again.

    Args:
        exchanged: What was written.
        path: Where to.
        form: The format that wrote it.
        declared: What the writer said was lost.
        read: Reads the file.

    Returns:
        What the file holds; the losses that were declared and those that show; notes on the file.
    """
    if form.read is None:
        return Exchanged(), tuple(declared), _formulas(path)
    again = read(path, form)
    if again.golden is not None and _ids(exchanged) == _ids(again):
        # Ids that follow from what is asked come back by themselves.
        declared = [loss for loss in declared if loss.field != "id"]
    told = {loss.field.partition(".")[0] for loss in declared}
    losses = Losses()
    if again.golden is not None:
        _cases(exchanged.golden or (), again.golden, told, losses)
    if form.outputs and again.golden is not None:
        _answers(exchanged, again, told, losses)
    return again, (*declared, *losses.told()), _formulas(path)


def _ids(exchanged: Exchanged) -> list[str]:
    return [case.id for case in exchanged.golden or ()]


def differing(one: Struct, other: Struct, *, but: Sequence[str] = ()) -> list[str]:
    """Return the fields in which two records of one type differ."""
    return [
        name
        for name in type(one).__struct_fields__
        if name not in but and getattr(one, name) != getattr(other, name)
    ]


def case_differences(one: Case, other: Case) -> list[str]:
    """Return the fields in which two cases differ.

    The empty labels of a case that must abstain go with `answerable`, and are no difference of their own.
    """
    found = differing(one, other)
    if "answerable" in found and not one.relevant and not other.relevant:
        found = [name for name in found if name != "relevant"]
    return found


def _cases(wrote: Sequence[Case], got: Sequence[Case], told: set[str], losses: Losses) -> None:
    for one, other in zip(wrote, got, strict=False):
        for name in case_differences(one, other):
            if name not in told:
                losses.add(name, _CHANGED, one.id)
    for one in wrote[len(got) :]:
        losses.add("case", "does not come back at all", one.id)


def _answers(exchanged: Exchanged, again: Exchanged, told: set[str], losses: Losses) -> None:
    # Ids may have changed on the way; the order of cases has not.
    place = {case.id: n for n, case in enumerate(again.golden or ())}
    got: dict[int, Answer] = {place[answer.case_id]: answer for answer in again.answers}
    ids = {case.id: n for n, case in enumerate(exchanged.golden or ())}
    for answer in exchanged.answers:
        other = got.get(ids.get(answer.case_id, -1))
        if other is None:
            said = answer.text is not None or answer.retrieved is not None
            if "answer" not in told and (said or "failure" not in told):
                losses.add("answer", "does not come back at all", answer.case_id)
            continue
        for name in differing(answer, other, but=("case_id",)):
            field = "answer" if name == "text" else name
            if field not in told:
                losses.add(field, _CHANGED, answer.case_id)


def _formulas(path: str) -> tuple[str, ...]:
    if not path.lower().endswith((".csv", ".tsv")):
        return ()
    from acidtest.formats.source import Source

    found = sum(
        isinstance(value, str) and value.startswith(_FORMULA)
        for row in Source(path).rows
        for value in row.values.values()
    )
    if not found:
        return ()
    return (
        (
            f"{found} cells start with =, +, - or @: they are written as they are, and a spreadsheet "
            "would run them as formulas. Import the file as text."
        ),
    )
