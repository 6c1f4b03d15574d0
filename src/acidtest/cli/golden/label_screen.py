"""What a labelling session shows: a chunk beside its question, within any terminal.

Texts come from outside: whatever would move the cursor, colour or rename anything is taken out first.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from rich.console import Console
from rich.text import Text

from acidtest.cli.golden.label_keys import KEYS
from acidtest.golden.labelling.judgement import Judgement
from acidtest.golden.labelling.pool import Item, Task
from acidtest.golden.labelling.session import Session, open_chunks, shown
from acidtest.report.clean import clean, clip, one_line
from acidtest.report.paper import WIDEST
from acidtest.text.scripts import WORD
from acidtest.text.words import content_words

MOST = 200_000
"""Characters of a chunk that are shown; no person reads more."""

_HINTS = (
    "0-3 grade · s skip · u unsure · b back · n next case · space more · h help · q quit",
    "0-3 grade · s skip · u unsure · b back · n next · h help · q quit",
    "0-3 s u b n m k · h help · q quit",
    "0-3 s u b n h q",
)
_LEAST = 3  # lines of the text that are shown, however low the terminal is


class Screen:
    """Shows sessions on a console.

    Args:
        console: Where.
        whole: Show each text whole, for input that comes line by line; else a page of it.
    """

    def __init__(self, console: Console, *, whole: bool) -> None:
        self.console = console
        self.whole = whole

    def show(self, session: Session, page: int, said: str = "") -> int:
        """Show the chunk of a session.

        Args:
            session: The session; something is shown.
            page: Which page of the text, from 0.
            said: A word on the last key.

        Returns:
            How many pages the text has.
        """
        now = shown(session)
        if now is None:
            return 0
        task, item = now
        width = max(20, min(self.console.width, WIDEST))
        head = list(_head(session, task, self.console, width, self._room()))
        foot = list(_foot(session, item, session.said.get((task.case.id, item.chunk)), width))
        body = _body(task.case.question, item.text, self.console, width)
        if said:
            foot.append(Text(clip(one_line(said), width), style="yellow"))
        rows = len(body) or 1
        if not self.whole:
            rows = max(_LEAST, self.console.height - len(head) - len(foot) - 2)
        pages = max(1, -(-len(body) // rows))
        page = min(page, pages - 1)
        if not self.whole:
            self.console.clear()
        for line in (*head, _rule(width)):
            self._print(line)
        for line in body[page * rows : (page + 1) * rows]:
            self._print(line)
        more = f" page {page + 1} of {pages} " if pages > 1 else ""
        self._print(_rule(width, more))
        for line in foot:
            self._print(line)
        return pages

    def help(self) -> None:
        """Show what the keys do."""
        if not self.whole:
            self.console.clear()
        for key, what in KEYS.items():
            self._print(Text(f"{key}  {what}"))
        if not self.whole:
            self._print(Text("Press any key to go on.", style="dim"))

    def _room(self) -> int:
        """Return how many lines question and reference may each have."""
        return 6 if self.whole else max(1, (self.console.height - 8) // 6)

    def _print(self, line: Text) -> None:
        self.console.print(line, no_wrap=True, overflow="crop", crop=True)


def _head(session: Session, task: Task, console: Console, width: int, room: int) -> Iterator[Text]:
    place = f"case {session.task + 1} of {len(session.tasks)}: {one_line(task.case.id)}"
    of = f"chunk {session.item + 1} of {len(task.items)} · {open_chunks(session)} open"
    yield Text(clip(f"{of} · {place}", width), style="dim")
    if task.case.history:
        turn = task.case.history[-1]
        yield Text(clip(f"before: {one_line(turn.role)}: {one_line(turn.text)}", width), "dim")
    yield from _few(Text(one_line(task.case.question), style="bold"), console, width, room)
    if task.case.reference and (room > 1 or console.height > 9):
        answer = Text(f"Answer: {one_line(task.case.reference)}")
        yield from _few(answer, console, width, room)


def _few(text: Text, console: Console, width: int, room: int) -> list[Text]:
    lines = list(text.wrap(console, width))
    if len(lines) > room:
        lines = lines[:room]
        lines[-1].rstrip()
        lines[-1].truncate(width - 2)
        lines[-1].append(" …")
    return lines


def _foot(session: Session, item: Item, before: Judgement | None, width: int) -> Iterator[Text]:
    said = item.prelabel
    if said is not None and not session.hidden:
        grade = "leaves it open" if said.grade is None else f"says {said.grade}"
        told = f"A judge ({one_line(said.by)}) {grade}: {one_line(said.why)}"
        yield Text(clip(told, width), style="magenta")
    if before is not None:
        word = before.mark if before.grade is None else str(before.grade)
        yield Text(clip(f"You said: {word}", width), style="yellow")
    yield Text(next((hint for hint in _HINTS if len(hint) <= width), _HINTS[-1]), style="dim")


def _rule(width: int, told: str = "") -> Text:
    return Text(f"{told:─^{width}}", style="dim")


def _body(question: str, text: str, console: Console, width: int) -> list[Text]:
    told = clean(text[:MOST]).expandtabs(4)
    if len(text) > MOST:
        told += f"\n… and {len(text) - MOST:,} characters more"
    marked = Text(told)
    pattern = _pattern(question)
    if pattern is not None:
        marked.highlight_regex(pattern, "bold underline")
    return list(marked.wrap(console, width))


@lru_cache(maxsize=8)
def _pattern(question: str) -> re.Pattern[str] | None:
    """Return what finds the question's words, but for its function words."""
    words = sorted({word for word in content_words(question)[:60] if word}, key=len, reverse=True)
    if not words:
        return None
    each = (
        rf"(?<!{WORD}){re.escape(word)}(?!{WORD})" if word.isascii() else re.escape(word)
        for word in words
    )
    return re.compile("|".join(each), re.IGNORECASE)
