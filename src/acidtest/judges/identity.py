"""What tells two judges of one's own apart: their code, and the values that they were made with.

Two closures of one function, or two objects of one class, have the same code and may still call different
models. What they were made with is part of what they are: arguments of a `partial`, values that a function
closed over, its defaults, attributes of an object. Only plain values count, since nothing else says the same
in the next process; what the code itself sets while it is asked (a counter) does not, and lists and
dictionaries do not, since they may be logs. Nor do keys: with another key it is the same judge.
"""

import dis
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from msgspec import Struct

from acidtest.codec.json import content_hash

_DEPTH = 4
_KEYS = re.compile(r"secret|passw|credential|(?:^|_)(?:key|token)$", re.IGNORECASE)
_PLAIN = (str, int, float, bool, bytes, type(None))


def name_of(thing: Any) -> str:
    """Return the name of a callable or object: its own, or its class's."""
    kind = _coded(thing)
    return f"{getattr(kind, '__module__', None) or 'builtins'}.{kind.__qualname__}"


def identity_of(thing: Any, version: str) -> str:
    """Return what is known of a callable or object, and the version given."""
    values = made_with(thing)
    code = f"{version}\n{_code(thing)}"
    return f"{code}\n{content_hash(values)}" if values else code


def made_with(thing: Any, depth: int = _DEPTH) -> dict[str, Any]:
    """Return the plain values that a callable or object was made with, by where they stand."""
    return dict(_values(thing, depth)) if depth else {}


def _values(thing: Any, depth: int) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, partial):
        yield from _named("partial", dict(enumerate(thing.args)) | thing.keywords, depth)
        yield from _values(thing.func, depth)
    elif inspect.ismethod(thing):
        yield from _values(thing.__self__, depth)
        yield from _values(thing.__func__, depth)
    elif isinstance(thing, FunctionType):
        yield from _named("default", dict(enumerate(thing.__defaults__ or ())), depth)
        yield from _named("default", thing.__kwdefaults__ or {}, depth)
        yield from _named("closure", _closed_over(thing), depth)
    elif not inspect.isroutine(thing) and not isinstance(thing, type):
        yield from _named("attribute", _attributes(thing), depth)


def _named(where: str, values: Mapping[Any, Any], depth: int) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        told, plain = _plain(value, depth)
        if told and not _KEYS.search(str(name)):
            yield f"{where} {name}", plain


def _plain(value: Any, depth: int) -> tuple[bool, Any]:
    """Return whether a value says the same in every process, and what it says."""
    if isinstance(value, _PLAIN):
        return True, [type(value).__name__, value if not isinstance(value, float) else repr(value)]
    if isinstance(value, tuple | frozenset):
        items = [_plain(item, depth) for item in value]
        said = [plain for told, plain in items if told]
        return True, said if isinstance(value, tuple) else sorted(map(str, said))
    if isinstance(value, partial | FunctionType) or inspect.ismethod(value):
        return True, [_code(value), made_with(value, depth - 1)]
    if isinstance(value, Struct) or hasattr(type(value), "__dataclass_fields__"):
        return True, [name_of(value), made_with(value, depth - 1)]
    return False, None


def _closed_over(function: FunctionType) -> dict[str, Any]:
    held: dict[str, Any] = {}
    changed = _set_by(function.__code__, "STORE_DEREF")
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            held[name] = cell.cell_contents
        except ValueError:
            continue  # it is not set yet
    return {name: value for name, value in held.items() if name not in changed}


def _attributes(thing: Any) -> dict[str, Any]:
    kinds = type(thing).__mro__[:-1]
    slots = [name for kind in kinds for name in _slots(kind)]
    held = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    held |= getattr(thing, "__dict__", {})
    changed = {
        name
        for kind in kinds
        for method in vars(kind).values()
        if isinstance(method, FunctionType) and method.__name__ != "__init__"
        for name in _set_by(method.__code__, "STORE_ATTR")
    }
    return {name: value for name, value in held.items() if name not in changed}


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _set_by(code: CodeType, operation: str) -> set[str]:
    """Return the names that a code sets, inner functions included."""
    found = {str(each.argval) for each in dis.get_instructions(code) if each.opname == operation}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _set_by(constant, operation)
    return found


def _code(thing: Any) -> str:
    """Return the source, or the name where the source cannot be read."""
    try:
        return inspect.getsource(_coded(thing))
    except (OSError, TypeError):
        return name_of(thing)


def _coded(thing: Any) -> Any:
    """Return what has a name and a source: the function, or the object's class."""
    while isinstance(thing, partial):
        thing = thing.func
    return thing if inspect.isroutine(thing) else type(thing)
