"""What a command evaluates: the golden set and the pipelines, from names, paths and URLs."""

from collections.abc import Sequence
from pathlib import Path

from acidtest.data.golden import GoldenSet
from acidtest.errors import UnknownName, UsageError
from acidtest.golden.load import load_golden
from acidtest.pipelines.load import load_pipeline
from acidtest.pipelines.recorded import RecordedPipeline, load_recorded
from acidtest.ports import Pipeline, PipelineOptions
from acidtest.project.config import Config, PipelineConfig
from acidtest.project.judge_names import addresses

_SHOWN = 3  # examples in a message


def golden_of(config: Config, given: str | None) -> GoldenSet:
    """Load the golden set that was named on the command line, or the configured one.

    Raises:
        UsageError: Neither names one.
        BadGolden: It cannot be read.
    """
    if given is not None:
        return load_golden(given)
    if config.golden is None:
        raise UsageError(
            "no golden set was named",
            fix="Give one with --golden FILE, or start with: acidtest init",
        )
    return load_golden(Path(config.folder) / config.golden)


def pipelines_of(
    config: Config, names: Sequence[str], outputs: str | None, golden: GoldenSet
) -> tuple[list[Pipeline], list[str]]:
    """Make the pipelines of a command.

    Args:
        config: The configuration.
        names: Pipelines as the command line names them; none means every configured one.
        outputs: A file of recorded outputs; then no pipeline is asked.
        golden: The golden set, which may carry recorded answers.

    Returns:
        The pipelines, and what a person should know about them.

    Raises:
        UsageError: There is nothing to evaluate.
        UnknownName: No pipeline of that name.
    """
    if outputs is not None:
        if names:
            raise UsageError("give pipelines or --outputs, not both", fix="Leave one of them out.")
        return _recorded(outputs, golden, None)
    if not names and not config.pipelines:
        if golden.recorded:
            return [RecordedPipeline(golden.recorded, name="recorded")], []
        raise UsageError(
            "there is nothing to evaluate: no pipeline and no recorded outputs",
            fix="Name a pipeline (module:object), give --outputs FILE, or start with: acidtest init",
        )
    found: list[Pipeline] = []
    told: list[str] = []
    for name in names or list(config.pipelines):
        some, lines = _named(config, name, golden)
        found += some
        told += lines
    return found, told


def files_read(
    config: Config,
    golden: str | None,
    outputs: str | None,
    names: Sequence[str],
    judge: str | None = None,
) -> list[tuple[str, Path]]:
    """Return the files that a command reads, and what each is: nothing may be written over them.

    Args:
        config: The configuration; every pipeline's files count, whichever are run.
        golden: The golden set of the command line.
        outputs: The recorded outputs of the command line.
        names: Pipelines of the command line.
        judge: The judge of the command line.
    """
    folder = Path(config.folder)
    found: list[tuple[str, Path]] = []
    if config.path is not None:
        found.append(("the configuration", Path(config.path)))
    if golden is not None:
        found.append(("the golden set", Path(golden)))
    if config.golden is not None:
        found.append(("the golden set", folder / config.golden))
    if outputs is not None:
        found.append(("the recorded outputs", Path(outputs)))
    for name, table in config.pipelines.items():
        found += [(f"a file of pipeline {name!r}", file) for file in _files(table, folder)]
    for judges, base in ((config.judge.model, folder), (judge or "", Path.cwd())):
        found += [("a judge's file", file) for a in addresses(judges) for file in _code(a, base)]
    for name in names:
        if name not in config.pipelines and not name.startswith(("http://", "https://")):
            found += [(f"a file of pipeline {name!r}", file) for file in _code(name, Path.cwd())]
    return found


def _files(table: PipelineConfig, folder: Path) -> list[Path]:
    if table.outputs is not None:
        return [folder / table.outputs]
    if table.python is not None:
        return _code(table.python, folder)
    return [folder / part for part in table.command or ()]


def _code(address: str, folder: Path) -> list[Path]:
    module = address.rpartition(":")[0]
    if module.endswith(".py"):
        return [folder / Path(module).expanduser()]
    stem = folder.joinpath(*module.split("."))
    return [stem.with_suffix(".py"), stem / "__init__.py"] if module else []


def _named(config: Config, name: str, golden: GoldenSet) -> tuple[list[Pipeline], list[str]]:
    if name in config.pipelines:
        return _configured(config, name, config.pipelines[name], golden)
    if name.startswith(("http://", "https://")):
        from acidtest.pipelines.http import HttpPipeline

        return [HttpPipeline(name, name=name)], []
    if ":" in name:
        folder = Path.cwd()
        return [load_pipeline(name, base=folder, name=name.rpartition(":")[2])], []
    raise UnknownName("pipeline", name, config.pipelines, where=config.path)


def _configured(
    config: Config, name: str, table: PipelineConfig, golden: GoldenSet
) -> tuple[list[Pipeline], list[str]]:
    folder = Path(config.folder)
    options = PipelineOptions(
        concurrency=table.concurrency,
        timeout_s=table.timeout_s,
        retries=table.retries,
        k=table.k,
        inputs=table.inputs,
    )
    if table.outputs is not None:
        return _recorded(str(folder / table.outputs), golden, name)
    if table.http is not None:
        from acidtest.pipelines.http import HttpPipeline

        return [HttpPipeline(table.http, name=name, headers=table.headers, options=options)], []
    if table.command is not None:
        from acidtest.pipelines.command import CommandPipeline

        return [CommandPipeline(table.command, name=name, folder=folder, options=options)], []
    return [load_pipeline(str(table.python), base=folder, name=name, options=options)], []


def _recorded(path: str, golden: GoldenSet, name: str | None) -> tuple[list[Pipeline], list[str]]:
    pipeline = load_recorded(path, name=name)
    strays = pipeline.unmatched(golden)
    if len(strays) == len(pipeline):
        raise UsageError(
            "no row belongs to a case of the golden set",
            where=path,
            fix="Rows are matched by id, else by the exact question.",
        )
    if not strays:
        return [pipeline], []
    shown = ", ".join(repr(s)[:60] for s in strays[:_SHOWN])
    more = ", ..." if len(strays) > _SHOWN else ""
    return [pipeline], [f"{path}: {_rows(len(strays))} to no case: {shown}{more}"]


def _rows(count: int) -> str:
    return "1 row belongs" if count == 1 else f"{count} rows belong"
