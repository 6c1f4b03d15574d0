"""TREC files: what is read, and what every bad file gets."""

import gzip
import math
import random
from pathlib import Path

import pytest

from acidtest.errors import BadData
from acidtest.formats import trec_rows
from acidtest.formats.trec import read_qrels, read_run
from acidtest.formats.trec_names import ours


def written(folder: Path, content: str | bytes, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_qrels(tmp_path: Path) -> None:
    file = written(tmp_path, "q1 0 d1 1\nq1 0 d2 -1\nq2 0 d1 3\n")
    assert read_qrels(file) == {"q1": {"d1": 1, "d2": -1}, "q2": {"d1": 3}}


def test_run(tmp_path: Path) -> None:
    file = written(tmp_path, "q1 Q0 d1 1 0.5 t\nq1 Q0 d2 2 -1e-3 t\nq2 Q0 d1 1 inf t\n")
    assert read_run(file) == {"q1": {"d1": 0.5, "d2": -0.001}, "q2": {"d1": math.inf}}


@pytest.mark.parametrize(
    "content",
    [
        "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1 t\n",
        "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1 t",
        "q1\tQ0\td1\t1\t2.5\tt\nq1\tQ0\td2\t2\t1\tt\n",
        "q1 Q0 d1 1 2.5 t\r\nq1 Q0 d2 2 1 t\r\n",
        "q1 Q0 d1 1 2.5 t\r\nq1 Q0 d2 2 1 t",
        "\ufeffq1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1 t\n",
        "  q1 Q0  d1 1 \t 2.5 t\n\n   \nq1 Q0 d2 2 1 t and more text \n",
        "# a comment\nq1 Q0 d1 1 2.5 t\n#another\nq1 Q0 d2 2 1 t\n",
        "q1 Q0 d1 1 2.5 #t\nq1 Q0 d2 2 1 t\n",
        "q1\x0bQ0\x0cd1 1 2.5 t\nq1 Q0 d2 2 1 t\n",
        "q1 Q0 d1 one +2.5E0 t\nq1 x d2 2 1. t\n",
    ],
)
def test_the_same_run_in_many_hands(tmp_path: Path, content: str) -> None:
    expected = {"q1": {"d1": 2.5, "d2": 1.0}}
    assert read_run(written(tmp_path, content)) == expected
    assert (
        read_run(written(tmp_path, gzip.compress(content.encode(), mtime=0), "file.gz")) == expected
    )


def test_ids_may_hold_what_python_takes_for_blanks(tmp_path: Path) -> None:
    ids = ["a\u00a0b", "\u3000", "\x1c", "\x85", "ＡＢ", "🙂", "#x", "d_1"]
    text = "".join(f"q\u00a0 Q0 {id_} 1 {i} t\n" for i, id_ in enumerate(ids))
    assert read_run(written(tmp_path, text)) == {
        "q\u00a0": {d: float(i) for i, d in enumerate(ids)}
    }


@pytest.mark.parametrize(
    ("text", "grade"),
    [("1", 1), ("1.9", 1), ("0.5", 0), (".5", 0), ("-1", -1), ("-1.5", -1), ("+2", 2), ("1e3", 1)],
)
def test_grades_are_read_as_atol_reads_them(tmp_path: Path, text: str, grade: int) -> None:
    assert read_qrels(written(tmp_path, f"q 0 d {text}\n")) == {"q": {"d": grade}}


@pytest.mark.parametrize("odd", ["", "+1.5", ".5", "5.", "1e999", "-inf", "007", "1E5", "-0"])
def test_scores_are_read_to_the_last_bit(tmp_path: Path, odd: str) -> None:
    rng = random.Random(2)
    texts = [repr(rng.uniform(-1, 1) * 10 ** rng.randint(-320, 307)) for _ in range(500)]
    texts += ["0", "-0.0", "5", "12345678901234567890", "0.1e-5", "2e10", *([odd] if odd else [])]
    text = "".join(f"q Q0 d{i} 1 {score} t\n" for i, score in enumerate(texts))
    assert list(read_run(written(tmp_path, text))["q"].values()) == [float(t) for t in texts]


def test_a_score_with_a_comma_is_not_two(tmp_path: Path) -> None:
    text = "q Q0 d 1 1,2 t\nq Q0 e 1 3 t\n"
    assert fault(read_run, written(tmp_path, text)).startswith(
        ":1: the score '1,2' is not a number"
    )


def test_interleaved_queries_come_together(tmp_path: Path) -> None:
    file = written(tmp_path, "a Q0 x 1 1 t\nb Q0 x 1 1 t\na Q0 y 1 2 t\nb Q0 y 1 3 t\n")
    assert read_run(file) == {"a": {"x": 1.0, "y": 2.0}, "b": {"x": 1.0, "y": 3.0}}


def test_blocks_join_where_they_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    rows = [(f"q{i // 7}", f"d{i}é", rng.random()) for i in range(200)]
    # Now and then a line that only the careful reader takes.
    blanks = [rng.choice((" ", " ", " ", "  ", "\t")) for _ in rows]
    text = "".join(f"{q} Q0{b}{d} 1 {s!r} t\n" for (q, d, s), b in zip(rows, blanks, strict=True))
    expected: dict = {}
    for query, id_, score in rows:
        expected.setdefault(query, {})[id_] = score
    file = written(tmp_path, text)
    for block in (50, 64, 300, 10**6):
        monkeypatch.setattr(trec_rows, "BLOCK", block)
        assert read_run(file) == expected


def fault(read, path: Path, **options) -> str:
    with pytest.raises(BadData) as caught:
        read(path, **options)
    message = str(caught.value)
    assert str(path) in message
    assert caught.value.exit_status == 2
    return message.removeprefix(str(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": the file has no rows"),
        ("\n\n", ": the file has no rows"),
        ("# only a comment\n", ": the file has no rows"),
        ("q Q0 d 1 2.5 t\nq Q0 e 2 1.5\n", ":2: the line has 5 columns instead of 6"),
        ("q Q0 d 1 2.5 t\nq  Q0 e 2 1.5 \n", ":2: the line has 5 columns instead of 6"),
        # A short and a long line must not pass for two regular ones.
        ("q Q0 d 1 2.5\nq Q0 e 1 2.5 t t\n", ":1: the line has 5 columns instead of 6"),
        ("q Q0 d 1 2.5 t\nq Q0 e 2 high t\n", ":2: the score 'high' is not a number"),
        ("q Q0 d 1 nan t\n", ":1: the score 'nan' is not a number"),
        ("q Q0 d 1 1_0 t\n", ":1: the score '1_0' is not a number"),
        ("q Q0 d 1 ١ t\n", ":1: the score '١' is not a number"),
        ("q Q0 d 1 2 t\nq Q0 e 1 1 t\nq Q0 d 1 0 t\n", ":3: query 'q' has the document 'd' twice"),
        ("q Q0 d 1 2 t\nr Q0 d 1 1 t\nq Q0 d 1 2 t\n", ":3: query 'q' has the document 'd' twice"),
        (b"q Q0 d 1 2 t\nq Q0 \xff 1 1 t\n", ":2: the line is not UTF-8 text"),
        ("q Q0 d 1 2 t\n".encode("utf-16"), ": this is UTF-16 text"),
        (b"x" * (5 * 1024**2), ":1: the line is longer than 1 MB"),
        (
            gzip.compress(b"q Q0 d 1 2 t\n" * 50, mtime=0)[:-9],
            ": the gzip data is damaged or cut off",
        ),
    ],
)
def test_bad_runs(tmp_path: Path, content: str | bytes, message: str) -> None:
    assert fault(read_run, written(tmp_path, content)).startswith(message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q 0 d high\n", ":1: the grade 'high' is not a number"),
        ("q 0 d 1\nq 0 e 1a\n", ":2: the grade '1a' is not a number"),
        ("q 0 d nan\n", ":1: the grade 'nan' is not a number"),
        ("q 0 d inf\n", ":1: the grade 'inf' is not a number"),
        ("q 0 d 99999999999999999999\n", ":1: the grade '99999999999999999999' is not a number"),
        ("q 0 d " + "9" * 5000 + "\n", ":1: the grade '999"),
        ("q 0 d\n", ":1: the line has 3 columns instead of 4"),
        ("q Q0 d 1 2.5 t\n", ":1: the line has 6 columns instead of 4"),
        ("q 0 d 1\nq 0 d 1\n", ":2: query 'q' has the document 'd' twice"),
    ],
)
def test_bad_qrels(tmp_path: Path, content: str, message: str) -> None:
    assert fault(read_qrels, written(tmp_path, content)).startswith(message)


