"""`acidtest.toml` (or `[tool.acidtest]` of pyproject.toml) to frozen records.

Strict: an unknown key is an error with a suggestion, and every error names the file and the key.
"""

from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from acidtest.errors import BadConfig
from acidtest.judges.prices import Rates
from acidtest.online.config import OnlineConfig, check_online
from acidtest.project.toml import check_keys, check_usable, read_toml, told_key

CONFIG_NAME = "acidtest.toml"
CHUNK_SIZES = (50, 100_000)
"""The least and the most characters that `chunk_size` may be."""
_MOST_ROOM = 1_000_000_000


class PipelineConfig(Struct, frozen=True, kw_only=True):
    """How one pipeline is reached: exactly one of `python`, `http`, `command`, `outputs`."""

    python: str | None = None
    http: str | None = None
    command: tuple[str, ...] | None = None
    outputs: str | None = None
    headers: dict[str, str] = {}
    concurrency: int = 4
    timeout_s: float = 120.0
    retries: int = 0
    k: int | None = None
    inputs: tuple[str, ...] = ()


class JudgeConfig(Struct, frozen=True, kw_only=True):
    """Which model judges, where it is, and what a run may spend on it.

    `base_url` is for endpoints that speak OpenAI's chat completions (Azure with `api_version`, vLLM,
    Ollama, llama.cpp, gateways). Keys come from the environment, never from the file. `audit` is the share
    of a cascade's first decisions that the next judge is asked too. `coverage` is the share that the
    local judge shall decide; None for its usual thresholds. `timeout_s` bounds one call,
    `run_timeout_s` all of a command's. `prices` are those of single models, by their names. `label`
    tells apart what bears one name and is not one model, such as two servers' `qwen3:8b`.
    """

    model: str = "local"
    base_url: str | None = None
    api_version: str | None = None
    temperature: float = 0.0
    max_tokens: int = 4096
    timeout_s: float = 120.0
    run_timeout_s: float | None = None
    budget_usd: float | None = None
    budget_tokens: int | None = None
    price: Rates | None = None
    prices: dict[str, Rates] = {}
    audit: float = 0.0
    coverage: float | None = None
    label: str | None = None


class EmbedderConfig(Struct, frozen=True, kw_only=True):
    """Which model turns texts into vectors, for metrics that compare by similarity.

    `openai:MODEL`; with `base_url` any endpoint that speaks OpenAI's embeddings.
    """

    model: str | None = None
    base_url: str | None = None
    api_version: str | None = None
    timeout_s: float = 120.0
    usd_per_million_tokens: float | None = None


class CorpusConfig(Struct, frozen=True, kw_only=True):
    """What the retriever can find, for the golden commands: `path` or `python`.

    `path` is a chunk file or a folder, `python` the address of a function that returns rows. A folder's
    documents are cut into chunks of at most `chunk_size` characters, of which `overlap` are also in the
    one before; `exclude` are patterns of files to leave out.
    """

    path: str | None = None
    python: str | None = None
    chunk_size: int = 1_000
    overlap: int = 0
    exclude: tuple[str, ...] = ()


class GateConfig(Struct, frozen=True, kw_only=True):
    """Floors that every run is held to (see `--min`), and the drop from a baseline that is tolerated.

    A drop is a difference such as 0.03, or a share of the baseline such as "20%". `mode` and `stale` are
    those of `acidtest gate`. `floor_on` says what a floor compares where the judge left claims
    undecided: the share of claims that are not unsupported, or the mean over the decided claims.
    """

    min: dict[str, float] = {}
    max_drop: float | str | dict[str, float | str] | None = None
    mode: Literal["strict", "statistical"] = "strict"
    stale: Literal["warn", "refuse"] = "warn"
    floor_on: Literal["unsupported", "mean"] = "unsupported"


class StoreConfig(Struct, frozen=True, kw_only=True):
    """Where runs are kept."""

    url: str | None = None


class Config(Struct, frozen=True, kw_only=True):
    """The whole configuration. `folder` is what its relative paths start from."""

    golden: str | None = None
    corpus: str | CorpusConfig | None = None
    pipelines: dict[str, PipelineConfig] = {}
    judge: JudgeConfig = JudgeConfig()
    embedder: EmbedderConfig = EmbedderConfig()
    rubric: dict[str, dict[str, Any]] = {}
    metrics: dict[str, tuple[str, ...]] = {}
    targets: dict[str, float] = {}
    gate: GateConfig = GateConfig()
    store: StoreConfig = StoreConfig()
    online: OnlineConfig = OnlineConfig()
    unanswerable: Literal["skip", "one"] = "skip"
    folder: str = "."
    path: str | None = None


_SET_BY_US = ("folder", "path")


def find_config(start: Path | None = None) -> Path | None:
    """Return the configuration file of a folder or of the nearest folder above it."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        own = folder / CONFIG_NAME
        if own.is_file():
            return own
        shared = folder / "pyproject.toml"
        if shared.is_file() and "acidtest" in _tool(read_toml(shared)):
            return shared
    return None


def _tool(pyproject: dict[str, Any]) -> dict[str, Any]:
    """Return the tools' tables, of a file that others may have written wrong."""
    tool = pyproject.get("tool")
    return tool if isinstance(tool, dict) else {}


