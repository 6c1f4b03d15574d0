"""Optional dependencies: imported where they are used, with the install command when absent."""

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

from acidtest.errors import MissingExtra


def need(module: str, *, extra: str | None = None, install: str | None = None) -> ModuleType:
    """Import an optional module.

    Args:
        module: The module's import name, such as "polars".
        extra: The extra of acidtest that installs it, such as "tables".
        install: What to install where no extra brings it.

    Returns:
        The module.

    Raises:
        MissingExtra: The module is not installed; the message has the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise _missing(module, extra, install) from error


def folder(module: str, *, extra: str | None = None, install: str | None = None) -> Path:
    """Return where an optional package keeps its files, without importing it.

    Args:
        module: As for `need`.
        extra: As for `need`.
        install: As for `need`.

    Raises:
        MissingExtra: The package is not installed; the message has the command that installs it.
    """
    found = importlib.util.find_spec(module)
    places = found.submodule_search_locations if found else None
    if not places:
        raise _missing(module, extra, install)
    return Path(next(iter(places)))


def present(module: str) -> bool:
    """Say whether an optional module is installed, without importing it."""
    return importlib.util.find_spec(module) is not None


def _missing(module: str, extra: str | None, install: str | None) -> MissingExtra:
    package = f"'acidtest[{extra}]'" if extra else install
    return MissingExtra(
        f"this needs the package {module!r}, which is not installed",
        fix=f"Install it with: pip install {package}",
    )
