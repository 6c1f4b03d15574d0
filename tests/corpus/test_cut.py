import time

from hypothesis import given
from hypothesis import strategies as st

from acidtest.corpus.cut import cut
from acidtest.corpus.documents.html import page_of as html_page
from acidtest.corpus.documents.markdown import page_of as markdown_page
from acidtest.corpus.documents.page import Page

PIECES = ("# A\n", "## B ##\n", "Title\n===\n", "\n", "\n\n", "```\n", "# x\n", "word ", "A sentence. ", "é世界。", "x" * 40, "- item\n", "| a | b |\n", "\t", "\u2028")  # fmt: skip
MARKDOWN = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
TAGS = ("<h1>", "</h1>", "<p>", "</p>", "<h2 hidden>", "</h2>", "<ul><li>", "<pre>", "</pre>", "<br>", "<td>", "text ", " more", "\n", "<script>", "</script>", "<main>", "&amp;", "<b>", "</b>", "<h3>", "</h3>")  # fmt: skip
HTML = st.lists(st.sampled_from(TAGS), max_size=40).map("".join)


def bare(text: str) -> str:
    return "".join(text.split())


@given(MARKDOWN, st.integers(20, 120), st.integers(0, 10))
def test_chunks_are_pieces_of_their_document_and_lose_nothing(text, size, overlap):
    page = markdown_page(text)
    pieces = list(cut(page, size=size, overlap=overlap))
    covered = 0
    kept = ""
    for piece in pieces:
        chunk = page.text[piece.start : piece.end]
        assert chunk == chunk.strip() != ""
        assert len(chunk) <= size
        kept += page.text[max(covered, piece.start) : piece.end]
        covered = max(covered, piece.end)
    assert bare(kept) == bare(page.text)


@given(MARKDOWN)
def test_headings_are_where_they_say(text):
    page = markdown_page(text)
    places = [(h.start, h.end) for h in page.headings]
    assert places == sorted(places)
    assert all(h.words in page.text[h.start : h.end] for h in page.headings)


@given(HTML)
def test_headings_of_html_are_where_they_say(html):
    page = html_page(html)
    assert page.text == page.text.rstrip(" ") or "<pre>" in html
    for heading in page.headings:
        assert " ".join(page.text[heading.start : heading.end].split())[:200] == heading.words


def test_what_is_no_heading():
    page = markdown_page(
        "```sh\n# comment\n```\n    # code\n#hash\n| a |\n---\ntext\n\n---\n# Real #\n"
    )
    assert [h.words for h in page.headings] == ["Real"]


def test_front_matter_of_toml():
    page = markdown_page('+++\ntitle = "Top"\n+++\nText.')
    assert (page.title, page.text) == ("Top", "Text.")


def test_a_paragraph_is_kept_whole_where_it_fits():
    text = "One two three.\n\nFour five six.\n\nSeven eight nine."
    assert [text[p.start : p.end] for p in cut(Page(text=text), size=32)] == [
        "One two three.\n\nFour five six.",
        "Seven eight nine.",
    ]


def test_html_is_laid_out_as_it_is_shown():
    html = (
        "<body><header>Logo</header><div>a<div>b</div>c</div><ul><li>1<li>2</ul>"
        "<table><tr><th>x<th>y<tr><td>1<td>2</table><pre>  a\n  b</pre>d<br>e<span hidden>f</span>"
    )
    assert html_page(html).text == "Logo\n\na\n\nb\n\nc\n\n1\n2\n\nx | y\n1 | 2\n\n  a\n  b\n\nd\ne"
    assert html_page("<p>x<main><p>y</main>").text == "y"
    assert html_page("").text == ""


def test_a_long_document_takes_little_time():
    begun = time.process_time()
    page = markdown_page("# H\n" + "word " * 400_000)
    assert len(list(cut(page))) > 1_900
    assert time.process_time() - begun < 10