def test_swapped_files_are_told(tmp_path: Path) -> None:
    assert "swapped" in fault(read_qrels, written(tmp_path, "q Q0 d 1 2.5 t\n"))
    assert "swapped" in fault(read_run, written(tmp_path, "q 0 d 1\n"))


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    assert "no such file" in fault(read_run, tmp_path / "none")
    assert "folder" in fault(read_qrels, tmp_path)


def test_a_long_line_is_refused_without_reading_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "long"
    with file.open("wb") as stream:
        stream.write(b"q Q0 d 1 2 t\n")
        stream.truncate(100 * 1024**2)  # a hundred megabytes of one line, on disk as a hole
    assert fault(read_run, file).startswith(":2: the line is longer than 1 MB")


def test_a_document_may_come_again_below_the_depth(tmp_path: Path) -> None:
    text = "q Q0 d 1 9 t\nq Q0 e 2 8 t\nq Q0 d 3 7 t\nr Q0 d 1 1 t\n"
    file = written(tmp_path, text)
    assert read_run(file, depth=2) == {"q": {"d": 9.0, "e": 8.0}, "r": {"d": 1.0}}
    assert fault(read_run, file, depth=3).startswith(":3: query 'q' has the document 'd' twice")


@pytest.mark.parametrize(
    ("theirs", "names"),
    [
        ("map", ["map"]),
        ("map_cut_10", ["map@10"]),
        ("map_cut.5,10", ["map@5", "map@10"]),
        ("recip_rank", ["mrr"]),
        ("P_5", ["precision@5"]),
        ("P.5", ["precision@5"]),
        ("recall_20", ["recall@20"]),
        ("ndcg", ["ndcg"]),
        ("ndcg_cut_10", ["ndcg@10"]),
        ("Rprec", ["r_precision"]),
        ("bpref", ["bpref"]),
        ("success_1", ["hit@1"]),
        ("set_P", ["precision"]),
        ("set_recall", ["recall"]),
        ("set_F", ["f1"]),
        ("recall@5", ["recall@5"]),
        ("faithfulness", ["faithfulness"]),
    ],
)
def test_trec_evals_names(theirs: str, names: list[str]) -> None:
    assert ours(theirs) == names
