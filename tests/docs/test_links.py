"""Links inside the handbook lead somewhere, and every page is in the navigation."""

import re
from pathlib import Path

import yaml

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def prose(path: Path) -> str:
    return _FENCE.sub("", path.read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def test_every_internal_link_resolves(docs, root):
    bad = []
    for page in [*docs.glob("*.md"), root / "README.md", root / "CONTRIBUTING.md"]:
        for link in _LINK.findall(prose(page)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            if not target.exists():
                bad.append(f"{page.name}: {link} does not exist")
            elif anchor and anchor not in anchors(target):
                bad.append(f"{page.name}: {link} has no such heading")
    assert not bad, "\n".join(bad)


def test_every_page_is_in_the_navigation(docs, root):
    site = yaml.safe_load((root / "mkdocs.yml").read_text(encoding="utf-8"))
    listed = [page for part in site["nav"] for pages in part.values() for page in _leaves(pages)]
    assert sorted(listed) == sorted(page.name for page in docs.glob("*.md"))


def _leaves(pages: object) -> list[str]:
    if isinstance(pages, str):
        return [pages]
    assert isinstance(pages, list)
    return [leaf for page in pages for value in page.values() for leaf in _leaves(value)]


def test_every_page_opens_with_one_title_and_a_sentence(docs):
    for page in docs.glob("*.md"):
        text = prose(page)
        assert re.match(r"# .+\n\n[^#\n]", text), page.name
        assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1, page.name
