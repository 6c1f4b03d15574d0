"""Files: where a model's weights, tokenizer and labels are - a folder, a file in it, or a model hub.

    nli:FOLDER  nli:FOLDER/NAME.onnx  nli:OWNER/NAME  nli:OWNER/NAME/onnx/NAME.onnx  and @REVISION

A folder is never asked of a hub. What a hub gave once is read from its cache.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from acidtest.errors import BadConfig
from acidtest.extras import need

_HUB = re.compile(
    r"(?P<name>[\w-][\w.-]*/[\w-][\w.-]*)(?:/(?P<file>[\w./-]+\.onnx))?(?:@(?P<revision>[\w./-]+))?"
)
_PLACES = (".", "onnx")
_PLAIN = "model.onnx"
_MOST_JSON = 1_000_000
_EXPORT = (
    "optimum-cli export onnx --model NAME --task text-classification FOLDER writes all three files."
)


@dataclass(frozen=True)
class Files:
    """The files of one model.

    Attributes:
        weights: The ONNX graph.
        tokenizer: `tokenizer.json`.
        config: `config.json`.
    """

    weights: Path
    tokenizer: Path
    config: Path

    @property
    def all(self) -> tuple[Path, ...]:
        """Every file that verdicts depend on; large graphs keep their weights beside themselves."""
        beside = sorted(
            path
            for path in self.weights.parent.iterdir()
            if path.name.startswith(self.weights.name) and path != self.weights
        )
        limits = self.limits
        return (self.weights, *beside, self.tokenizer, self.config, *([limits] if limits else []))

    @property
    def limits(self) -> Path | None:
        """`tokenizer_config.json`, which may say how much the model reads; None where there is none."""
        path = self.tokenizer.parent / "tokenizer_config.json"
        return path if path.is_file() else None


def find(model: str) -> Files:
    """Return the files of a model; a hub is asked for those that are not on this machine.

    Raises:
        BadConfig: There is no such folder or model, or a file is missing; the message names it.
        MissingExtra: A hub must be asked, and its client is not installed.
    """
    try:
        path = Path(model).expanduser().absolute()
        if path.is_file():
            return _in(path.parent, path)
        if path.is_dir():
            return _in(path, None)
    except (OSError, ValueError, RuntimeError) as error:  # a NUL, a name too long, ~nobody
        raise BadConfig(
            f"{model[:200]!r} cannot be read: {error}",
            where="judge nli",
            fix="Check that it is whole and that you may read it.",
        ) from error
    named = _HUB.fullmatch(model)
    if named is None:
        raise BadConfig(
            f"there is no folder {model[:200]!r}",
            where="judge nli",
            fix="Give a folder with model.onnx, tokenizer.json and config.json, or OWNER/NAME of a hub.",
        )
    folder = _downloaded(model, named["name"], named["file"], named["revision"])
    return _in(folder, folder / named["file"] if named["file"] else None)


def config(files: Files) -> dict[str, Any]:
    """Return a model's `config.json`.

    Raises:
        BadConfig: It is not a JSON object.
    """
    return _json(files.config)


def longest(files: Files, said: dict[str, Any]) -> int | None:
    """Return how many tokens a model reads, by its configuration; None when nothing says.

    Args:
        files: The model's files.
        said: Its `config.json`.
    """
    limits = [_json(files.limits).get("model_max_length")] if files.limits else []
    positions = said.get("max_position_embeddings")
    if isinstance(positions, int) and "roberta" in str(said.get("model_type", "")).casefold():
        positions -= 2  # it counts from the padding token's number on
    sane = [n for n in (*limits, positions) if isinstance(n, int | float) and 0 < n < 1_000_000]
    return int(min(sane)) if sane else None


def _in(folder: Path, weights: Path | None) -> Files:
    if weights is not None and weights.suffix != ".onnx":
        raise BadConfig(
            f"{str(weights)!r} is not an ONNX file",
            where="judge nli",
            fix="Name the folder, or a file that ends in .onnx.",
        )
    graph = weights or _graph(folder)
    if not graph.is_file():
        raise BadConfig(
            "no such file",
            where=f"judge nli: {graph}",
            fix="Name the folder of a model, or a file in it.",
        )
    around = (folder,) if weights is None else (folder, folder.parent)  # FOLDER/onnx/model.onnx
    return Files(graph, _beside(around, "tokenizer.json"), _beside(around, "config.json"))


def _graph(folder: Path) -> Path:
    """Return the graph of a folder: `model.onnx`, or the only one that there is."""
    for place in _PLACES:
        if (folder / place / _PLAIN).is_file():
            return folder / place / _PLAIN
    found = sorted(path for place in _PLACES for path in (folder / place).glob("*.onnx"))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(str(path.relative_to(folder)) for path in found[:12])
        raise BadConfig(
            f"has several models and no {_PLAIN}: {names}",
            where=f"judge nli: {folder}",
            fix=f"Say which: nli:{folder / found[0].relative_to(folder)}",
        )
    raise BadConfig(f"has no {_PLAIN}", where=f"judge nli: {folder}", fix=_EXPORT)


def _beside(folders: tuple[Path, ...], name: str) -> Path:
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise BadConfig(f"has no {name}", where=f"judge nli: {folders[0]}", fix=_EXPORT)


def _downloaded(model: str, name: str, file: str | None, revision: str | None) -> Path:
    hub = need("huggingface_hub", extra="nli")
    graphs = [f"{file}*"] if file else [f"{_PLAIN}*", f"onnx/{_PLAIN}*"]
    wanted = ["config.json", "tokenizer.json", "tokenizer_config.json", *graphs]
    try:
        return Path(hub.snapshot_download(name, revision=revision, allow_patterns=wanted))
    except Exception as error:  # the hub's client and what is under it have errors of many trees
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise BadConfig(
            f"there is no folder {model!r}, and the hub gave no such model: {first[:300]}",
            where="judge nli",
            fix="Check the name and the connection, or give the folder of a model that is on this machine.",
        ) from error


def _json(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            raw = stream.read(_MOST_JSON + 1)
        if len(raw) > _MOST_JSON:
            raise BadConfig(
                f"over {_MOST_JSON:,} bytes: this is no configuration",
                where=str(path),
                fix="Name the folder of a model: its configuration is small.",
            )
        said: dict[str, Any] = msgspec.json.decode(raw, type=dict[str, Any])
    except OSError as error:
        raise BadConfig(
            f"cannot be read: {error.strerror}",
            where=str(path),
            fix="Check that it is whole and that you may read it.",
        ) from error
    except msgspec.DecodeError as error:
        raise BadConfig(
            f"is not a JSON object: {error}",
            where=str(path),
            fix="Fetch the files of the model again.",
        ) from error
    return said
