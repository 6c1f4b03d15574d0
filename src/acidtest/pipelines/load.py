"""A pipeline by its address: `module:object` or `path.py:object`.

The base folder goes to the front of `sys.path` and stays there: a pipeline may import its neighbours
only when it is asked. A file is imported once, however many objects of it are named.
"""

import hashlib
import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from acidtest.errors import AcidtestError, BadConfig, UnknownName, suggestion
from acidtest.pipelines.attempt import DEFAULTS
from acidtest.pipelines.function import as_pipeline
from acidtest.pipelines.trace import error_place, one_line
from acidtest.ports import Pipeline, PipelineOptions

FORM = "Write module:object or path.py:object, such as my_rag:pipeline."


def load_pipeline(
    address: str, *, base: Path, name: str | None = None, options: PipelineOptions = DEFAULTS
) -> Pipeline:
    """Load an object and make a pipeline of it; its file counts in the fingerprint.

    Raises:
        UsageError: See `load_object` and `as_pipeline`.
    """
    module, _ = _split(address)
    thing = load_object(address, base=base)
    return as_pipeline(thing, name=name, options=options, origin=_origin(module, base))


def load_object(address: str, *, base: Path) -> Any:
    """Import an object by its address.

    A class that takes no arguments is instantiated; a function that takes none is a factory and is
    called: what it returns is the pipeline.

    Args:
        address: `module:object` or `path.py:object`; the object may be dotted.
        base: The folder that files and modules are looked for in first.

    Raises:
        BadConfig: The address is malformed, the import failed (the message names the line), or a
            class or factory cannot be called.
        UnknownName: The module has no such object.
    """
    module, path = _split(address)
    loaded = _module(module, base, address)
    thing: Any = loaded
    for part in path.split("."):
        names = [n for n in dir(thing) if not n.startswith("_")]
        if not hasattr(thing, part):
            where = f"{address!r} in {_told(loaded)}"
            raise UnknownName("object", part, _of_interest(thing, names), where=where)
        thing = getattr(thing, part)
    if inspect.isclass(thing) or (inspect.isroutine(thing) and _takes_nothing(thing)):
        return _made(thing, address)
    return thing


def _split(address: str) -> tuple[str, str]:
    module, colon, path = address.strip().rpartition(":")
    if not colon or not module or not all(part.isidentifier() for part in path.split(".")):
        raise BadConfig(f"{address!r} is no address of an object", fix=FORM)
    return module, path


def _module(module: str, base: Path, address: str) -> ModuleType:
    _on_path(base)
    try:
        if _is_file(module):
            return _from_file(_file(module, base), address)
        importlib.invalidate_caches()
        _forget_namesake(module, base)
        return importlib.import_module(module)
    except (KeyboardInterrupt, AcidtestError):
        raise
    except BaseException as error:
        if isinstance(error, ModuleNotFoundError) and error.name in _prefixes(module):
            raise BadConfig(
                f"there is no module {error.name!r}",
                where=repr(address),
                fix=f"{_near(module, base)}It is looked for in {base.absolute()} and among the "
                "installed packages.",
            ) from error
        raise _failed(error, f"importing {module} failed", address) from error


def _from_file(path: Path, address: str) -> ModuleType:
    if not path.is_file():
        raise BadConfig(
            f"there is no file {path}",
            where=repr(address),
            fix="Relative paths start from the folder of the configuration file, or else from the "
            "working folder.",
        )
    # Two files may share a name; the hash of the path keeps them apart in sys.modules.
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    _on_path(path.parent)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadConfig(f"{path} is no Python file", where=repr(address), fix=FORM)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _made(thing: Any, address: str) -> Any:
    kind = "class" if inspect.isclass(thing) else "factory"
    try:
        required = [
            p.name
            for p in inspect.signature(thing).parameters.values()
            if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        ]
    except (TypeError, ValueError):
        required = []
    if required:
        raise BadConfig(
            f"the class {thing.__name__} needs {', '.join(required)}",
            where=repr(address),
            fix="Make an object of it in the module and name that, or a function without "
            "parameters that returns one.",
        )
    try:
        made = thing()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _failed(error, f"calling the {kind} {thing.__name__}() failed", address) from error
    if inspect.iscoroutine(made):
        made.close()
        raise BadConfig(
            f"the factory {thing.__name__} is async",
            where=repr(address),
            fix="Make it a plain function, or let the pipeline set itself up when first asked.",
        )
    return made


def _takes_nothing(fn: Any) -> bool:
    try:
        return not inspect.signature(fn).parameters
    except (TypeError, ValueError):
        return False


def _failed(error: BaseException, what: str, address: str) -> BadConfig:
    message = one_line(error)
    kind = "sys.exit" if isinstance(error, SystemExit) else type(error).__name__
    where = error_place(error) or repr(address)
    missing = isinstance(error, ModuleNotFoundError) and error.name is not None
    return BadConfig(
        f"{what}: {kind}: {message}" if message else f"{what}: {kind}",
        where=where,
        fix=f"Install {error.name}, or run acidtest with the Python that has it: {sys.executable} "
        "lacks it."
        if missing and isinstance(error, ModuleNotFoundError)
        else None,
    )


def _on_path(folder: Path) -> None:
    entry = str(folder.absolute())
    if sys.path[:1] != [entry]:
        if entry in sys.path:
            sys.path.remove(entry)
        sys.path.insert(0, entry)


def _forget_namesake(module: str, base: Path) -> None:
    # One process may load `my_rag` of one project after `my_rag` of another.
    stem = base.joinpath(*module.split("."))
    own = [p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.is_file()]
    file = getattr(sys.modules.get(module), "__file__", None)
    if own and file and not any(p.samefile(file) for p in own if Path(file).exists()):
        top = module.partition(".")[0]
        for name in [n for n in sys.modules if n == top or n.startswith(f"{top}.")]:
            del sys.modules[name]


def _is_file(module: str) -> bool:
    return module.endswith(".py") or "/" in module or "\\" in module


def _file(module: str, base: Path) -> Path:
    return (base / Path(module).expanduser()).absolute()


def _origin(module: str, base: Path) -> Path | None:
    if _is_file(module):
        return _file(module, base)
    file = getattr(sys.modules.get(module), "__file__", None)
    return Path(file) if file else None


def _prefixes(module: str) -> set[str]:
    parts = module.split(".")
    return {".".join(parts[:n]) for n in range(1, len(parts) + 1)}


def _near(module: str, base: Path) -> str:
    here = [p.stem for p in base.glob("*.py")] + [p.parent.name for p in base.glob("*/__init__.py")]
    hint = suggestion(module, here)
    return f"{hint} " if hint.startswith("Did you mean") else ""


def _told(module: ModuleType) -> str:
    return getattr(module, "__file__", None) or module.__name__


def _of_interest(thing: Any, names: list[str]) -> list[str]:
    # What the module itself made: neither its imports of modules nor names of other packages.
    home = getattr(thing, "__name__", None)
    own = [n for n in names if getattr(getattr(thing, n, None), "__module__", home) == home]
    return [n for n in own if not inspect.ismodule(getattr(thing, n, None))] or names
