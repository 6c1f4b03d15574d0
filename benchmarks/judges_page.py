"""Puts measured tables into a page: each takes the place of the one below `<!-- measured: TITLE -->`."""

import re
from collections.abc import Iterable
from pathlib import Path

from judges_tables import Table


def put(page: Path, tables: Iterable[Table]) -> list[str]:
    """Put tables into a page; one that the page does not name is left out.

    Returns:
        The titles that the page names and that were not among the tables.
    """
    text = page.read_text(encoding="utf-8")
    wanted = dict.fromkeys(re.findall(r"^<!-- measured: (.+) -->$", text, re.MULTILINE))
    for each in tables:
        mark = f"<!-- measured: {each.title} -->"
        below = re.compile(re.escape(mark) + r"\n\n(?:\|.*\n)*")
        new = f"{mark}\n\n{each.markdown()}\n"
        text = below.sub(lambda _, new=new: new, text)
        wanted.pop(each.title, None)
    page.write_text(text, encoding="utf-8")
    return list(wanted)
