import json

import polars as pl
import pytest

from acidtest.data.exchange import Exchanged
from acidtest.errors import DataError
from acidtest.formats.registry import format_named
from acidtest.golden.load import load_golden
from acidtest.project.convert import convert, read_format

ROWS = {
    "question": ["What do cats do?", "What do dogs do?"],
    "ground_truths": [["Purr."], ["Bark."]],
    "contexts": [["Cats purr."], []],
    "level": ["easy", "hard"],
}


def saved(folder, rows):
    folder.mkdir(parents=True)
    pl.DataFrame(rows).write_ipc_stream(folder / "data-00000-of-00001.arrow")
    (folder / "state.json").write_text("{}", encoding="utf-8")
    return folder


def test_a_saved_data_set_reads_without_the_library(tmp_path):
    found = read_format(saved(tmp_path / "set", ROWS))
    one, two = found.golden
    assert (one.question, one.reference, one.metadata) == (
        "What do cats do?",
        "Purr.",
        {"level": "easy"},
    )
    assert two.split is None
    assert [c.text for c in found.answers[0].retrieved] == ["Cats purr."]


def test_splits_are_told(tmp_path):
    saved(tmp_path / "set" / "train", {"question": ["A?"]})
    saved(tmp_path / "set" / "test", {"question": ["B?", "C?"]})
    (tmp_path / "set" / "dataset_dict.json").write_text(
        '{"splits": ["train", "test"]}', encoding="utf-8"
    )
    golden = read_format(tmp_path / "set").golden
    assert [(case.question, case.split) for case in golden] == [
        ("A?", "train"),
        ("B?", "test"),
        ("C?", "test"),
    ]


def test_a_folder_of_parquet_as_the_hub_has_it(tmp_path):
    (tmp_path / "set" / "data").mkdir(parents=True)
    for number in (0, 1):
        name = f"test-0000{number}-of-00002.parquet"
        pl.DataFrame({"question": [f"Q{number}?"]}).write_parquet(tmp_path / "set" / "data" / name)
    done = convert(tmp_path / "set", tmp_path / "golden.jsonl")
    assert (done.source_format, done.read.cases) == ("datasets", 2)


def test_bytes_are_left_and_told(tmp_path):
    found = read_format(saved(tmp_path / "set", {"question": ["Q?"], "image": [b"\x89PNG"]}))
    assert [(loss.field, loss.count) for loss in found.losses] == [("image", 1)]


@pytest.mark.parametrize("splits", ['{"splits": 3}', "not JSON", '{"splits": ["../../etc"]}'])
def test_a_broken_or_hostile_description_is_refused(splits, tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "dataset_dict.json").write_text(splits, encoding="utf-8")
    with pytest.raises(DataError, match=r"dataset_dict\.json"):
        read_format(folder, "datasets")


def test_damaged_arrow_is_refused_with_its_file(tmp_path):
    folder = saved(tmp_path / "set", ROWS)
    path = folder / "data-00000-of-00001.arrow"
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(DataError, match=r"data-00000-of-00001\.arrow"):
        read_format(folder)


def test_a_golden_set_is_written_as_the_hub_has_it(tmp_path):
    golden = load_golden([{"id": "a", "question": "Q?", "relevant": {"x": 2}, "tags": ["t"]}])
    write = format_named("datasets").write
    assert write is not None
    assert write(Exchanged(golden=golden), str(tmp_path / "out")) == ()
    frame = pl.read_parquet(tmp_path / "out" / "data" / "test-00000-of-00001.parquet")
    assert json.loads(frame["relevant"][0]) == {"x": 2}
    assert list(read_format(tmp_path / "out").golden) == list(golden)
