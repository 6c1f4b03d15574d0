"""A hash of what is known of a Python pipeline: its name, its code, its k.

The code is the text of the file that defines it (helpers and constants beside it count too), else
what `inspect` can show, else the compiled code. Modules that it imports are not followed. Paths and
addresses are left out: it is the same in every process and on every machine.
"""

import functools
import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from acidtest.codec.json import content_hash

_MAX_SOURCE = 4_000_000


def fingerprint(
    thing: Any,
    *,
    name: str,
    k: int | None,
    inputs: Sequence[str] = (),
    origin: Path | None = None,
) -> str:
    """Return the hash of a pipeline.

    Args:
        thing: The function or object.
        name: The pipeline's name.
        k: What it is asked for, if configured.
        inputs: Under which names it takes the question, if configured.
        origin: The file that it was loaded from, where it is known: an object's class may be
            defined elsewhere than the object is made.
    """
    while isinstance(thing, functools.partial | functools.partialmethod):
        thing = thing.func
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    files = {text for text in map(_text, filter(None, (_file(named), origin))) if text}
    return content_hash(
        {
            "kind": "python",
            "name": name,
            "qualname": getattr(named, "__qualname__", type(thing).__qualname__),
            "code": sorted(files) or list(_code(named)),
            "k": k,
            **({"inputs": list(inputs)} if inputs else {}),
        }
    )


def _file(named: Any) -> Path | None:
    try:
        found = inspect.getsourcefile(named)
    except (TypeError, OSError):
        return None
    return Path(found) if found else None


def _text(path: Path) -> str | None:
    try:
        with path.open("rb") as stream:
            return stream.read(_MAX_SOURCE).decode("utf-8", "replace")
    except OSError:
        return None


def _code(named: Any) -> Iterable[str]:
    try:
        yield inspect.getsource(named)
    except (TypeError, OSError):
        code = getattr(named, "__code__", None)
        if code is not None:
            yield code.co_code.hex()
            yield repr(code.co_names)
            yield repr([c for c in code.co_consts if isinstance(c, str | int | float)])
