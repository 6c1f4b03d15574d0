"""Every form of file gives the same rows, each with its place."""

import gzip
import itertools
import json
from pathlib import Path

import polars as pl
import pytest

from acidtest.codec.rows import lines
from acidtest.codec.rows.read import read_rows
from acidtest.errors import BadData, BadGolden, DataError, MissingExtra

ROWS = [{"id": "a", "question": "one"}, {"id": "b", "question": "two\nlines"}]


def places(path: Path, **options: object) -> list[tuple[str, dict[str, object]]]:
    return [(r.where.removeprefix(f"{path}:"), r.values) for r in read_rows(path, **options)]


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_jsonl_counts_lines_and_skips_blank_ones(tmp_path: Path) -> None:
    path = write(tmp_path / "g.jsonl", '{"id": "a"}\n\n  \n{"id": "b"}')
    assert places(path) == [("1", {"id": "a"}), ("4", {"id": "b"})]


def test_json_list_has_the_line_of_each_member(tmp_path: Path) -> None:
    path = write(tmp_path / "g.json", json.dumps(ROWS, indent=2))
    assert places(path) == [("2", ROWS[0]), ("6", ROWS[1])]


@pytest.mark.parametrize("key", ["cases", "examples", "data", "questions"])
def test_json_object_with_a_list(tmp_path: Path, key: str) -> None:
    text = json.dumps({"name": "mine", "of": [1], key: ROWS, "tail": None}, indent=1)
    path = write(tmp_path / "g.json", text)
    assert [values for _, values in places(path)] == ROWS


def test_yaml_has_the_line_of_each_member_and_keeps_words(tmp_path: Path) -> None:
    path = write(
        tmp_path / "g.yaml",
        "# cases\n- id: 007\n  question: no\n  n: 12\n  x: 1.5\n  e:\n  t: true\n"
        "  q: 'true'\n  d: 2024-01-01\n\n- id: b\n  text: |\n    two\n    lines\n",
    )
    assert places(path) == [
        (
            "2",
            {
                "id": "007",
                "question": "no",
                "n": 12,
                "x": 1.5,
                "e": None,
                "t": True,
                "q": "true",
                "d": "2024-01-01",
            },
        ),
        ("11", {"id": "b", "text": "two\nlines\n"}),
    ]


def test_yaml_anchors_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "g.yml", "cases:\n- &x {id: a}\n- *x\n")
    assert [values for _, values in places(path)] == [{"id": "a"}, {"id": "a"}]


def test_csv_with_cells_over_several_lines(tmp_path: Path) -> None:
    path = write(
        tmp_path / "g.csv", 'id,question\na,one\n\nb,"two\n\nlines, ""quoted"""\nc,three\n'
    )
    assert places(path) == [
        ("2", {"id": "a", "question": "one"}),
        ("4", {"id": "b", "question": 'two\n\nlines, "quoted"'}),
        ("7", {"id": "c", "question": "three"}),
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.csv", "id;question\na;x, y\n"),
        ("g.csv", "id\tquestion\na\tx, y\n"),
        ("g.tsv", "id\tquestion\na\tx, y\n"),
    ],
)
def test_csv_delimiters(tmp_path: Path, name: str, text: str) -> None:
    assert places(write(tmp_path / name, text)) == [("2", {"id": "a", "question": "x, y"})]


def test_csv_without_cells_is_null_and_nameless_empty_columns_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "g.csv", "id,question,\na,,\n")
    assert places(path) == [("2", {"id": "a", "question": None})]


def test_csv_reads_long_cells_and_puts_the_limit_back(tmp_path: Path) -> None:
    import csv

    usual = csv.field_size_limit()
    path = write(tmp_path / "g.csv", f"id\n{'x' * 300_000}\n")
    assert len(str(places(path)[0][1]["id"])) == 300_000
    assert csv.field_size_limit() == usual


