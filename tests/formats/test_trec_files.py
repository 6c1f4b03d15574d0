import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.cases import golden_sets

from acidtest.data.answers import Answer, Chunk
from acidtest.data.exchange import Exchanged
from acidtest.errors import DataError, UsageError
from acidtest.formats.registry import format_named
from acidtest.golden.load import load_golden
from acidtest.project.convert import read_format

NAMES = st.text(alphabet="abc-_:1é漢", min_size=1, max_size=6)


def wrote(name, exchanged, path):
    write = format_named(name).write
    assert write is not None
    return write(exchanged, str(path))


@settings(max_examples=25)
@given(rows=golden_sets())
def test_questions_and_labels_come_back_and_the_rest_is_told(rows):
    golden = load_golden(rows)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        if not any(case.relevant for case in golden):
            with pytest.raises(UsageError, match="no judgements"):
                wrote("trec", Exchanged(golden=golden), out)
            return
        losses = {loss.field for loss in wrote("trec", Exchanged(golden=golden), out)}
        after = read_format(out).golden
    assert [case.id for case in after] == [case.id for case in golden]
    for one, other in zip(golden, after, strict=True):
        assert other.question == " ".join(one.question.split())
        assert other.relevant == (one.relevant or None)
    for name in ("reference", "evidence", "tags", "history", "split", "metadata"):
        assert any(getattr(case, name) for case in golden) == (name in losses)


RANKED = st.lists(
    st.tuples(NAMES, st.one_of(st.none(), st.floats(-1e6, 1e6))),
    min_size=1,
    max_size=5,
    unique_by=lambda pair: pair[0],
)


@given(rankings=st.dictionaries(NAMES, RANKED, min_size=1, max_size=3))
def test_a_run_keeps_every_order(rankings):
    answers = tuple(
        Answer(case_id=name, retrieved=tuple(Chunk(id=i, score=s) for i, s in ranked))
        for name, ranked in rankings.items()
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "it.run"
        losses = wrote("trec-run", Exchanged(outputs={"a system": answers}), path)
        after = {a.case_id: a.retrieved for a in read_format(path).answers}
    told = {loss.field for loss in losses}
    for answer in answers:
        found = after[answer.case_id]
        assert [c.id for c in found] == [c.id for c in answer.retrieved]
        if "retrieved.score" not in told and all(c.score is not None for c in answer.retrieved):
            assert [c.score for c in found] == [c.score for c in answer.retrieved]


def test_what_a_run_cannot_hold_is_told(tmp_path):
    answers = (
        Answer(case_id="a", text="Yes.", retrieved=(Chunk(id="x y"), Chunk(id="z", text="Z"))),
        Answer(case_id="b", text="No."),
    )
    losses = wrote("trec-run", Exchanged(outputs={"it": answers}), tmp_path / "it.trec")
    assert {loss.field for loss in losses} == {"retrieved", "retrieved.text", "answer"}
    assert (tmp_path / "it.trec").read_text() == "a Q0 z 1 1.0 it\n"


def test_ids_with_blanks_are_refused_by_name(tmp_path):
    golden = load_golden([{"id": "a b", "question": "Q?", "relevant": ["x"]}])
    with pytest.raises(UsageError, match="'a b' has blanks"):
        wrote("trec", Exchanged(golden=golden), tmp_path / "out")
    answers = (Answer(case_id="a b", retrieved=(Chunk(id="x"),)),)
    with pytest.raises(UsageError, match="'a b' has blanks"):
        wrote("trec-run", Exchanged(outputs={"it": answers}), tmp_path / "it.run")
    with pytest.raises(UsageError, match="nothing to write"):
        wrote("trec-run", Exchanged(), tmp_path / "it.run")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"qrels.txt": "q1 0 d1 1\n"}, "there is no file of queries"),
        (
            {"qrels.txt": "q1 0 d1 1\n", "queries.tsv": "q1 no tab\n"},
            "queries.tsv:1: this is no query",
        ),
        (
            {"qrels.txt": "q1 0 d1 1\n", "queries.tsv": "q1\tQ?\n", "topics.tsv": "q1\tQ?\n"},
            "there are 2 files of queries",
        ),
        ({"qrels.txt": "q1 0 d1 1\nq1 0 d2\n", "queries.tsv": "q1\tQ?\n"}, "qrels.txt:2"),
    ],
)
def test_a_broken_folder_is_refused_with_its_place(files, said, tmp_path):
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_format(tmp_path / "qrels.txt", "trec")
    assert said in str(caught.value)


def test_queries_are_found_by_the_judgements_name(tmp_path):
    for name in ("dev", "test"):
        (tmp_path / f"{name}.qrels").write_text("q1 0 d1 1\n", encoding="utf-8")
        (tmp_path / f"{name}.queries.tsv").write_text(
            f"id\ttext\nq1\tOf {name}?\n", encoding="utf-8"
        )
    assert read_format(tmp_path / "dev.qrels").golden[0].question == "Of dev?"


def test_judgements_of_unknown_queries_are_told(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d1 1\n", encoding="utf-8")
    (tmp_path / "queries.tsv").write_text("q1\tQ?\nq3\tR?\n", encoding="utf-8")
    found = read_format(tmp_path)
    assert [case.relevant for case in found.golden] == [{"d1": 1}, None]
    assert [(loss.field, loss.first) for loss in found.losses] == [("judgements", "q2")]


def test_ranx_is_refused_with_the_query(tmp_path):
    (tmp_path / "run.json").write_text('{"q1": {"d1": "high"}}', encoding="utf-8")
    with pytest.raises(DataError, match="query 'q1'"):
        read_format(tmp_path / "run.json", "ranx")
