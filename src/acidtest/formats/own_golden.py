"""acidtest's own golden set, in any form that it is read in."""

import msgspec

from acidtest.codec.fields import lookup
from acidtest.codec.names import CASE, fold
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.golden import Case
from acidtest.errors import UsageError
from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.write_rows import ROWS, write_rows

_OWN = frozenset(field.name for field in msgspec.structs.fields(Case))
_KNOWN = lookup(CASE)


def _sniff(source: Source) -> Likeness:
    if "question" in source.keys and source.keys <= _OWN:
        return 2
    return 1 if any(_KNOWN.get(fold(key)) == "question" for key in source.keys) else 0


def _read(source: Source) -> Found:
    return Found(rows=source.rows)


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no cases to write: the file that was read has no questions",
            fix="Give a file that has questions.",
        )
    write_rows([msgspec.to_builtins(case) for case in exchanged.golden], path)
    losses = Losses()
    for answers in exchanged.outputs.values():
        for answer in answers:
            why = "a golden set holds no outputs: write them with --to acidtest-outputs"
            losses.add("answers", why, answer.case_id)
    for run in exchanged.runs:
        why = "a golden set holds no scores: write them with --to acidtest-run"
        losses.add("scores", why, run.name)
    return losses.told()


FORMAT = Format(name="acidtest", sniff=_sniff, read=_read, write=_write, endings=ROWS)