def load_config(path: Path | None = None) -> Config:
    """Read the configuration; without a path, the one that `find_config` finds, or the defaults.

    Raises:
        BadConfig: The file cannot be read, or a value is not possible.
        UnknownName: A key that does not exist; the nearest one is suggested.
    """
    found = path or find_config()
    if found is None:
        return Config()
    document = read_toml(found)
    if found.name == "pyproject.toml":
        document = _tool(document).get("acidtest", {})
    if not isinstance(document, dict):
        raise BadConfig(
            "[tool.acidtest] is not a table",
            where=str(found),
            fix="Write its keys under [tool.acidtest].",
        )
    check_usable(document, str(found))
    check_keys(document, Config, str(found), but=_SET_BY_US)
    try:
        config = msgspec.convert(document, Config)
    except msgspec.ValidationError as error:
        what, _, faulty = str(error).partition(" - at `$.")
        key = told_key(document, faulty.rstrip("`"), Config)
        raise BadConfig(
            what.replace("`", "'"),
            where=f"{found}: {key}" if key else str(found),
            fix=_PIPELINE if key.startswith("[pipelines] ") else None,
        ) from error
    config = msgspec.structs.replace(config, folder=str(found.resolve().parent), path=str(found))
    _check(config, str(found))
    return config


_PIPELINE = (
    'A pipeline is a table, such as: [pipelines.mine], and under it python = "my_rag.py:answer".'
)


def _check_numbers(table: JudgeConfig | EmbedderConfig, where: str) -> None:
    for name in ("budget_usd", "budget_tokens", "usd_per_million_tokens", "temperature"):
        value = getattr(table, name, None)
        if value is not None and value < 0:
            raise BadConfig(f"{name} is {value}", where=where, fix="Give 0 or more.")
    for name in ("timeout_s", "run_timeout_s", "max_tokens"):
        value = getattr(table, name, None)
        if value is not None and not value > 0:
            raise BadConfig(f"{name} is {value}", where=where, fix="Give a number above 0.")


def _check_room(judge: JudgeConfig, where: str) -> None:
    # A cut reply is asked again with four times the room: the number has to go out as JSON.
    if judge.max_tokens > _MOST_ROOM:
        raise BadConfig(
            f"max_tokens is {judge.max_tokens}", where=where, fix=f"Give {_MOST_ROOM} or less."
        )


def _check_address(table: JudgeConfig | EmbedderConfig, where: str) -> None:
    # An empty address must not send what is judged to the provider's own.
    if table.base_url is not None and not table.base_url.strip():
        raise BadConfig(
            "base_url is empty",
            where=where,
            fix="Write it like http://127.0.0.1:8000/v1, or leave it out.",
        )


def _check_shares(judge: JudgeConfig, where: str) -> None:
    for name, share in (("audit", judge.audit), ("coverage", judge.coverage)):
        if share is not None and not 0 <= share <= 1:
            raise BadConfig(f"{name} is {share}", where=where, fix="Give a share from 0 to 1.")


def _check_prices(judge: JudgeConfig, table: str) -> None:
    tables = {f"{table}.prices.{name}]": rates for name, rates in judge.prices.items()}
    if judge.price is not None:
        tables[f"{table}.price]"] = judge.price
    for where, rates in tables.items():
        for name, value in msgspec.structs.asdict(rates).items():
            if value is not None and value < 0:
                raise BadConfig(f"{name} is {value}", where=where, fix="Give 0 or more.")


def _check_corpus(corpus: CorpusConfig, where: str) -> None:
    if corpus.path is not None and corpus.python is not None:
        raise BadConfig("has path and python", where=where, fix="Give one of them.")
    least, most = CHUNK_SIZES
    if not least <= corpus.chunk_size <= most:
        raise BadConfig(
            f"chunk_size is {corpus.chunk_size}",
            where=where,
            fix=f"Give {least} to {most:,} characters.",
        )
    if not 0 <= corpus.overlap <= corpus.chunk_size // 2:
        raise BadConfig(
            f"overlap is {corpus.overlap}", where=where, fix="Give 0 to half of chunk_size."
        )


def _check(config: Config, where: str) -> None:
    if isinstance(config.corpus, CorpusConfig):
        _check_corpus(config.corpus, f"{where}: [corpus]")
    _check_room(config.judge, f"{where}: [judge]")
    _check_address(config.judge, f"{where}: [judge]")
    _check_address(config.embedder, f"{where}: [embedder]")
    _check_prices(config.judge, f"{where}: [judge")
    _check_numbers(config.judge, f"{where}: [judge]")
    _check_numbers(config.embedder, f"{where}: [embedder]")
    _check_shares(config.judge, f"{where}: [judge]")
    check_online(config.online, f"{where}: [online]")
    for name, pipeline in config.pipelines.items():
        _check_pipeline(pipeline, f"{where}: [pipelines.{name}]")


def _check_pipeline(pipeline: PipelineConfig, at: str) -> None:
    kinds = ("python", "http", "command", "outputs")
    given = [kind for kind in kinds if getattr(pipeline, kind) is not None]
    if len(given) != 1:
        raise BadConfig(
            f"has {' and '.join(given)}" if given else "does not say what it is",
            where=at,
            fix=f"Give exactly one of {', '.join(kinds)}.",
        )
    if pipeline.command is not None and not pipeline.command:
        raise BadConfig(
            "the command is empty",
            where=at,
            fix='Write the program and its arguments: command = ["python", "ask.py"]',
        )
    if pipeline.headers and pipeline.http is None:
        raise BadConfig(
            "headers are for http pipelines",
            where=at,
            fix="Leave headers out, or give http instead.",
        )
    if pipeline.inputs and pipeline.python is None:
        raise BadConfig(
            "inputs are for python pipelines",
            where=at,
            fix="Leave inputs out, or give python instead.",
        )
    for key in ("concurrency", "timeout_s", "k"):
        value = getattr(pipeline, key)
        if value is not None and not value > 0:
            raise BadConfig(f"{key} is {value}", where=at, fix="Give a number above 0.")
    if pipeline.retries < 0:
        raise BadConfig(f"retries is {pipeline.retries}", where=at, fix="Give 0 or more.")
