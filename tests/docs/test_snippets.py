"""Every command and every piece of Python in the handbook and the README runs as shown."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
SKIPS_ALLOWED = 8


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_does_what_it_says(page, run_page):
    run_page(page)


def test_skipped_snippets_are_few_and_say_why(page_blocks):
    reasons = [
        f"{page.name}:{block.line}: {block.value}"
        for page in PAGES
        for block in page_blocks(page.read_text(encoding="utf-8"))
        if block.directive == "skip"
    ]
    assert len(reasons) <= SKIPS_ALLOWED, reasons
    assert all(len(reason.rpartition(": ")[2]) > 10 for reason in reasons)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# A\n\n```python\nx = 1\nassert x == 2\n```\n", "a.md:5: AssertionError"),
        ("# A\n\n```python\nx = (\n```\n", "a.md:4: SyntaxError"),
        ("# A\n\n```pycon\n>>> 1 + 1\n2\n>>> 1 + 1\n3\n```\n", "a.md:6: 1 + 1 gave '2', not '3'"),
        ("# A\n\n```pycon\n>>> 1 / 0\n```\n", "a.md:4: ZeroDivisionError"),
        ("# A\n\n```console\n$ python -c ''\n$ python -c 'raise SystemExit(2)'\n```\n", "a.md:5: "),
        ("# A\n\n```console\n$ python -c 'print(1)'\n2\n```\n", "a.md:4: "),
        ("# A\n\n```console\npython -c ''\n```\n", "a.md:4: \"python -c ''\" is no command"),
    ],
)
def test_broken_snippet_fails_with_page_and_line(text, message, tmp_path, run_page, broken):
    page = tmp_path / "a.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(broken) as caught:
        run_page(page)
    assert str(caught.value).startswith(message)


def test_blocks_share_a_namespace_files_and_expected_status(tmp_path, run_page):
    page = tmp_path / "a.md"
    page.write_text(
        "<!-- file: one.py -->\n```python\nVALUE = 7\n```\n\n"
        "```python\nfrom one import VALUE\n```\n\n```pycon\n>>> VALUE\n7\n```\n\n"
        "<!-- status: 3 -->\n```console\n$ python -c 'print(1, 2); raise SystemExit(3)'\n1 ...\n```\n",
        encoding="utf-8",
    )
    assert run_page(page) == 3
