import json

import pytest

from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.exchange import Exchanged
from acidtest.errors import DataError, UsageError
from acidtest.formats.registry import format_named
from acidtest.golden.load import load_golden
from acidtest.project.convert import convert, read_format

QUERIES = [
    {"_id": "q1", "text": "What do cats do?", "metadata": {"lang": "en"}},
    {"_id": "q2", "text": "What do dogs do?", "metadata": {}},
    {"_id": "q3", "text": "Who asks?"},
]
CORPUS = [
    {"_id": "d1", "title": "Cats", "text": "Cats purr.", "metadata": {"url": "u"}},
    {"_id": "d2", "title": "", "text": "Dogs bark."},
    {"_id": "d3", "title": "Only a title", "text": ""},
    {"_id": "d4", "title": "", "text": ""},
]
QRELS = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "set"
    (made / "qrels").mkdir(parents=True)
    for name, rows in (("queries", QUERIES), ("corpus", CORPUS)):
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        (made / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (made / "qrels" / "test.tsv").write_text(
        f"{QRELS}q1\td1\t2\nq1\td2\t0\nq2\td2\t1\nq9\td1\t1\n", encoding="utf-8"
    )
    return made


def test_a_folder_gives_cases_labels_evidence_and_the_corpus(folder):
    found = read_format(folder)
    one, two, three = found.golden
    assert (one.id, one.question, one.relevant) == ("q1", "What do cats do?", {"d1": 2, "d2": 0})
    assert [(e.chunk_id, e.text) for e in one.evidence] == [("d1", "Cats purr.")]
    assert (one.metadata, one.split) == ({"lang": "en"}, None)
    assert two.relevant == {"d2": 1}
    assert (three.relevant, three.evidence) == (None, ())
    assert [(c.id, c.text, c.title) for c in found.corpus] == [
        ("d1", "Cats purr.", "Cats"),
        ("d2", "Dogs bark.", None),
        ("d3", "Only a title", "Only a title"),
    ]
    assert [(loss.field, loss.first) for loss in found.losses] == [("judgements", "q9")]


def test_splits_are_told_where_there_are_several(folder):
    (folder / "qrels" / "dev.tsv").write_text(f"{QRELS}q3\td3\t1\nq1\td3\t1\n", encoding="utf-8")
    found = read_format(folder)
    assert [case.split for case in found.golden] == ["dev", "test", "dev"]
    assert found.golden[0].relevant == {"d3": 1, "d1": 2, "d2": 0}
    assert "split" in [loss.field for loss in found.losses]


def test_one_split_alone_is_read_with_its_queries(folder):
    golden = read_format(folder / "qrels" / "test.tsv").golden
    assert [case.relevant for case in golden] == [{"d1": 2, "d2": 0}, {"d2": 1}, None]


def test_a_corpus_alone_is_a_corpus(folder):
    found = read_format(folder / "corpus.jsonl")
    assert found.golden is None
    assert len(found.corpus) == 3


def test_grades_beyond_ours_are_told(folder):
    (folder / "qrels" / "test.tsv").write_text(f"{QRELS}q1\td1\t5\nq1\td2\t-1\n", encoding="utf-8")
    found = read_format(folder)
    assert found.golden[0].relevant == {"d1": 3, "d2": 0}
    assert sum(loss.count for loss in found.losses if loss.field == "grade") == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{QRELS}q1\td1\tmany\n", "test.tsv:2: field 'score': the grade is 'many', not a number"),
        (f"{QRELS}q1\t\t1\n", "test.tsv:2: this is no judgement"),
        (f"{QRELS}q1\td1\tnan\n", "test.tsv:2: field 'score'"),
    ],
)
def test_a_broken_judgement_is_refused_with_its_line(folder, text, said):
    (folder / "qrels" / "test.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_format(folder)
    assert said in str(caught.value)


def test_a_query_without_text_is_refused_with_its_line(folder):
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": ""}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"queries\.jsonl:1: .*the query has no text"):
        read_format(folder)


def test_qrels_without_queries_are_refused(tmp_path):
    (tmp_path / "test.tsv").write_text(f"{QRELS}q1\td1\t1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"queries\.jsonl is missing"):
        read_format(tmp_path / "test.tsv")


def test_there_and_back_through_a_folder(folder, tmp_path):
    done = convert(folder, tmp_path / "golden.jsonl")
    assert (done.source_format, done.read.chunks, done.written.cases) == ("beir", 3, 3)
    back = convert(tmp_path / "golden.jsonl", tmp_path / "again", to="beir")
    assert back.losses == ()
    assert list(read_format(tmp_path / "again").golden) == list(read_format(folder).golden)
    assert sorted(p.name for p in (tmp_path / "again").iterdir()) == [
        "corpus.jsonl",
        "qrels",
        "queries.jsonl",
    ]


def test_a_corpus_is_written_whole(tmp_path):
    corpus = Corpus([CorpusChunk(id="d9", text="Owls hoot.", title="Owls")])
    golden = load_golden([{"id": "a", "question": "Q?", "relevant": ["d9"]}])
    write = format_named("beir").write
    assert write is not None
    write(Exchanged(golden=golden, corpus=corpus), str(tmp_path / "out"))
    found = read_format(tmp_path / "out")
    assert [(c.id, c.text, c.title) for c in found.corpus] == [("d9", "Owls hoot.", "Owls")]
    assert found.golden[0].evidence[0].text == "Owls hoot."


def test_a_folder_that_holds_something_is_not_written_into(folder, tmp_path):
    convert(folder, tmp_path / "golden.jsonl")
    with pytest.raises(UsageError, match="not empty"):
        convert(tmp_path / "golden.jsonl", folder, to="beir")
