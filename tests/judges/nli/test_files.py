import os
import shutil
import subprocess
import sys

import pytest

from acidtest.errors import BadConfig, MissingExtra
from acidtest.judges.nli import files
from acidtest.judges.nli.files import config, find, longest


def test_a_folder_is_enough(three):
    found = find(str(three))
    assert [p.name for p in found.all] == ["model.onnx", "tokenizer.json", "config.json"]


@pytest.mark.parametrize(
    "name", ["onnx/model.onnx", "onnx/model_quantized.onnx", "model_qint8_avx512.onnx"]
)
def test_the_only_graph_is_found_where_exports_put_it(tiny, tmp_path, name):
    tiny.write(tmp_path, name=name)
    assert find(str(tmp_path)).weights == tmp_path / name


def test_a_plain_graph_goes_before_quantised_ones(tiny, tmp_path):
    tiny.write(tmp_path, name="onnx/model.onnx")
    shutil.copy(tmp_path / "onnx/model.onnx", tmp_path / "onnx/model_qint8.onnx")
    assert find(str(tmp_path)).weights.name == "model.onnx"


def test_several_graphs_must_be_told_apart(tiny, tmp_path):
    tiny.write(tmp_path, name="onnx/model_O1.onnx")
    shutil.copy(tmp_path / "onnx/model_O1.onnx", tmp_path / "onnx/model_O2.onnx")
    with pytest.raises(BadConfig) as raised:
        find(str(tmp_path))
    assert "onnx/model_O1.onnx, onnx/model_O2.onnx" in str(raised.value)
    named = raised.value.fix.partition("nli:")[2]
    assert find(named).weights == tmp_path / "onnx/model_O1.onnx"
    assert find(named).config == tmp_path / "config.json"


def test_a_graph_by_its_own_name(three):
    assert find(str(three / "model.onnx")) == find(str(three))


def test_a_home_folder_and_a_relative_one_are_found(three, monkeypatch):
    monkeypatch.chdir(three.parent)
    monkeypatch.setenv("HOME", str(three.parent))
    assert find(three.name) == find(f"~/{three.name}") == find(str(three))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named_with_the_way_to_make_it(three, tmp_path, name):
    shutil.copytree(three, tmp_path / "m")
    (tmp_path / "m" / name).unlink()
    with pytest.raises(BadConfig, match=f"has no {name}") as raised:
        find(str(tmp_path / "m"))
    assert "optimum-cli" in raised.value.fix


def test_another_file_is_no_model(three):
    with pytest.raises(BadConfig, match="not an ONNX file"):
        find(str(three / "config.json"))


@pytest.mark.parametrize(
    "name",
    [
        "/no/such/folder",
        "./none",
        "nothing",
        "a/b/c",
        "C:\\models\\x",
        "a b/c",
        "x\0y",
        "~nobody_here/m",
        "é" * 5000,
        "-x/y z",
        "",
    ],
)
def test_what_is_no_folder_and_no_name_of_a_hub_never_asks_one(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "_downloaded", None)
    with pytest.raises(BadConfig):
        find(name)


def test_only_what_is_needed_is_asked_of_a_hub(monkeypatch, three):
    import huggingface_hub

    asked = []

    def download(name, *, revision, allow_patterns):
        asked.append((name, revision, allow_patterns))
        return str(three)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    common = ["config.json", "tokenizer.json", "tokenizer_config.json"]
    assert find("some/model").weights == three / "model.onnx"
    assert find("some/model@v1.2").weights == three / "model.onnx"
    assert find("some/model/model.onnx@abc").weights == three / "model.onnx"
    assert asked == [
        ("some/model", None, [*common, "model.onnx*", "onnx/model.onnx*"]),
        ("some/model", "v1.2", [*common, "model.onnx*", "onnx/model.onnx*"]),
        ("some/model", "abc", [*common, "model.onnx*"]),
    ]
    with pytest.raises(BadConfig, match="no such file"):
        find("some/model/onnx/other.onnx")


def test_a_hub_that_cannot_be_reached_is_told_in_one_line(tmp_path):
    program = (
        "from acidtest.judges.nli.files import find\n"
        "from acidtest.errors import BadConfig\n"
        "try:\n    find('some/model')\n"
        "except BadConfig as error:\n    print(error)\n"
    )
    env = os.environ | {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.startswith(
        "judge nli: there is no folder 'some/model', and the hub gave no such model: "
    ), done
    assert "give the folder" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_missing_client_is_told_with_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match=r"acidtest\[nli\]"):
        find("some/model")


@pytest.mark.parametrize("text", ["", "{", "[]", "\udcff", '{"a": 1} x', "[" * 100_000])
def test_a_damaged_configuration_is_refused(three, tmp_path, text):
    shutil.copytree(three, tmp_path / "m")
    (tmp_path / "m" / "config.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(BadConfig, match="not a JSON object"):
        config(find(str(tmp_path / "m")))


def test_a_huge_configuration_is_refused(three, tmp_path):
    shutil.copytree(three, tmp_path / "m")
    (tmp_path / "m" / "config.json").write_text(" " * 2_000_000)
    with pytest.raises(BadConfig, match="over"):
        config(find(str(tmp_path / "m")))


@pytest.mark.parametrize(
    ("said", "beside", "expected"),
    [
        ({}, None, None),
        ({"max_position_embeddings": 512}, None, 512),
        ({"max_position_embeddings": 514, "model_type": "xlm-roberta"}, None, 512),
        ({"max_position_embeddings": 512}, '{"model_max_length": 128}', 128),
        ({}, '{"model_max_length": 1000000000000000019884624838656}', None),
        ({"max_position_embeddings": "512"}, '{"model_max_length": null}', None),
        ({"max_position_embeddings": -1}, '{"model_max_length": 1e30}', None),
    ],
)
def test_how_much_a_model_reads(three, tmp_path, said, beside, expected):
    shutil.copytree(three, tmp_path / "m")
    if beside:
        (tmp_path / "m" / "tokenizer_config.json").write_text(beside)
    found = find(str(tmp_path / "m"))
    assert longest(found, said) == expected
    assert ("tokenizer_config.json" in [p.name for p in found.all]) == bool(beside)
