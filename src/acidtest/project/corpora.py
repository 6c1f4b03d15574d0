"""The corpus that a command or a caller names: a file, a folder, a callable, rows in memory."""

import os
from pathlib import Path
from typing import Any

from acidtest.corpus.load import chunks_in_memory, read_chunk_file
from acidtest.data.corpus import Corpus


def load_corpus(source: Any) -> Corpus:
    """Read a corpus: the chunks that a retriever can find.

    Args:
        source: The path of a chunk file (`.jsonl`, `.json`, `.yaml`, `.csv`, `.tsv`, `.parquet`; text
            forms also `.gz`), or rows as mappings, or chunks, or a data frame that exports Arrow.

    Returns:
        The chunks in their order. A document whose version nobody gave has the hash of its text.

    Raises:
        BadData: What is wrong, with file, line and field, and how to mend it.
        MissingExtra: A package that reads this form is not installed.
    """
    if isinstance(source, Corpus):
        return source
    if isinstance(source, str | os.PathLike):
        return read_chunk_file(Path(source))
    return chunks_in_memory(source)
