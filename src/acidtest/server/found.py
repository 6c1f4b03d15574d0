"""Finding the handlers of pages and of the JSON interface: every module of a package has `routes`."""

import importlib
import pkgutil
from types import ModuleType
from typing import Any, NamedTuple


class MenuItem(NamedTuple):
    """A line of the navigation."""

    label: str
    path: str
    order: int


class Found(NamedTuple):
    """What the modules of a package bring."""

    routes: list[Any]
    menu: list[MenuItem]


def found_in(package: ModuleType) -> Found:
    """Import the modules of a package, and return their handlers and lines of the navigation."""
    routes: list[Any] = []
    menu: list[MenuItem] = []
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        routes.extend(module.routes)
        if hasattr(module, "menu"):
            menu.append(MenuItem(*module.menu))
    return Found(routes, sorted(menu, key=lambda item: item.order))
