import importlib.util
import itertools
import os
from pathlib import Path

import pytest

import acidtest as at
from acidtest.corpus.version import document_version
from acidtest.errors import AcidtestError, BadData, MissingExtra

spec = importlib.util.spec_from_file_location("pdfs", Path(__file__).with_name("pdfs.py"))
pdfs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pdfs)


def write(root, files):
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def test_markdown(tmp_path):
    text = "# Refunds\n\nPaid in 14 days.\n\n## Late `refunds`\n\nWrite to us.\n\n## Late refunds\n\nTwice."
    write(tmp_path, {"guide/refunds.md": f"---\ntitle: Help\n---\n{text}"})
    corpus = at.load_corpus(tmp_path)
    assert [(c.id, c.section, c.title) for c in corpus] == [
        ("guide/refunds.md#refunds-1", "Refunds", "Help"),
        ("guide/refunds.md#late-refunds-1", "Late refunds", "Help"),
        ("guide/refunds.md#late-refunds-2", "Late refunds", "Help"),
    ]
    assert dict(corpus.documents) == {"guide/refunds.md": text}
    assert {c.doc_version for c in corpus} == {document_version(text)}
    assert all(c.text == text[c.start : c.end] for c in corpus)


def test_a_heading_with_nothing_under_it_goes_to_the_next_one(tmp_path):
    write(tmp_path, {"a.md": "# Top\n\n## Under\n\nText.\n\n# Last"})
    assert [(c.section, c.text) for c in at.load_corpus(tmp_path)] == [
        ("Under", "# Top\n\n## Under\n\nText."),
        ("Last", "# Last"),
    ]


def test_text_and_html_and_pdf(tmp_path):
    write(
        tmp_path,
        {
            "a.txt": "\ufeffOne.\r\nTwo.",
            "b.html": "<title>T</title><nav>Menu</nav><h1>Top</h1><p>Hello <b>you</b>.<script>x()</script>",
            "c.pdf": pdfs.pdf("First page.", "Second page."),
        },
    )
    corpus = at.load_corpus(tmp_path)
    assert [(c.id, c.text, c.section, c.title) for c in corpus] == [
        ("a.txt#1", "One.\nTwo.", None, None),
        ("b.html#top-1", "Top\n\nHello you.", "Top", "T"),
        ("c.pdf#page-1-1", "First page.", "page 1", None),
        ("c.pdf#page-2-1", "Second page.", "page 2", None),
    ]


def test_sizes(tmp_path):
    write(tmp_path, {"a.md": "# A\n\n" + "This is a sentence of words. " * 60})
    plain = at.load_corpus(tmp_path, chunk_size=200)
    assert max(len(c.text) for c in plain) <= 200
    assert all(a.end <= b.start for a, b in itertools.pairwise(plain))
    lapped = at.load_corpus(tmp_path, chunk_size=200, overlap=60)
    assert max(len(c.text) for c in lapped) <= 200
    assert all(0 < a.end - b.start <= 60 for a, b in itertools.pairwise(lapped[1:]))
    assert all(c.text.startswith("This") for c in lapped[1:])


@pytest.mark.parametrize(("size", "overlap"), [(10, 0), (200_000, 0), (100, 60), (100, -1)])
def test_impossible_sizes(tmp_path, size, overlap):
    with pytest.raises(AcidtestError, match=r"chunk_size|overlap"):
        at.load_corpus(tmp_path, chunk_size=size, overlap=overlap)


def test_what_is_left_out_is_told(tmp_path):
    outside = write(tmp_path / "outside", {"secret.md": "Secret."})
    root = write(
        tmp_path / "docs",
        {
            "a.md": "Text.",
            "b.png": b"\x89PNG",
            "c.docx": b"PK",
            "d.png": b"\x89PNG",
            "empty.md": "",
            ".git/x.md": "Hidden.",
            "node_modules/y/README.md": "Not ours.",
            "drafts/z.md": "Draft.",
        },
    )
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "same.md").symlink_to(root / "a.md")
    os.mkfifo(root / "pipe.md")
    corpus = at.load_corpus(root, exclude=["drafts"])
    assert [c.doc_id for c in corpus] == ["a.md"]
    assert corpus.documents["empty.md"] == ""
    assert corpus.notes == (
        "left out, since their form is not read: 2 .png, 1 .docx",
        "left out, since they link out of the folder: folder, link.md",
        "without any text (a PDF may hold pictures of it): empty.md",
    )