def test_parquet_rows_are_numbered(tmp_path: Path) -> None:
    path = tmp_path / "g.parquet"
    pl.DataFrame({"id": ["a", "b"], "tags": [["x"], None]}).write_parquet(path)
    rows = list(read_rows(path))
    assert [r.where for r in rows] == [f"{path}: row 1", f"{path}: row 2"]
    assert [r.values for r in rows] == [{"id": "a", "tags": ["x"]}, {"id": "b", "tags": None}]
    assert all(r.flat for r in rows)


def test_parquet_without_polars_says_how_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g.parquet"
    pl.DataFrame({"id": ["a"]}).write_parquet(path)
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(MissingExtra, match=r"acidtest\[tables\]"):
        list(read_rows(path))


def test_trec_run_orders_by_score_then_larger_id(tmp_path: Path) -> None:
    path = write(
        tmp_path / "r.trec", "q1 Q0 a 9 1.0 x\nq2 Q0 z 1 5 x\nq1 Q0 b 1 1.0 x\nq1 Q0 c 2 2 x\n"
    )
    assert places(path, trec_runs=True) == [
        ("1", {"id": "q1", "retrieved": [["c", 2.0], ["b", 1.0], ["a", 1.0]]}),
        ("2", {"id": "q2", "retrieved": [["z", 5.0]]}),
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.jsonl", "\n".join(json.dumps(r) for r in ROWS)),
        ("g.json", json.dumps(ROWS)),
        ("g.yaml", '- {id: a, question: one}\n- {id: b, question: "two\\nlines"}\n'),
        ("g.csv", 'id,question\na,one\nb,"two\nlines"\n'),
    ],
)
@pytest.mark.parametrize("form", list(itertools.product([False, True], repeat=3)))
def test_bom_crlf_and_gzip_change_nothing(
    tmp_path: Path, name: str, text: str, form: tuple[bool, bool, bool]
) -> None:
    crlf, bom, zipped = form
    raw = (text.replace("\n", "\r\n") if crlf else text).encode("utf-8-sig" if bom else "utf-8")
    path = tmp_path / (f"{name}.gz" if zipped else name)
    path.write_bytes(gzip.compress(raw) if zipped else raw)
    assert [values for _, values in places(path)] == ROWS


