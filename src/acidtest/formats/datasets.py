"""Hugging Face `datasets`: folders of `save_to_disk`, and folders of Parquet as the hub has them.

The library is not needed: its Arrow files are read by Polars. A folder of several splits is one golden set in
which each case names its split. Columns that mean nothing to a golden set are kept in the metadata.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from acidtest.codec.names import ANSWER_ANYWHERE, CARRIED, CASE, fold
from acidtest.codec.rows.frames import frame_rows
from acidtest.codec.rows.row import Row
from acidtest.data.exchange import Exchanged, Loss
from acidtest.errors import BadData, UsageError
from acidtest.extras import need
from acidtest.formats.folder import write_folder
from acidtest.formats.format import Format, Found, Likeness
from acidtest.formats.leave import scores_left
from acidtest.formats.losses import Losses
from acidtest.formats.source import Source
from acidtest.formats.write_rows import parquet_bytes

_KNOWN = frozenset(
    name for table in (CASE, ANSWER_ANYWHERE) for names in table.values() for name in names
) | frozenset(CARRIED)


def _sniff(source: Source) -> Likeness:
    if source.form != "folder":
        return 0
    folder = Path(source.path)
    saved = any((folder / name).is_file() for name in ("dataset_dict.json", "state.json"))
    return 2 if saved else 1 if any(folder.rglob("*.parquet")) else 0


def _parts(source: Source) -> list[tuple[str | None, list[Path]]]:
    """Return the files of each split; a data set that is not split has one part without a name."""
    folder = Path(source.path)
    described = folder / "dataset_dict.json"
    if described.is_file():
        try:
            names = [str(name) for name in json.loads(described.read_text("utf-8"))["splits"]]
        except (ValueError, KeyError, TypeError) as fault:
            raise source.fault("it names no splits", at="dataset_dict.json") from fault
        if any(Path(name).name != name for name in names):
            raise source.fault("a split is outside of the folder", at="dataset_dict.json")
        return [(name, _arrows(source, folder / name)) for name in names]
    if (folder / "state.json").is_file():
        return [(None, _arrows(source, folder))]
    parts: dict[str | None, list[Path]] = {}
    for path in sorted(folder.rglob("*.parquet")):
        # The hub's names: data/test-00000-of-00001.parquet.
        stem, dash, _ = path.stem.partition("-")
        parts.setdefault(stem if dash else path.stem, []).append(path)
    if not parts:
        raise source.fault(
            "no data set of Hugging Face is in this folder",
            fix="Save it with dataset.save_to_disk(folder), or as Parquet files.",
        )
    return [(None, files) for files in parts.values()] if len(parts) == 1 else list(parts.items())


def _arrows(source: Source, folder: Path) -> list[Path]:
    found = sorted(folder.glob("data-*.arrow")) or sorted(folder.glob("*.arrow"))
    if not found:
        raise source.fault("its Arrow files are missing", at=folder.name)
    return found


def _read(source: Source) -> Found:
    losses = Losses()
    rows = [
        _row(row, split)
        for split, files in _parts(source)
        for path in files
        for row in _rows(path, losses)
    ]
    return Found(rows=tuple(rows), losses=losses.told())


def _rows(path: Path, losses: Losses) -> Iterator[Row]:
    polars = need("polars", extra="tables")
    try:
        with path.open("rb") as stream:
            arrow = path.suffix == ".arrow"
            frame = polars.read_ipc_stream(stream) if arrow else polars.read_parquet(stream)
    except (Exception, polars.exceptions.PanicException) as fault:
        # Polars panics, outside `Exception`, on some damaged files.
        first = (str(fault).splitlines() or [repr(fault)])[0]
        raise BadData(
            f"not Arrow that can be read: {first[:200]}",
            where=str(path),
            fix="Save the data set again with save_to_disk.",
        ) from fault
    for name, kind in frame.schema.items():
        if "Binary" in str(kind):
            losses.add(name, "pictures, sound and other bytes are left behind", str(path))
            frame = frame.drop(name)
    for row in frame_rows(frame, BadData):
        yield Row(where=f"{path}: {row.where}", values=row.values, flat=True)


def _row(row: Row, split: str | None) -> Row:
    values: dict[str, Any] = {}
    more: dict[str, Any] = {}
    for name, value in row.values.items():
        if fold(name) in _KNOWN:
            values[name] = value
        elif value is not None:
            more[name] = value
    if more:
        about = values.get("metadata")
        values["metadata"] = {**more, **_mapping(about)}
    if split is not None and values.get("split") is None:
        values["split"] = split
    return Row(where=row.where, values=values, error=row.error, flat=True)


def _mapping(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {"metadata": value}
    return value if isinstance(value, dict) else {}


def _write(exchanged: Exchanged, path: str) -> tuple[Loss, ...]:
    if exchanged.golden is None:
        raise UsageError(
            "there are no cases to write: the file that was read has no questions",
            fix="Give a file that has questions.",
        )
    write_folder(path, {"data/test-00000-of-00001.parquet": parquet_bytes(exchanged.golden.rows())})
    losses = Losses()
    for answers in exchanged.outputs.values():
        for answer in answers:
            why = "a data set of cases holds no outputs: write them with --to acidtest-outputs"
            losses.add("answers", why, answer.case_id)
    scores_left(losses, exchanged, "a data set of cases holds no scores")
    return losses.told()


FORMAT = Format(name="datasets", sniff=_sniff, read=_read, write=_write, endings=("/",))
