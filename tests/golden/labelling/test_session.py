"""Going through chunks, and what is on the disk meanwhile."""

from pathlib import Path

import pytest

from acidtest.data.answers import Chunk
from acidtest.data.corpus import Corpus, CorpusChunk
from acidtest.data.golden import Case
from acidtest.errors import BadData, UsageError
from acidtest.golden.labelling.journal import LabelJournal
from acidtest.golden.labelling.judgement import Prelabel
from acidtest.golden.labelling.labels_file import last_words, read_labels
from acidtest.golden.labelling.pool import Item, Task, ordered, pooled
from acidtest.golden.labelling.session import (
    back,
    begin,
    judged,
    judgement,
    next_case,
    open_chunks,
    shown,
)

TASKS = [
    Task(
        case=Case(id=case, question=f"{case}?"),
        items=tuple(Item(chunk=f"{case}{n}", text=f"text {n}", found_by={"r": n}) for n in (1, 2)),
    )
    for case in ("a", "b")
]


def at(session):
    now = shown(session)
    return now and now[1].chunk


def say(session, grade):
    return judged(session, judgement(session, "grade", grade))


def test_forward_back_and_next_case():
    session = begin(TASKS, "ann", {})
    assert (at(session), open_chunks(session)) == ("a1", 4)
    assert at(back(session)) == "a1"
    session = say(session, 3)
    assert at(session) == "a2"
    session = back(session)
    assert at(session) == "a1"
    session = say(session, 1)
    assert session.said["a", "a1"].grade == 1
    session = next_case(session)
    assert at(session) == "b1"
    session = say(say(session, 0), 0)
    assert at(session) is None
    assert open_chunks(session) == 1
    assert at(back(session)) == "b2"
    with pytest.raises(IndexError):
        judgement(session, "skip")


def test_it_begins_where_the_last_one_ended():
    first = say(begin(TASKS, "ann", {}), 2)
    again = begin(TASKS, "ann", first.said)
    assert at(again) == "a2"


def test_hidden_prelabels_are_kept_and_said_to_be_hidden():
    said = Prelabel(by="local", grade=2)
    task = Task(case=Case(id="a", question="a?"), items=(Item(chunk="1", text="t", prelabel=said),))
    for hidden in (True, False):
        told = judgement(begin([task], "ann", {}, hidden=hidden), "grade", 1)
        assert (told.prelabel, told.prelabel_shown) == (said, not hidden)


def test_pools_are_unions_by_best_rank():
    corpus = Corpus([CorpusChunk(id="c", text="from the corpus", doc_id="d", doc_version="v")])
    pool = pooled(
        {
            "x": [Chunk(id="a", text="A"), Chunk(id="b", text="B"), Chunk(id="z", text="late")],
            "y": [Chunk(id="c"), Chunk(id="a", text="A"), Chunk(id="z", text="late")],
            "w": [Chunk(text="nameless"), Chunk(id="gone")],
        },
        top=2,
        corpus=corpus,
    )
    assert [(i.chunk, i.found_by) for i in pool.items] == [
        ("a", {"x": 1, "y": 2}),
        ("c", {"y": 1}),
        ("b", {"x": 2}),
    ]
    assert pool.items[1].text == "from the corpus"
    assert (pool.items[1].doc_id, pool.items[1].doc_version) == ("d", "v")
    assert (pool.without_id, pool.without_text) == (1, 1)


def test_each_person_has_an_order_of_their_own_and_the_same_each_time():
    items = [Item(chunk=str(n), text="t", found_by={"r": n}) for n in range(1, 11)]

    def order(name, seed=0, how="shuffled"):
        return [i.chunk for i in ordered(items, how, case="a", annotator=name, seed=seed)]

    assert order("ann") == order("ann")
    assert len({tuple(order(n, s)) for n in ("ann", "bob") for s in (0, 1)}) == 4
    assert sorted(order("ann"), key=int) == order("ann", how="rank")
    assert [i.chunk for i in items] != order("ann")


def test_the_order_of_a_judge_puts_its_best_first():
    said = [Prelabel(by="j", grade=0), Prelabel(by="j", score=0.9), Prelabel(by="j", grade=3), None]
    items = [Item(chunk=str(n), text="t", prelabel=p) for n, p in enumerate(said)]
    found = ordered(items, "prelabel", case="a", annotator="x", seed=0)
    assert [i.chunk for i in found] == ["2", "1", "0", "3"]


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "l.jsonl")


def test_the_last_word_counts(path):
    session = begin(TASKS, "ann", {})
    with LabelJournal(path) as journal:
        for grade in (3, 0):
            journal.add(judgement(session, "grade", grade))
    read = read_labels(path)
    assert len(read.judgements) == 2
    assert last_words(read.judgements)["a", "a1"].grade == 0


def test_a_line_that_was_cut_off_is_nobodys_word(path):
    session = begin(TASKS, "ann", {})
    with LabelJournal(path) as journal:
        journal.add(judgement(session, "grade", 3))
        journal.add(judgement(say(session, 3), "grade", 2))
    with Path(path).open("rb+") as stream:
        whole = stream.read()
        stream.truncate(len(whole) - 7)
    assert [s.grade for s in read_labels(path).judgements] == [3]
    with LabelJournal(path) as journal:
        assert len(journal.before.judgements) == 1
        journal.add(judgement(say(session, 3), "skip"))
    assert [s.mark for s in read_labels(path).judgements] == ["grade", "skip"]


def test_a_last_line_without_its_end_is_kept(path):
    session = begin(TASKS, "ann", {})
    with LabelJournal(path) as journal:
        journal.add(judgement(session, "grade", 3))
    with Path(path).open("rb+") as stream:
        stream.truncate(len(stream.read()) - 1)
    with LabelJournal(path) as journal:
        journal.add(judgement(say(session, 3), "unsure"))
    assert [s.mark for s in read_labels(path).judgements] == ["grade", "unsure"]


def test_one_session_at_a_time(path):
    with LabelJournal(path), pytest.raises(UsageError, match="another session"):
        LabelJournal(path)
    with LabelJournal(path):
        pass


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id": "a", "question": "Q?"}', "unknown field 'id'"),
        ("[]", "must be a mapping"),
        ('{"case": 3}', "no line of a labels file"),
        ("nonsense", "not JSON"),
        (
            '{"case":"a","chunk":"c","annotator":"x","at":"t","grade":7,"question":"q","text":"t"}',
            "a grade is a whole number",
        ),
        (
            '{"case":"a","chunk":"c","question":"q","text":"t","grades":{"x":1},"decision":"no"}',
            "is no decision",
        ),
    ],
)
def test_another_file_is_refused_and_left_alone(path, line, what):
    Path(path).write_text(line + "\n")
    with pytest.raises(BadData) as error:
        LabelJournal(path)
    assert what in str(error.value)
    assert "l.jsonl:1" in str(error.value)
    assert Path(path).read_text() == line + "\n"