# name, bytes, then what the message holds
BAD = [
    ("g.jsonl", b"", ["the file is empty"]),
    ("g.jsonl", b"\n \n", ["the file is empty"]),
    ("g.json", b" ", ["the file is empty"]),
    ("g.json", b"[]", ["the file is empty"]),
    ("g.yaml", b"# nothing\n", ["the file is empty"]),
    ("g.csv", b"", ["the file is empty"]),
    ("g.csv", b"id,question\n", ["the file is empty"]),
    ("g", b"{}", ["no ending"]),
    ("g.xlsx", b"PK", [".xlsx", ".csv"]),
    ("r.trec", b"q Q0 d 1 1 x", [".trec"]),
    ("g.jsonl", b'{"id": 1}\n{"id": "caf\xe9"}\n', ["g.jsonl:2", "not UTF-8", "0xe9", "byte 12"]),
    ("g.json", b'[\n{"id": "a"},\n{"id": "\xff"}]', ["g.json:3", "not UTF-8", "byte 9"]),
    ("g.csv", b"id\n\xe9\n", ["g.csv:2", "not UTF-8"]),
    ("g.jsonl", '{"id": 1}'.encode("utf-16"), ["UTF-16", "Save it as UTF-8"]),
    ("g.jsonl", b'{"id": 1}\n{"id": 2', ["g.jsonl:2", "ends too early", "cut off"]),
    ("g.jsonl", b'{"id": 1}\n{"id": "tw', ["g.jsonl:2", "ends too early"]),
    ("g.jsonl", b'{"id": 1}\n{"id": 2} {"id": 3}\n', ["g.jsonl:2", "more after", "column 11"]),
    ("g.jsonl", b'{"id": 1,}\n', ["g.jsonl:1", "not JSON", "column"]),
    ("g.jsonl", b"{'id': 1}\n", ["g.jsonl:1", "not JSON"]),
    ("g.jsonl", b'{"id": 1, "id": 2}\n', ["g.jsonl:1", "'id'", "twice"]),
    ("g.jsonl", b'{"a": {"b": 1, "b": 1}}\n', ["g.jsonl:1", "'b'", "twice"]),
    ("g.jsonl", b'{"score": NaN}\n', ["g.jsonl:1", "NaN", "null"]),
    ("g.jsonl", b'{"score": -Infinity}\n', ["g.jsonl:1", "Infinity"]),
    ("g.jsonl", b'{"score": 1e999}\n', ["g.jsonl:1", "too large"]),
    ("g.jsonl", b'{"n": ' + b"9" * 30 + b"}\n", ["g.jsonl:1", "too large"]),
    ("g.jsonl", b'{"n": ' + b"9" * 5000 + b"}\n", ["g.jsonl:1", "digits"]),
    ("g.jsonl", b'{"t": "\\ud800"}\n', ["g.jsonl:1", "surrogate"]),
    ("g.jsonl", b"[" * 100_000, ["g.jsonl:1", "deep"]),
    ("g.jsonl", b'{"id": 1}\n[1]\n', ["g.jsonl:2", "mapping", "a list"]),
    ("g.jsonl", b'"word"\n', ["g.jsonl:1", "mapping", "text"]),
    ("g.json", b"12", ["g.json:1", "not a list"]),
    ("g.json", b'{"rows_": []}', ["'rows_'", "cases"]),
    ("g.json", b'{"cases": [{}], "data": [{}]}', ["several lists", "cases, data"]),
    ("g.json", b'{"cases": [{}],', ["ends too early"]),
    ("g.json", b'[{"id": 1}\n{"id": 2}]', ["g.json:2", "','"]),
    ("g.json", b'[{"id": 1},\n{"id": NaN}]', ["g.json:2", "NaN"]),
    ("g.json", b'[{"id": 1}', ["ends too early"]),
    ("g.json", b'[{"id": 1}]\n]', ["g.json:2", "more after"]),
    ("g.json", b'{"id": 1}\n{"id": 2}', ["g.json", "none of cases"]),
    ("g.json", b"[{},\n3]", ["g.json:2", "the number 3"]),
    ("g.yaml", b"- id: a\n- id: b\n   x: 1\n", ["g.yaml:3", "not YAML"]),
    ("g.yaml", b"- id: a\n  id: b\n", ["g.yaml:2", "'id'", "twice"]),
    ("g.yaml", b"- {? [1]: 2}\n", ["g.yaml:1", "key"]),
    ("g.yaml", b"- id: !!python/object:os.system x\n", ["g.yaml:1", "tag", "Remove"]),
    ("g.yaml", b"- id: a\n--- \n- id: b\n", ["not YAML", "document"]),
    ("g.yaml", b"id: a\n", ["g.yaml:1", "'id'", "cases"]),
    ("g.yaml", b"word\n", ["g.yaml:1", "not a list"]),
    ("g.yaml", b"- &a [*a]\n", ["g.yaml:1", "deep"]),
    ("g.yaml", b"- id: \x07\n", ["not YAML", "control"]),
    ("g.yaml", b"- [" * 3000, ["g.yaml"]),
    ("g.csv", b"id,id\na,b\n", ["g.csv:1", "'id'", "twice"]),
    ("g.csv", b"id,question\na\n", ["g.csv:2", "1 cells", "2"]),
    ("g.csv", b'id,question\na,b\nc,"d\n\n', ["g.csv:3", "not CSV"]),
    ("g.csv", b'id,question\na,"b"c\n', ["g.csv:2", "not CSV"]),
    ("g.csv", b"id,\na,b\n", ["g.csv:2", "without a name"]),
    ("g.parquet", b"PAR1 no PAR1", ["g.parquet", "not Parquet"]),
    ("g.parquet", b"", ["g.parquet", "not Parquet"]),
    ("g.jsonl.gz", gzip.compress(b'{"id": 1}', mtime=0)[:-9], ["gzip", "damaged"]),
    ("g.jsonl.gz", gzip.compress(b'{"id": 1}', mtime=0)[:6] + b"\x00" * 30, ["gzip", "damaged"]),
]


