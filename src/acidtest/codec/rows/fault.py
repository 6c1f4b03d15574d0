"""What is wrong with a text, before the file that it came from is known."""


class LineFault(Exception):  # noqa: N818 - turned into a DataError where the file is known
    """What is wrong, at which line of the text, and how to mend it."""

    def __init__(self, what: str, *, line: int = 1, fix: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.line = line
        self.fix = fix