def test_a_file_linked_from_a_hidden_folder_is_read(tmp_path):
    # So are files of a mounted volume in a cluster.
    write(tmp_path, {"..data/a.md": "Text."})
    (tmp_path / "a.md").symlink_to("..data/a.md")
    assert [c.id for c in at.load_corpus(tmp_path)] == ["a.md#1"]


UNREADABLE = {
    "damaged.pdf": (b"%PDF-1.7\n garbage", "not a PDF that can be read"),
    "locked.pdf": (pdfs.LOCKED, "needs a password"),
    "latin.txt": (b"caf\xe9", "not UTF-8: byte 0xe9"),
    "latin.html": (b"<p>caf\xe9", "is not UTF-8, and names no encoding"),
    "lying.html": (
        b'<meta charset="utf-8"><p>caf\xe9',
        "is not in the encoding utf-8, which it says",
    ),
    "binary.md": (b"a\0b", "holds null characters"),
    "deep.html": (b"<div>" * 100_000, "nest more than 2,000 deep"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_document_that_cannot_be_read_is_an_error_that_names_it(tmp_path, name):
    content, message = UNREADABLE[name]
    write(tmp_path, {"a.md": "Text.", name: content})
    with pytest.raises(BadData, match=message) as caught:
        at.load_corpus(tmp_path)
    assert name in str(caught.value)
    assert len(at.load_corpus(tmp_path, exclude=[name])) == 1


def test_all_that_cannot_be_read_are_told_at_once(tmp_path):
    write(tmp_path, {name: content for name, (content, _) in UNREADABLE.items()})
    with pytest.raises(BadData, match=r"7 documents cannot be read: .*; and 2 more") as caught:
        at.load_corpus(tmp_path)
    assert "Traceback" not in str(caught.value)


def test_a_document_over_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("acidtest.corpus.documents.read.MAX_BYTES", 10)
    for name in ("a.md", "a.html", "a.pdf"):
        write(tmp_path / name, {name: "x" * 11})
        with pytest.raises(BadData, match=r"a\.\w+: the file is over"):
            at.load_corpus(tmp_path / name)


def test_html_in_the_encoding_that_it_names(tmp_path):
    write(tmp_path, {"a.html": b'<html><head><meta charset="latin-1"></head><p>caf\xe9'})
    assert at.load_corpus(tmp_path)[0].text == "café"


@pytest.mark.parametrize("module", ["pypdfium2", "selectolax.lexbor"])
def test_a_reader_that_is_not_installed(tmp_path, monkeypatch, module):
    import sys

    monkeypatch.setitem(sys.modules, module, None)
    name = "a.pdf" if module == "pypdfium2" else "a.html"
    write(tmp_path, {name: pdfs.pdf("Text.")})
    with pytest.raises(MissingExtra, match=rf"{name}.*acidtest\[documents\]"):
        at.load_corpus(tmp_path)


def test_a_folder_without_documents(tmp_path):
    with pytest.raises(BadData, match=r"the folder holds no document\. Documents end with: \.md"):
        at.load_corpus(tmp_path)
    write(tmp_path, {"a.png": b"x"})
    with pytest.raises(BadData, match="the folder holds no document"):
        at.load_corpus(tmp_path)
    write(tmp_path, {"a.md": " \n"})
    with pytest.raises(BadData, match="no document with text"):
        at.load_corpus(tmp_path)


def test_a_folder_of_chunk_files(tmp_path):
    write(tmp_path, {"1.jsonl": '{"id": "a", "text": "x"}\n', "2/1.csv": "id,text\nb,y\n"})
    assert [c.id for c in at.load_corpus(tmp_path)] == ["a", "b"]
    write(tmp_path, {"3.jsonl": '{"id": "a", "text": "z"}\n'})
    with pytest.raises(BadData, match=r"3.jsonl:1: the id 'a' is already that of .*1.jsonl:1"):
        at.load_corpus(tmp_path)


def test_chunk_files_beside_documents_are_left_out_with_a_note(tmp_path):
    write(tmp_path, {"a.md": "Text.", "golden.jsonl": "{}"})
    assert at.load_corpus(tmp_path).notes == ("left out, since their form is not read: 1 .jsonl",)
