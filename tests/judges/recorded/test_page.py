"""Measured tables go into a page of the handbook, and those that came with the data are there as they come out."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "judges-measured.md"


@pytest.fixture
def page(bench):
    return bench("judges_page")


@pytest.fixture
def tables(bench):
    return bench("judges_tables")


def test_a_table_takes_the_place_of_the_one_before(page, tables, tmp_path):
    path = tmp_path / "page.md"
    path.write_text(
        "# A\n\n<!-- measured: One (1) -->\n\n| old |\n|---|\n| 1 |\n\nText.\n\n<!-- measured: Two -->\n\nEnd.\n"
    )
    made = [tables.table(title, "x", "y") for title in ("One (1)", "Three")]
    made[0].add("a\\1", ("2",))
    assert page.put(path, made) == ["Two"]
    once = path.read_text()
    assert once == (
        "# A\n\n<!-- measured: One (1) -->\n\n| x | y |\n|---|--:|\n| a\\1 | 2 |\n\nText.\n\n"
        "<!-- measured: Two -->\n\nEnd.\n"
    )
    page.put(path, made)
    assert path.read_text() == once


def rows_of(text: str, title: str) -> list[list[str]]:
    found = re.search(rf"<!-- measured: {re.escape(title)} -->\n\n((?:\|.*\n)+)", text)
    assert found, title
    return [
        [cell.strip() for cell in line.strip("| \n").split(" | ")]
        for line in found[1].splitlines()[2:]
    ]


def test_the_handbook_holds_what_comes_out(bench, tables, shared, monkeypatch):
    monkeypatch.setattr(tables, "DRAWS", 20)  # intervals are not looked at
    text = PAGE.read_text(encoding="utf-8")
    made = bench("judges_published").published(shared / "data")

    def plain(row):
        return [re.sub(r" \(.*\)$", "", cell) for cell in row]

    assert [*map(plain, rows_of(text, made.title))] == [plain(row) for row in made.rows]
    made = bench("judges_llmbar").against_upstream(shared / "data")
    assert rows_of(text, made.title) == [list(row) for row in made.rows]
