"""The one form of a case on disk: a JSON line, so that a changed case is one changed line.

Fields come in the order of `Case`, those at their default are left out, keys of metadata are sorted
however deep; labels, tags and evidence stay in the order in which they were written.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from acidtest.codec.rows.row import shown
from acidtest.data.golden import Case, GoldenSet
from acidtest.errors import UsageError
from acidtest.golden.abstain import is_marker
from acidtest.text.surrogates import without_halves_in


def case_line(case: Case) -> bytes:
    """Return the line of a case; half a surrogate pair becomes U+FFFD."""
    values = msgspec.to_builtins(case)
    if case.metadata:
        values["metadata"] = _sorted(values["metadata"])
    if case.answerable and case.reference is not None and is_marker(case.reference):
        # Left out, it would be read as a case that must be declined.
        values = {"answerable": True} | values
        values = {name: values[name] for name in case.__struct_fields__ if name in values}
    try:
        return msgspec.json.encode(values) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(without_halves_in(values)) + b"\n"


def canonical_lines(cases: Iterable[Case]) -> bytes:
    """Return the lines of cases, in their order."""
    return b"".join(map(case_line, cases))


def refuse_recorded(golden: GoldenSet) -> None:
    """Refuse a set whose file holds answers too: written anew, it would not.

    Raises:
        UsageError: It does.
    """
    if golden.recorded:
        raise UsageError(
            f"the line of case {shown(golden.recorded[0].case_id)} holds a recorded answer, which would "
            "be lost",
            where=golden.path,
            fix="Move recorded answers into a file of their own, and give it with --outputs.",
        )


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(each) for each in value] if isinstance(value, list) else value
