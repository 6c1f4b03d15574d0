"""The corpus that a command or a caller names: a file, a folder, a callable, rows in memory."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from acidtest.corpus.cut import SIZE
from acidtest.corpus.folder import read_folder
from acidtest.corpus.load import chunks_in_memory, read_chunk_file
from acidtest.data.corpus import Corpus
from acidtest.errors import AcidtestError, BadConfig, BadData, UsageError
from acidtest.pipelines.load import load_object
from acidtest.pipelines.trace import error_place, one_line
from acidtest.project.config import CHUNK_SIZES, Config, CorpusConfig

_ADDRESS = re.compile(r".+:[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def load_corpus(
    source: Any, *, chunk_size: int = SIZE, overlap: int = 0, exclude: Sequence[str] = ()
) -> Corpus:
    """Read a corpus: the chunks that a retriever can find.

    Args:
        source: The path of a chunk file (`.jsonl`, `.json`, `.yaml`, `.csv`, `.tsv`, `.parquet`; text
            forms also `.gz`) or of a folder of documents or chunk files; or the address of a function
            that returns rows (`module:function`, `path.py:function`), or the function; or rows as
            mappings, chunks, or a data frame that exports Arrow.
        chunk_size: The most characters that a chunk has which is cut here from a document.
        overlap: The most characters that such a chunk shares with the one before it.
        exclude: Patterns of a folder's files to leave out, such as `drafts/*`.

    Returns:
        The chunks in their order. A document whose version nobody gave has the hash of its text.

    Raises:
        BadData: What is wrong, with file, line and field, and how to mend it.
        UsageError: The sizes are impossible.
        BadConfig: The function cannot be imported or called.
        MissingExtra: A package that reads this form is not installed.
    """
    _check(chunk_size, overlap)
    return _load(source, Path.cwd(), chunk_size, overlap, exclude)


def corpus_for(option: str | None, config: Config) -> Corpus | None:
    """Return the corpus of a command: the one that its option names, else the configured one, else None.

    Args:
        option: What the command line says, from the working folder.
        config: The configuration; its sizes and `exclude` hold for both.

    Raises:
        AcidtestError: See `load_corpus`.
    """
    table = corpus_table(config)
    settings = (table.chunk_size, table.overlap, table.exclude)
    if option is not None:
        return _load(option, Path.cwd(), *settings)
    folder = Path(config.folder)
    if table.path is not None:
        return _load(folder / table.path, folder, *settings)
    return _load(table.python, folder, *settings) if table.python is not None else None


def corpus_table(config: Config) -> CorpusConfig:
    """Return the table `[corpus]`, also where the file only names a path or an address."""
    given = config.corpus
    if not isinstance(given, str):
        return given or CorpusConfig()
    is_path = (Path(config.folder) / given).exists() or not _ADDRESS.fullmatch(given)
    return CorpusConfig(path=given) if is_path else CorpusConfig(python=given)


def _check(chunk_size: int, overlap: int) -> None:
    least, most = CHUNK_SIZES
    if not least <= chunk_size <= most:
        raise UsageError(f"chunk_size is {chunk_size}", fix=f"Give {least} to {most:,} characters.")
    if not 0 <= overlap <= chunk_size // 2:
        raise UsageError(
            f"overlap is {overlap}", fix="Give 0 characters to half of the chunk size."
        )


def _load(source: Any, base: Path, size: int, overlap: int, exclude: Sequence[str]) -> Corpus:
    if isinstance(source, Corpus):
        return source
    if isinstance(source, str | os.PathLike):
        if not os.fspath(source).strip():
            raise BadData("the path of the corpus is empty", fix="Name a file or a folder.")
        path = Path(source)
        if path.is_dir():
            return read_folder(path, size=size, overlap=overlap, exclude=exclude)
        if path.exists() or not (isinstance(source, str) and _ADDRESS.fullmatch(source)):
            return read_chunk_file(path)
        return _called(load_object(source, base=base), source, base, size, overlap, exclude)
    if callable(source) and not isinstance(source, Iterable):
        named = getattr(source, "__name__", type(source).__name__)
        return _called(source, named, base, size, overlap, exclude)
    return chunks_in_memory(source)


def _called(
    thing: Any, name: str, base: Path, size: int, overlap: int, exclude: Sequence[str]
) -> Corpus:
    # The address of a function that needs nothing gives what it returned.
    try:
        if callable(thing) and not isinstance(thing, Iterable):
            thing = thing()
    except AcidtestError:
        raise
    except Exception as fault:
        raise _failed(fault, name) from fault
    if callable(thing) and not isinstance(thing, Iterable):
        raise BadData(
            "returned a function, not the rows of a corpus",
            where=repr(name),
            fix="Name a function that returns the rows themselves.",
        )
    if isinstance(thing, str | os.PathLike):
        return _load(base / thing, base, size, overlap, exclude)
    if isinstance(thing, Iterator):
        thing = _watched(thing, name)
    held = _load(thing, base, size, overlap, exclude)
    return Corpus(held, path=held.path or name, documents=held.documents, notes=held.notes)


def _watched(rows: Iterator[Any], name: str) -> Iterator[Any]:
    try:
        yield from rows
    except AcidtestError:
        raise
    except Exception as fault:
        raise _failed(fault, name) from fault


def _failed(fault: Exception, name: str) -> BadConfig:
    return BadConfig(
        f"the corpus function failed: {type(fault).__name__}: {one_line(fault)}",
        where=error_place(fault) or repr(name),
        fix="It is called without arguments, and returns or yields chunks, or the path of them.",
    )
