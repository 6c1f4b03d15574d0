"""The golden set: questions, and what is known of their right answers."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

import msgspec
from msgspec import Struct

from acidtest.data.answers import Answer
from acidtest.extras import need

_NESTED = ("relevant", "relevant_docs", "evidence", "history", "metadata")


class Turn(Struct, frozen=True, omit_defaults=True):
    """One earlier turn of a conversation."""

    role: str
    text: str


class Evidence(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The text of a relevant chunk, which outlives the chunk's id."""

    text: str
    chunk_id: str | None = None
    doc_id: str | None = None
    doc_version: str | None = None
    start: int | None = None
    end: int | None = None


class Case(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One question of the golden set with what is known of its right answer.

    `relevant` maps chunk ids to grades (0..3) and `relevant_docs` document ids. None means *not
    labelled*; an empty mapping means *nothing in the corpus is relevant*, which only a case that must
    abstain (`answerable=False`) can say. `group` names cases that belong together, such as the turns
    of one conversation: statistics resample groups, not cases.
    """

    id: str
    question: str
    reference: str | None = None
    relevant: dict[str, int] | None = None
    relevant_docs: dict[str, int] | None = None
    evidence: tuple[Evidence, ...] = ()
    answerable: bool = True
    tags: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    group: str | None = None
    split: str | None = None
    source: str | None = None
    metadata: dict[str, Any] = {}

    @property
    def labels(self) -> dict[str, int] | None:
        """The grades that label metrics use: by chunk where there are any, else by document."""
        return self.relevant if self.relevant is not None else self.relevant_docs


class GoldenSet(Sequence[Case]):
    """A sequence of cases with the content hash that is its version.

    Args:
        cases: The cases, in file order.
        version: `sha256:...` over the canonical form; see `acidtest.golden.version`.
        path: Where it was read from.
        recorded: Answers that the file itself carried (`generated_answer`, `retrieved_contexts`).
    """

    __slots__ = ("_cases", "path", "recorded", "version")

    def __init__(
        self,
        cases: Sequence[Case],
        *,
        version: str,
        path: str | None = None,
        recorded: "Sequence[Answer]" = (),
    ) -> None:
        self._cases = tuple(cases)
        self.version = version
        self.path = path
        self.recorded = tuple(recorded)

    @overload
    def __getitem__(self, index: int) -> Case: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Case, ...]: ...
    def __getitem__(self, index: int | slice) -> Case | tuple[Case, ...]:
        return self._cases[index]

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self._cases)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row a case for a table: mappings and lists of them are JSON, as `load_golden` reads."""
        return [
            {
                name: msgspec.json.encode(value).decode()
                if name in _NESTED and value
                else None
                if name in _NESTED
                else list(value)
                if isinstance(value, tuple)
                else value
                for name, value in msgspec.structs.asdict(case).items()
            }
            for case in self._cases
        ]

    def to_polars(self) -> Any:
        """Return `rows` as a Polars data frame (extra `tables`); `load_golden` reads it back."""
        polars = need("polars", extra="tables")
        own = {"answerable": polars.Boolean, "tags": polars.List(polars.String)}
        names = [field.name for field in msgspec.structs.fields(Case)]
        return polars.DataFrame(
            self.rows(), schema={name: own.get(name, polars.String) for name in names}
        )

    def to_pandas(self) -> Any:
        """Return `rows` as a pandas data frame; pandas must be installed."""
        columns = [field.name for field in msgspec.structs.fields(Case)]
        return need("pandas", install="pandas").DataFrame(self.rows(), columns=columns)

    def __repr__(self) -> str:
        return f"GoldenSet({len(self)} cases, version={self.version!r}, path={self.path!r})"
