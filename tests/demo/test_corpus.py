"""The handbook in chunks: ids, tables, code, and where it is found."""

import re

import pytest

from acidtest.demo.corpus import TARGET_WORDS, chunked, docs_folder, passages
from acidtest.errors import BadData

PAGE = """# A page

Opening **words** with a [link](other.md#x), `code` and *stress*.

## Table & list

| Key | Default |
|---|---|
| `k` | 5 |
| `name` | |

- one
- two
  goes on

<!-- file: x.toml -->
```toml
# not a heading
a = [1]
```
"""


def test_a_page_is_cut_at_headings_and_read_without_marks():
    first, second = chunked("docs/a", PAGE)
    assert (first.id, first.doc_id) == ("docs/a#a-page-1", "docs/a")
    assert first.text == "Opening words with a link, code and stress."
    assert (second.id, second.title, second.heading) == (
        "docs/a#table--list-1",
        "A page",
        "Table & list",
    )
    assert second.text.splitlines() == [
        "Key: k; Default: 5.",
        "Key: name.",
        "- one",
        "- two goes on",
        "# not a heading",
        "a = [1]",
    ]


def test_a_long_section_is_cut_between_blocks_and_numbered():
    paragraph = "word " * 70
    page = "# T\n\n## Long\n\n" + f"{paragraph}\n\n" * 5
    chunks = list(chunked("docs/a", page))
    assert [c.id for c in chunks] == ["docs/a#long-1", "docs/a#long-2"]
    assert [len(c.text.split()) for c in chunks] == [210, 140]


def test_headings_of_one_name_do_not_share_ids():
    ids = [c.id for c in chunked("docs/a", "# T\n\n## Same\n\none\n\n## Same\n\ntwo\n")]
    assert ids == ["docs/a#same-1", "docs/a#same-2"]


def test_every_chunk_of_the_handbook_is_unique_bounded_and_clean():
    found = passages()
    assert len({p.id for p in found}) == len(found) > 100
    for passage in found:
        assert re.fullmatch(r"docs/[a-z-]+#[\w-]+-\d+", passage.id)
        assert 0 < len(passage.text.split()) < 2 * TARGET_WORDS, passage.id
        assert "<!--" not in passage.text


def test_the_handbook_is_found_in_the_package_first_then_beside_it(tmp_path):
    package = tmp_path / "src" / "acidtest" / "demo"
    for folder in (tmp_path / "docs", package / "docs"):
        folder.mkdir(parents=True)
        (folder / "index.md").touch()
    assert docs_folder(package) == package / "docs"
    (package / "docs" / "index.md").unlink()
    assert docs_folder(package) == tmp_path / "docs"
    (tmp_path / "docs" / "index.md").unlink()
    with pytest.raises(BadData, match="the handbook is missing"):
        docs_folder(package)
