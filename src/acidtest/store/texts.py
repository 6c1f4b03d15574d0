"""Texts that no database takes, mended on their way there: what is looked for may hold anything.

A name on the command line or in an address may be no UTF-8; drivers raise on it what is no error of a
database. Rows are mended before (`storable`); this is for what queries compare with.
"""

from typing import Any

from sqlalchemy import Engine, event

from acidtest.text.surrogates import without_halves


def mend_texts(engine: Engine) -> None:
    """Have halves of surrogate pairs replaced in all that is sent to a database; for PostgreSQL, NUL too."""
    nul = engine.dialect.name == "postgresql"

    @event.listens_for(engine, "before_cursor_execute", retval=True)
    def mend(
        _connection: Any,
        _cursor: Any,
        statement: str,
        given: Any,
        _context: Any,
        several: bool,  # noqa: FBT001 - as SQLAlchemy calls it
    ) -> tuple[str, Any]:
        if several:
            return statement, [_mended(each, nul=nul) for each in given]
        return statement, _mended(given, nul=nul)


def _mended(given: Any, *, nul: bool) -> Any:
    values = given.values() if isinstance(given, dict) else given
    if not any(isinstance(value, str) and _odd(value, nul=nul) for value in values):
        return given
    if isinstance(given, dict):
        return {key: _text(value, nul=nul) for key, value in given.items()}
    return tuple(_text(value, nul=nul) for value in given)


def _odd(text: str, *, nul: bool) -> bool:
    if nul and "\0" in text:
        return True
    return not text.isascii() and without_halves(text) is not text


def _text(value: Any, *, nul: bool) -> Any:
    if not isinstance(value, str):
        return value
    text = without_halves(value)
    return text.replace("\0", "\ufffd") if nul else text
