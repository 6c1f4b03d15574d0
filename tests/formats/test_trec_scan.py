"""Big run files by Polars: the same table as by the careful reader, or none at all."""

import gzip
import json
import random
from pathlib import Path

import pytest

from acidtest.errors import BadData
from acidtest.formats import trec_scan
from acidtest.formats.judged_run import judged_run
from acidtest.formats.trec import read_qrels, read_run
from acidtest.formats.trec_scan import scan_run

pytest.importorskip("polars")

PLAIN = {"level": 1, "depth": None, "judged_only": False, "single": False}


@pytest.fixture(autouse=True)
def _small_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_scan, "WORTH_IT", 0)


def written(folder: Path, content: str | bytes, name: str = "run") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def made(seed: int) -> tuple[dict, list[tuple[str, str, float]]]:
    rng = random.Random(seed)
    ids = [f"d{i}" for i in range(60)] + ["é", "\u3000", "🙂", "｡", "a_b"]
    qrels, rows = {}, []
    for i in range(30):
        pool = rng.sample(ids, 40)
        qrels[f"q{i}"] = {id_: rng.randint(-1, 3) for id_ in rng.sample(pool, rng.randint(1, 20))}
        digits = rng.choice((1, 1, 15))  # with one digit, ties are common
        block = [
            (f"q{i}", id_, round(rng.uniform(-3, 3), digits) + rng.choice((0.0, 1e-9)))
            for id_ in rng.sample(pool, rng.randint(1, 40))
        ]
        if rng.random() < 0.5:
            block.sort(key=lambda row: row[2], reverse=True)
        rows += block
    del qrels["q3"]
    rows = [row for row in rows if row[0] != "q4"]
    if seed % 3 == 0:
        rng.shuffle(rows)
    return qrels, rows


def lines(rows: list[tuple[str, str, float]], blank: str = " ") -> str:
    return "".join(blank.join((q, "Q0", d, "1", repr(s), "t")) + "\n" for q, d, s in rows)


@pytest.mark.parametrize(
    "options",
    [
        PLAIN,
        PLAIN | {"level": 2},
        PLAIN | {"depth": 7},
        PLAIN | {"judged_only": True},
        PLAIN | {"single": True},
        PLAIN | {"level": 2, "depth": 5, "judged_only": True, "single": True},
    ],
)
@pytest.mark.parametrize("seed", range(6))
def test_the_table_is_that_of_the_careful_reader(tmp_path: Path, seed: int, options) -> None:
    qrels, rows = made(seed)
    for blank in (" ", "\t"):
        file = written(tmp_path, lines(rows, blank))
        assert scan_run(file) is not None
        expected = judged_run(qrels, read_run(file), **options)
        assert judged_run(qrels, file, **options) == expected


def test_scores_are_read_to_the_last_bit(tmp_path: Path) -> None:
    rng = random.Random(2)
    scores = [rng.uniform(-1, 1) * 10 ** rng.randint(-300, 300) for _ in range(2000)]
    texts = [repr(s) for s in scores] + [
        "inf",
        "-inf",
        "1e999",
        "0",
        "-0.0",
        "5",
        "12345678901234567890",
    ]
    text = "".join(f"q Q0 d{i} 1 {s} t\n" for i, s in enumerate(texts))
    run = scan_run(written(tmp_path, text))
    assert run is not None
    assert run.frame["score"].to_list() == [float(text) for text in texts]


@pytest.mark.parametrize(
    "case", ["dl19-passage", "syn-float32-collisions-150q", "syn-unicode-deep-30q"]
)
@pytest.mark.parametrize("single", [False, True])
def test_reference_runs_make_the_same_table(
    shared: Path, tmp_path: Path, case: str, single: bool
) -> None:
    folder = shared / "conformance" / "ir" / case
    names = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    qrels = read_qrels(folder / names["qrels"])
    file = written(tmp_path, gzip.decompress((folder / names["run"]).read_bytes()))
    options = PLAIN | {"single": single}
    assert scan_run(file) is not None
    assert judged_run(qrels, file, **options) == judged_run(qrels, read_run(file), **options)


GOOD = "q Q0 d 1 2.5 t\nq Q0 e 2 1.5 t\n"


@pytest.mark.parametrize(
    "content",
    [
        GOOD.replace("e 2", "e  2"),
        GOOD.replace("e 2", "e\t2"),
        GOOD.replace("e 2", "e\x0b2"),
        " " + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", " \n"),
        GOOD.replace("\n", "\n\n"),
        "# comment with six columns here x\n" + GOOD,
        GOOD + "# q Q0 x 1\n" + GOOD,
        GOOD + "#q Q0 x 1 9 t\n",
        "\ufeff" + GOOD,
        GOOD.replace("1.5 t", "1.5 t more"),
        GOOD.replace("1.5 t", "1.5"),
        GOOD.replace("1.5 t", "1.5") + "r Q0 d 1 2 t t\n",
        GOOD.replace("Q0 e 2", "Q0 e  "),
        GOOD.replace("1.5", "nan"),
        GOOD.replace("1.5", "high"),
        GOOD.replace("e 2", "d 2"),
        GOOD.encode().replace(b"e 2", b"\xff 2"),
        gzip.compress(GOOD.encode(), mtime=0),
        "",
    ],
)
def test_anything_odd_is_left_to_the_careful_reader(tmp_path: Path, content: str | bytes) -> None:
    assert scan_run(written(tmp_path, content)) is None


def test_chunks_join_where_they_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in range(1, 20):
        monkeypatch.setattr(trec_scan, "_CHUNK", size)
        assert scan_run(written(tmp_path, GOOD)) is not None
        assert scan_run(written(tmp_path, GOOD.removesuffix("\n"))) is not None
        for odd in (GOOD.replace("e 2", "e  2"), GOOD.replace("\n", "\n\n"), GOOD + "#" + GOOD):
            assert scan_run(written(tmp_path, odd)) is None


def test_small_files_and_missing_ones_are_left_to_the_careful_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trec_scan, "WORTH_IT", 1000)
    assert scan_run(written(tmp_path, GOOD)) is None
    assert scan_run(tmp_path / "none") is None
    with pytest.raises(BadData, match="no such file"):
        judged_run({"q": ["d"]}, tmp_path / "none", **PLAIN)


def test_a_repeated_document_in_a_big_file_has_its_line(tmp_path: Path) -> None:
    file = written(tmp_path, GOOD + "r Q0 d 1 1 t\nq Q0 e 9 0.5 t\n")
    with pytest.raises(BadData, match="run:4: query 'q' has the document 'e' twice"):
        judged_run({"q": ["d"]}, file, **PLAIN)
