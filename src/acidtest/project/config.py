"""`acidtest.toml` (or `[tool.acidtest]` of pyproject.toml) to frozen records.

Strict: an unknown key is an error with a suggestion, and every error names the file and the key.
"""

import math
import tomllib
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from acidtest.errors import BadConfig, UnknownName
from acidtest.judges.prices import Rates

CONFIG_NAME = "acidtest.toml"
MAX_BYTES = 1_000_000
"""A larger file is no configuration."""
CHUNK_SIZES = (50, 100_000)
"""The least and the most characters that `chunk_size` may be."""
_MAX_DEPTH = 20
_MOST_ROOM = 1_000_000_000
_MAX_INTEGER = 2**63 - 1  # TOML's own bound


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


class JudgeConfig(Struct, frozen=True, kw_only=True):
    """Which model judges, where it is, and what a run may spend on it.

    `base_url` is for endpoints that speak OpenAI's chat completions (Azure with `api_version`, vLLM,
    Ollama, llama.cpp, gateways). Keys come from the environment, never from the file. `audit` is the share
    of a cascade's first decisions that the next judge is asked too. `timeout_s` bounds one call,
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
        if shared.is_file() and "acidtest" in _toml(shared).get("tool", {}):
            return shared
    return None


def load_config(path: Path | None = None) -> Config:
    """Read the configuration; without a path, the one that `find_config` finds, or the defaults.

    Raises:
        BadConfig: The file cannot be read, or a value is not possible.
        UnknownName: A key that does not exist; the nearest one is suggested.
    """
    found = path or find_config()
    if found is None:
        return Config()
    document = _toml(found)
    if found.name == "pyproject.toml":
        document = document.get("tool", {}).get("acidtest", {})
    if not isinstance(document, dict):
        raise BadConfig("[tool.acidtest] is not a table", where=str(found))
    _usable(document, str(found))
    _known_keys(document, Config, str(found), "")
    try:
        config = msgspec.convert(document, Config)
    except msgspec.ValidationError as error:
        what, _, faulty = str(error).partition(" - at `$.")
        key = _named(document, faulty.rstrip("`"))
        raise BadConfig(
            what.replace("`", "'"), where=f"{found}: {key}" if key else str(found)
        ) from (error)
    config = msgspec.structs.replace(config, folder=str(found.resolve().parent), path=str(found))
    _check(config, str(found))
    return config


def _toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise BadConfig(f"over {MAX_BYTES:,} bytes: this is no configuration", where=str(path))
        return tomllib.loads(content.decode("utf-8-sig"))
    except FileNotFoundError as error:
        raise BadConfig("no such file", where=str(path), fix="Make one: acidtest init") from error
    except OSError as error:
        raise BadConfig(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise BadConfig(
            f"not UTF-8 (byte {error.start})", where=str(path), fix="Save the file as UTF-8."
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(f"not TOML: {error}", where=str(path)) from error
    except RecursionError:
        raise BadConfig("nested too deeply", where=str(path)) from None
    except ValueError as error:  # an integer of thousands of digits
        raise BadConfig(f"holds a value that cannot be read: {error}", where=str(path)) from error


def _usable(document: dict[str, Any], where: str) -> None:
    """Refuse what TOML can say and nothing here can use, wherever it stands."""
    left: list[tuple[str, Any, int]] = [("", document, 0)]
    while left:
        key, value, depth = left.pop()
        at = f"{where}: {key[:200]}"
        if depth > _MAX_DEPTH:
            raise BadConfig("nested too deeply", where=at)
        if isinstance(value, dict):
            if any("\0" in name for name in value):
                raise BadConfig("a key holds a NUL character", where=at)
            left += [(f"{key}.{n}" if key else n, v, depth + 1) for n, v in value.items()]
        elif isinstance(value, list):
            left += [(key, item, depth + 1) for item in value]
        elif isinstance(value, str) and "\0" in value:
            raise BadConfig("holds a NUL character", where=at)
        elif isinstance(value, float) and not math.isfinite(value):
            raise BadConfig(f"is {value}", where=at, fix="Give a finite number.")
        elif isinstance(value, int) and abs(value) > _MAX_INTEGER:
            raise BadConfig("the integer is too large", where=at)


def _named(document: dict[str, Any], path: str) -> str:
    """Return a faulty key in full: msgspec writes `pipelines[...].k`, we `[pipelines.NAME] k`."""
    table, several, rest = path.partition("[...]")
    parts = table.split(".")
    entries: Any = document
    for part in parts:
        entries = entries.get(part) if isinstance(entries, dict) else None
    if several and isinstance(entries, dict):
        for name, value in entries.items():
            alone: Any = {name: value}
            for part in reversed(parts):
                alone = {part: alone}
            try:
                msgspec.convert(alone, Config)
            except msgspec.ValidationError:
                key = rest.replace("[...]", "").lstrip(".")
                return f"[{table}.{name}] {key}" if key else f"[{table}] {name}"
    return path.replace("[...]", "")


def _known_keys(document: dict[str, Any], kind: type[Struct], where: str, table: str) -> None:
    at = f"{where}: [{table}]" if table else where
    ours = _SET_BY_US if kind is Config else ()
    fields = {f.name: f.type for f in msgspec.structs.fields(kind) if f.name not in ours}
    for key, value in document.items():
        if key not in fields:
            raise UnknownName("key", key, fields, where=at)
        inside = f"{table}.{key}" if table else key
        inner = _struct(fields[key])
        if inner is not None and isinstance(value, dict):
            _known_keys(value, inner, where, inside)
        kinds: dict[str, type[Struct]] = {"pipelines": PipelineConfig, "prices": Rates}
        named = kinds.get(key)
        if named is not None and isinstance(value, dict):
            for name, entry in value.items():
                if isinstance(entry, dict):
                    _known_keys(entry, named, where, f"{inside}.{name}")


def _struct(kind: Any) -> type[Struct] | None:
    """Return the Struct that a field holds, also where it may be missing."""
    choices = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    return next((k for k in choices if isinstance(k, type) and issubclass(k, Struct)), None)


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
    if not 0 <= config.judge.audit <= 1:
        raise BadConfig(
            f"audit is {config.judge.audit}",
            where=f"{where}: [judge]",
            fix="Give a share from 0 to 1.",
        )
    for name, pipeline in config.pipelines.items():
        at = f"{where}: [pipelines.{name}]"
        kinds = ("python", "http", "command", "outputs")
        given = [kind for kind in kinds if getattr(pipeline, kind) is not None]
        if len(given) != 1:
            raise BadConfig(
                f"has {' and '.join(given)}" if given else "does not say what it is",
                where=at,
                fix=f"Give exactly one of {', '.join(kinds)}.",
            )
        if pipeline.command is not None and not pipeline.command:
            raise BadConfig("the command is empty", where=at)
        if pipeline.headers and pipeline.http is None:
            raise BadConfig("headers are for http pipelines", where=at)
        for key in ("concurrency", "timeout_s", "k"):
            value = getattr(pipeline, key)
            if value is not None and not value > 0:
                raise BadConfig(f"{key} is {value}", where=at, fix="Give a number above 0.")
        if pipeline.retries < 0:
            raise BadConfig(f"retries is {pipeline.retries}", where=at, fix="Give 0 or more.")
