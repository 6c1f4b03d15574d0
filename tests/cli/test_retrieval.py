"""`acidtest retrieval`: values, forms, and every bad input."""

import gzip
import json
import math
import os
import pty
import re
import subprocess
import sys

import pytest

QRELS = "q1 0 a 2\nq1 0 b 1\nq1 0 n 0\nq2 0 a 1\nq3 0 n 0\n"
RUN = "q1 Q0 n 1 3.0 t\nq1 Q0 a 2 2.0 t\nq1 Q0 x 3 1.0 t\nq9 Q0 a 1 1.0 t\n"
NDCG = (2 / math.log2(3)) / (2 + 1 / math.log2(3))
NDCG_EXP = (3 / math.log2(3)) / (3 + 1 / math.log2(3))


@pytest.fixture
def files(folder):
    (folder / "qrels").write_text(QRELS)
    (folder / "run").write_text(RUN)
    return "qrels", "run"


def test_json_holds_means_alone(files, cli):
    done = cli("retrieval", *files, "-m", "recall@5", "-m", "mrr", "--json")
    assert done.status == 0
    assert done.json == {"all": {"recall@5": 0.5 / 3, "mrr": 0.5 / 3}}


def test_json_per_query(files, cli):
    done = cli("retrieval", *files, "-m", "ndcg@10", "--json", "--per-query")
    assert done.json["all"] == {"ndcg@10": NDCG / 3}
    assert done.json["queries"] == {
        "q1": {"ndcg@10": NDCG},
        "q2": {"ndcg@10": 0.0},
        "q3": {"ndcg@10": 0.0},
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ("qrels", "run", "-m", "map", "-m", "mrr", "--json"),
        ("--json", "qrels", "run", "-m", "map", "-m", "mrr"),
        ("qrels", "run", "-m", "map", "-m", "mrr", "--json", "-"),
        ("--json", "-", "-m", "map", "-m", "mrr", "qrels", "run"),
        ("qrels", "run", "-m", "map", "mrr", "--json"),
    ],
)
def test_options_stand_anywhere(files, cli, arguments):
    done = cli("retrieval", *arguments)
    assert done.status == 0
    assert done.json == {"all": {"map": 0.25 / 3, "mrr": 0.5 / 3}}


def test_what_counts_zero_is_told_beside_the_result(files, cli):
    done = cli("retrieval", *files, "--json")
    assert "2 of 3 judged queries are not in the run and count 0: q2, q3" in done.err
    assert "1 of 3 judged queries are without a relevant document and count 0: q3" in done.err
    assert set(json.loads(done.out)) == {"all"}


def test_piped_text_is_one_value_a_line(files, cli):
    done = cli("retrieval", *files, "-m", "map", "-m", "P_5", "--per-query")
    assert done.out.splitlines() == [
        "map\tq1\t0.2500",
        "precision@5\tq1\t0.2000",
        "map\tq2\t0.0000",
        "precision@5\tq2\t0.0000",
        "map\tq3\t0.0000",
        "precision@5\tq3\t0.0000",
        "map\tall\t0.0833",
        "precision@5\tall\t0.0667",
    ]


def test_escapes_in_ids_do_not_reach_the_terminal(folder, cli):
    (folder / "qrels").write_text("q\x1b]0;owned\x07 0 a 1\nmissing\x1b[2J 0 a 1\n")
    (folder / "run").write_text("q\x1b]0;owned\x07 Q0 a 1 1 t\n")
    done = cli("retrieval", "qrels", "run", "--per-query")
    assert done.status == 0
    assert "\x1b" not in done.out + done.err


def test_without_a_metric_there_is_a_usual_set(files, cli):
    done = cli("retrieval", *files, "--json")
    assert set(done.json["all"]) >= {"recall@5", "precision@5", "mrr", "map", "ndcg@10"}


