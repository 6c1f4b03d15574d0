"""Writing judgements: each is on the disk before the next chunk is shown."""

import os
from types import TracebackType
from typing import Self

import msgspec

from acidtest.errors import UsageError
from acidtest.golden.labelling.judgement import Judgement
from acidtest.golden.labelling.labels_file import Labels, read_labels
from acidtest.text.surrogates import without_halves_in


class LabelJournal:
    """A labels file that lines are added to, by one session at a time.

    What it holds already is read first: a file that holds anything else is refused, not written to. A
    last line that was cut off is taken out.

    Args:
        path: The file; a new one is made.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.before: Labels = read_labels(path, new=True)
        self._stream = open(path, "ab")  # noqa: PTH123, SIM115 - open for as long as the session
        try:
            _lock(self._stream.fileno(), path)
            self._mend()
        except BaseException:
            self._stream.close()
            raise

    def add(self, said: Judgement) -> None:
        """Write a judgement so that no power cut takes it away.

        Raises:
            OSError: It cannot be written.
        """
        built = without_halves_in(msgspec.to_builtins(said))
        self._stream.write(msgspec.json.encode(built) + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.close()

    def _mend(self) -> None:
        size = os.fstat(self._stream.fileno()).st_size
        if size > self.before.whole:
            os.ftruncate(self._stream.fileno(), self.before.whole)
        if self.before.whole:
            with open(self.path, "rb") as stream:  # noqa: PTH123
                stream.seek(self.before.whole - 1)
                if stream.read(1) != b"\n":
                    self._stream.write(b"\n")


def _lock(number: int, path: str) -> None:
    """Keep a second session off the file; the lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # a system without it: two sessions at once are up to the people there
        return
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(
            "another session is writing labels here",
            where=path,
            fix="End it first, or name another file with --out.",
        ) from error
