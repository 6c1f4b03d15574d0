"""What a format is: a name, how its files are known, how they are read and written.

A format is a module of this package with a `FORMAT`, and a line in `acidtest.formats.registry`. Its reader
hands over rows in our names (`Found`), which the floor above turns into cases and runs; its writer takes
whole records (`Exchanged`). Whatever either leaves behind is a `Loss`: nothing goes in silence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer
from acidtest.data.corpus import Corpus
from acidtest.data.exchange import Exchanged, Loss
from acidtest.data.outcomes import MetricSpec, Outcome
from acidtest.data.runs import Run
from acidtest.formats.source import Source

Likeness = Literal[0, 1, 2]
"""How like a format a file looks: not, perhaps (others write such rows too), surely."""


@dataclass(frozen=True, kw_only=True)
class Output:
    """What one system gave for one case, and what the other tool scored it.

    Attributes:
        row: The case, by its place in `Found.rows`.
        answer: The answer; None where the case's own row holds it (`generated_answer`, ...).
        scores: Outcomes by the name of the metric, as `MetricSpec.name` has it.
    """

    row: int
    answer: Answer | None = None
    scores: Mapping[str, Outcome] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class System:
    """One system in a file of results.

    Attributes:
        name: What the file calls it.
        outputs: At most one a case.
        specs: The metrics that were scored, in the file's order.
        judge: The model that scored, where the file says it.
        created: When, in ISO 8601, where the file says it.
    """

    name: str
    outputs: tuple[Output, ...]
    specs: tuple[MetricSpec, ...] = ()
    judge: str | None = None
    created: str | None = None


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a reader found.

    Attributes:
        rows: Cases, each a `Row` with its place and fields that `load_golden` reads (our own names do),
            recorded outputs (`generated_answer`, `retrieved`) among them.
        answers: Outputs that stand without their questions, by the ids of cases.
        systems: Results; empty where the file has cases alone.
        runs: Whole runs, where the file is one of ours.
        corpus: Chunks.
        losses: What of the file was left behind.
    """

    rows: tuple[Row, ...] = ()
    answers: tuple[Answer, ...] = ()
    systems: tuple[System, ...] = ()
    runs: tuple[Run, ...] = ()
    corpus: Corpus | None = None
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Format:
    """One form of file.

    Attributes:
        name: What `--from` and `--to` call it.
        sniff: Says how like this form a file looks; never raises for a file that can be read at all.
        read: Reads it; raises `DataError` with the row and the reason. None: the form is only written.
        write: Writes what was exchanged and says what was lost. None: the form is only read.
        endings: The endings that it writes, the usual one first; a folder is "/".
        outputs: Its writer writes what one system answered, too.
    """

    name: str
    sniff: Callable[[Source], Likeness]
    read: Callable[[Source], Found] | None = None
    write: Callable[[Exchanged, str], tuple[Loss, ...]] | None = None
    endings: tuple[str, ...] = ()
    outputs: bool = False