def test_a_terminal_gets_a_table(files, folder):
    leader, follower = pty.openpty()
    process = subprocess.run(
        [sys.executable, "-m", "acidtest", "retrieval", *files, "-m", "mrr", "--per-query"],
        cwd=folder,
        stdout=follower,
        stderr=subprocess.PIPE,
        env=os.environ | {"NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "60"},
        check=True,
    )
    os.close(follower)
    lines = os.read(leader, 10_000).decode().splitlines()
    os.close(leader)
    words = [re.sub("\x1b\\[[0-9;]*m", "", line).split() for line in lines]
    assert ["query", "mrr"] in words
    assert ["q1", "0.5000"] in words
    assert ["all", "0.1667"] in words
    assert b"not in the run" in process.stderr


def test_options_reach_the_numbers(files, cli):
    def value(*options):
        return cli("retrieval", *files, "-m", "ndcg", "-m", "mrr", "--json", *options).json["all"]

    assert value() == {"ndcg": NDCG / 3, "mrr": 0.5 / 3}
    assert value("--gain", "exp") == {"ndcg": NDCG_EXP / 3, "mrr": 0.5 / 3}
    assert value("--gain", "linear") == value()
    assert value("--depth", "1") == {"ndcg": 0.0, "mrr": 0.0}
    assert value("--level", "2") == {"ndcg": NDCG / 3, "mrr": 0.5 / 3}
    assert value("--level", "3") == {"ndcg": NDCG / 3, "mrr": 0.0}
    assert value("--judged-only") == value()
    (named,) = cli("retrieval", *files, "-m", "ndcg(gain=exp)@10", "--json").json["all"].items()
    assert named == ("ndcg(gain=exp)@10", NDCG_EXP / 3)


def test_compat_nine_ties_in_single_precision(folder, cli):
    (folder / "qrels").write_text("q 0 a 1\n")
    (folder / "run").write_text("q Q0 a 1 0.70000000001 t\nq Q0 b 2 0.7 t\n")
    for options, value in (((), 1.0), (("--compat", "10"), 1.0), (("--compat", "9"), 0.5)):
        done = cli("retrieval", "qrels", "run", "-m", "mrr", "--json", *options)
        assert done.json["all"]["mrr"] == value


def test_gzip_crlf_and_byte_order_marks(files, folder, cli):
    expected = cli("retrieval", *files, "--json", "--per-query").out
    (folder / "qrels.gz").write_bytes(gzip.compress(QRELS.encode()))
    (folder / "run.crlf").write_bytes(b"\xef\xbb\xbf" + RUN.replace("\n", "\r\n").encode())
    assert cli("retrieval", "qrels.gz", "run.crlf", "--json", "--per-query").out == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("qrels", "none"), "none: no such file"),
        (("qrels",), "give two files: QRELS RUN"),
        ((), "give two files: QRELS RUN"),
        (("qrels", "empty"), "empty: the file has no rows"),
        (("run", "qrels"), "run:1: the line has 6 columns instead of 4"),
        (("qrels", "twice"), "twice:2: query 'q1' has the document 'a' twice"),
        (("qrels", "nan"), "nan:1: the score 'nan' is not a number"),
        (("words", "run"), "words:1: the grade 'high' is not a number"),
        (("qrels", "five"), "five:1: the line has 5 columns instead of 6"),
        (("qrels", "latin"), "latin:1: the line is not UTF-8 text"),
        (("qrels", "others"), "none of the 3 judged queries is in the run"),
        (("qrels", "run", "-m", "recal@5"), "Did you mean 'recall@5'?"),
        (("qrels", "run", "-m", "recall@0"), "the cut-off k is 0"),
        (("qrels", "run", "-m", "recall@five"), "'five' is not a value for k"),
        (("qrels", "run", "-m", "bpref@5"), "bpref does not take a cut-off"),
        (("qrels", "run", "-m", "ndcg(gain=cube)"), "gain"),
        (("qrels", "run", "-m", "faithfulness"), "cannot be had from labels and ranks alone"),
        (("qrels", "run", "-m", "recall@5,mrr"), "not a value for k"),
        (("qrels", "run", "--level", "0"), "--level"),
        (("qrels", "run", "--depth", "0"), "--depth"),
        (("qrels", "run", "--compat", "8"), "--compat"),
        (("qrels", "run", "--gain", "cube"), "--gain"),
        (("qrels", "run", "more"), "unknown metric 'more'"),
    ],
)
def test_bad_input_is_status_two_with_what_and_where(files, folder, cli, arguments, message):
    (folder / "empty").write_text("")
    (folder / "twice").write_text("q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n")
    (folder / "nan").write_text("q1 Q0 a 1 nan t\n")
    (folder / "words").write_text("q1 0 a high\n")
    (folder / "five").write_text("q1 Q0 a 1 2\n")
    (folder / "latin").write_bytes(b"q1 Q0 \xe9 1 2 t\n")
    (folder / "others").write_text("1 Q0 a 1 2 t\n")
    done = cli("retrieval", *arguments)
    assert done.status == 2
    assert message in done.err
    assert done.out == ""