@pytest.mark.parametrize(
    ("name", "raw", "said"), BAD, ids=[f"{b[0]}-{b[2][-1]}-{i}" for i, b in enumerate(BAD)]
)
def test_bad_files_say_what_and_where(
    tmp_path: Path, name: str, raw: bytes, said: list[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    with pytest.raises(BadGolden) as caught:
        list(read_rows(path, error=BadGolden))
    assert str(path) in str(caught.value)
    assert [word for word in said if word not in str(caught.value)] == []
    assert len(str(caught.value)) < 1000


TREC_BAD = [
    ("q Q0 d 1 0.5\n", ["r.trec:1", "6 columns", "5"]),
    ("q Q0 d 1 0.5 x\nq Q0 d 2 0.4 x\n", ["r.trec:2", "'d'", "twice"]),
    ("q Q0 d 1 nan x\n", ["r.trec:1", "'nan'"]),
    ("q Q0 d 1 high x\n", ["r.trec:1", "'high'"]),
]


@pytest.mark.parametrize(("text", "said"), TREC_BAD)
def test_bad_trec_runs(tmp_path: Path, text: str, said: list[str]) -> None:
    path = write(tmp_path / "r.trec", text)
    with pytest.raises(BadData) as caught:
        list(read_rows(path, trec_runs=True))
    assert [word for word in said if word not in str(caught.value)] == []


@pytest.mark.parametrize("name", ["g.jsonl", "g.json", "g.yaml", "g.csv", "g.parquet", "g.xyz"])
def test_missing_file_and_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="no such file"):
        list(read_rows(tmp_path / name))
    (tmp_path / name).mkdir()
    with pytest.raises(DataError, match="folder"):
        list(read_rows(tmp_path / name))


def test_unreadable_names(tmp_path: Path) -> None:
    for name in ("a\0.jsonl", f"{'x' * 400}.jsonl"):
        with pytest.raises(DataError):
            list(read_rows(tmp_path / name))


def test_a_line_over_the_limit_is_refused_with_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tracemalloc

    path = tmp_path / "g.jsonl"
    with path.open("wb") as stream:
        stream.write(b'{"id": 1}\n')
        stream.truncate(100 * 1024**2)  # a sparse file: one line of 100 MB
    monkeypatch.setattr(lines, "MAX_LINE", 1024**2)
    tracemalloc.start()
    with pytest.raises(BadData, match=r"g\.jsonl:2: the line is longer than 1 MB"):
        list(read_rows(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 1024**2


def test_totals_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from acidtest.codec.rows import read

    monkeypatch.setattr(lines, "MAX_TOTAL", 1024)
    monkeypatch.setattr(read, "MAX_JSON", 1024)
    monkeypatch.setattr(read, "MAX_YAML", 1024)
    bomb = gzip.compress(b'{"id": 1}\n' * 1000)
    for name in ("g.jsonl.gz", "g.json.gz", "g.yaml.gz", "g.csv.gz"):
        (tmp_path / name).write_bytes(bomb)
        with pytest.raises(BadData, match="the file is over"):
            list(read_rows(tmp_path / name))


def test_yaml_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from acidtest.codec.rows import yamltext

    monkeypatch.setattr(yamltext, "MAX_NODES", 10_000)
    text = "- &a0 [x, x]\n" + "".join(
        f"- &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)
    )
    with pytest.raises(BadData, match="too large"):
        list(read_rows(write(tmp_path / "g.yaml", f"- x: \n{text.replace('- ', '  - ')}")))
