"""Writing to a console of any width, colour and encoding.

Everything is put into `rich.text.Text`, never into markup: a text from outside cannot colour, link or
replace anything. What the console's encoding lacks is replaced before it is written.
"""

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from acidtest.report.clean import one_line

WIDEST = 110
"""Prose and tables do not grow beyond this, however wide the terminal is."""

_PLAIN = str.maketrans(
    {
        "…": "...",
        "·": "-",
        "–": "-",
        "—": "-",
        "’": "'",
        "×": "x",
        "█": "#",
        "▌": "",
        "→": "->",
        "─": "-",
    }
)


class Paper:
    """A console, with what is needed to write on it safely.

    Args:
        console: Where to write.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = max(20, min(console.width, WIDEST))
        self._encoding = console.encoding
        self._narrow = not self._encoding.lower().startswith("utf")
        self._ellipsis = "..." if self._narrow else "…"

    def text(self, text: str, style: str = "") -> Text:
        """Return a text on one line that this console can write."""
        line = one_line(text)
        if self._narrow:
            line = line.translate(_PLAIN)
            line = line.encode(self._encoding, "replace").decode(self._encoding, "replace")
        return Text(line, style=style)

    def clipped(self, text: str, cells: int, style: str = "") -> Text:
        """Return a text cut to so many cells (a wide character takes two)."""
        whole = self.text(text, style)
        if whole.cell_len <= cells:
            return whole
        cut = whole.copy()
        cut.truncate(max(0, cells - len(self._ellipsis)))
        cut.rstrip()
        return cut.append(self._ellipsis)

    def indented(self, text: str, cells: int) -> Text:
        """Return a clipped text that stands under a heading of its table."""
        return Text("  ").append_text(self.clipped(text, cells - 2))

    def folded(self, text: str, cells: int) -> Text:
        """Return a text under a heading of its table whole, on several lines where it is too long.

        A line ends behind a `.`, `_` or `@` where there is one in it.
        """
        rest, room = self.text(text), max(4, cells - 2)
        lines: list[Text] = []
        while rest.cell_len > room:
            head = rest.copy()
            head.truncate(room)
            at = max(map(head.plain.rfind, "._@")) + 1 or len(head)
            lines.append(rest[:at])
            rest = rest[at:]
        return Text("\n").join(Text("  ").append_text(line) for line in [*lines, rest])

    def line(self, *parts: Text | str, indent: int = 0) -> None:
        """Write one paragraph, wrapped and indented."""
        joined = Text()
        for part in parts:
            joined.append_text(part if isinstance(part, Text) else self.text(part))
        self._print(joined, indent)

    def lead(self, mark: str, *parts: Text | str, indent: int = 2) -> None:
        """Write a paragraph that hangs under a mark, such as a list item."""
        joined = Text()
        for part in parts:
            joined.append_text(part if isinstance(part, Text) else self.text(part))
        grid = Table.grid(padding=(0, 1))
        grid.add_column(no_wrap=True, width=len(mark))
        grid.add_column()
        grid.add_row(self.text(mark, "dim"), joined)
        self._print(grid, indent)

    def rule(self) -> None:
        """Write a line across, after an empty one."""
        self.console.print()
        self.line(self.text("─" * self.width, "dim"))

    def heading(self, title: str) -> None:
        """Write a heading after an empty line."""
        self.console.print()
        self.line(self.text(title, "bold"))

    def table(self, table: Table, indent: int = 0) -> None:
        """Write a table."""
        self._print(table, indent)

    def grid(self, columns: Iterable[tuple[str, bool]], *, gap: int = 1) -> Table:
        """Return an empty table without lines: pairs of heading and whether it holds figures."""
        table = Table(
            box=None, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False, header_style="dim"
        )
        for title, figures in columns:
            table.add_column(
                Text("\n").join(map(self.text, title.split("\n"))),
                justify="right" if figures else "left",
                no_wrap=figures,
            )
        return table

    def _print(self, body: RenderableType, indent: int) -> None:
        """Write line by line without the spaces that fill a line: they spoil pipes and copies."""
        padded = Padding(body, (0, 0, 0, indent), expand=False) if indent else body
        options = self.console.options.update(width=self.width)
        for line in self.console.render_lines(padded, options, pad=False):
            while line and not line[-1].text.strip():
                line.pop()
            if line:
                line[-1] = Segment(line[-1].text.rstrip(), line[-1].style)
            # Rich marks a cell that it cut with what the encoding may lack; as wide, another mark.
            told = (
                [Segment(s.text.replace("…", "~"), s.style) for s in line] if self._narrow else line
            )
            self.console.print(Segments([*told, Segment.line()]), end="")
