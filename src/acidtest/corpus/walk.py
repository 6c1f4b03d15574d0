"""Which files of a folder are its documents or its chunk files, and what is left out.

Left out are hidden files and folders, `node_modules` and `__pycache__`, what `exclude` names, and links:
a linked file is read where it lies inside the folder and is not met otherwise, a linked folder never.
"""

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from msgspec import Struct

from acidtest.codec.rows.read import SUFFIXES as ROW_SUFFIXES
from acidtest.corpus.documents.read import is_document
from acidtest.errors import BadData

MAX_FILES = 200_000
_SKIPPED_FOLDERS = frozenset(("node_modules", "__pycache__"))
_CHUNK_FILES = (".jsonl", ".ndjson", ".parquet", ".pq", ".csv", ".tsv", ".json")
_SHOWN = 5


class Found(Struct, frozen=True, kw_only=True):
    """The files of a folder, by their paths in it, in order; `notes` says what is left out."""

    documents: tuple[str, ...] = ()
    chunk_files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def files_in(folder: Path, *, exclude: Sequence[str] = ()) -> Found:
    """Return the documents and the chunk files of a folder and of the folders in it.

    Args:
        folder: The folder.
        exclude: Patterns such as `drafts/*` or `*.txt` of files and folders to leave out, matched
            against the path in the folder and against the name alone.

    Raises:
        BadData: The folder, or one in it, cannot be read, or it has too many files.
    """
    names, links = _names(folder, exclude)
    kept = set(names)
    outside: list[str] = []
    root = folder.resolve()
    for link in sorted(links):
        target = (folder / link).resolve()
        if not target.is_relative_to(root):
            outside.append(link)
        elif target.is_file() and target.relative_to(root).as_posix() not in kept:
            kept.add(link)
    documents = sorted(name for name in kept if is_document(name))
    chunk_files = sorted(name for name in kept if _is_chunk_file(name))
    others = Counter(
        PurePosixPath(name).suffix.lower() or "no ending"
        for name in kept
        if not is_document(name) and not (_is_chunk_file(name) and not documents)
    )
    return Found(
        documents=tuple(documents),
        chunk_files=tuple(chunk_files),
        notes=tuple(_notes(others, outside)),
    )


def _names(folder: Path, exclude: Sequence[str]) -> tuple[list[str], list[str]]:
    names: list[str] = []
    links: list[str] = []
    left = [""]
    while left:
        inside = left.pop()
        try:
            with os.scandir(folder / inside) as entries:
                for entry in entries:
                    name = f"{inside}{entry.name}"
                    if entry.name.startswith(".") or _excluded(name, exclude):
                        continue
                    if entry.is_symlink():
                        links.append(name)
                    elif entry.is_dir(follow_symlinks=False):
                        if entry.name not in _SKIPPED_FOLDERS:
                            left.append(f"{name}/")
                    elif stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                        names.append(name)
        except OSError as fault:
            raise BadData(
                f"cannot be read: {fault.strerror or fault}",
                where=str(folder / inside),
                fix="Check that you may read it, or leave it out with exclude in [corpus].",
            ) from fault
        if len(names) > MAX_FILES:
            raise BadData(
                f"the folder has over {MAX_FILES:,} files",
                where=str(folder),
                fix="Name a folder in it, or leave some out with exclude.",
            )
    return names, links


def _excluded(name: str, patterns: Sequence[str]) -> bool:
    last = name.rpartition("/")[2]
    return any(fnmatchcase(name, p.rstrip("/")) or fnmatchcase(last, p) for p in patterns)


def _is_chunk_file(name: str) -> bool:
    bare = name.lower().removesuffix(".gz")
    return PurePosixPath(bare).suffix in ROW_SUFFIXES and bare.endswith(_CHUNK_FILES)


def _notes(others: Counter[str], outside: Sequence[str]) -> Iterator[str]:
    if others:
        told = ", ".join(f"{count} {ending}" for ending, count in others.most_common(_SHOWN))
        more = ", ..." if len(others) > _SHOWN else ""
        yield f"left out, since their form is not read: {told}{more}"
    if outside:
        told = ", ".join(outside[:_SHOWN])
        more = f" and {len(outside) - _SHOWN} more" if len(outside) > _SHOWN else ""
        yield f"left out, since they link out of the folder: {told}{more}"
