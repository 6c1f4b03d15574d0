"""Telling TREC files by their first lines: judgements have four columns, runs six."""

from itertools import islice

from acidtest.codec.rows.lines import opened
from acidtest.errors import BadData, DataError
from acidtest.formats.source import Source

_FORMS = ("", ".trec", ".qrels", ".qrel", ".run", ".txt", ".tsv", "tsv")
_HEAD = 5
_LONGEST = 4096


def columns(source: Source) -> int:
    """Return 4 for judgements, 6 for a run, 0 for what is neither."""
    if source.form not in _FORMS:
        return 0
    try:
        with opened(source.path, BadData) as stream:
            lines = [
                line.split() for line in islice(iter(lambda: stream.readline(_LONGEST), b""), _HEAD)
            ]
    except DataError:
        return 0
    lines = [line for line in lines if line and not line[0].startswith(b"#")]
    if lines and all(len(line) == 4 and _is_number(line[3]) for line in lines):
        return 4
    if lines and all(len(line) >= 6 and _is_number(line[4]) for line in lines):
        return 6 if all(_is_number(line[3]) for line in lines) else 0
    return 0


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
