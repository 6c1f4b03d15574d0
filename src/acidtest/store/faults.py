"""Which faults of a database pass by themselves: worth another try, by whoever still has the data."""

_SQLITE = ("full", "locked", "busy", "disk i/o error", "unable to open", "readonly database")

_CLASSES = ("08", "40", "53", "57")
"""SQLSTATE: connection, rollback (deadlock), resources (disk full, memory), operator (shutting down)."""

_CODES = ("55P03", "25006", "42501")
"""A lock; a server or transaction that only reads, as while it is switched over; rights that may be given back."""


_COLLIDED = ("40P01", "40001")
"""A deadlock, and a transaction that cannot be put in order with others: what it did is undone."""


def collided(error: BaseException) -> bool:
    """Say whether a transaction was given up since another one wanted the same: it is to be done again."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) in _COLLIDED


def passing(error: Exception) -> bool:
    """Say whether a database error may be over soon."""
    origin = getattr(error, "orig", None) or error
    code = getattr(origin, "sqlstate", None)
    if code is not None:
        return code[:2] in _CLASSES or code in _CODES
    if type(origin).__module__.startswith("psycopg"):
        # Without a code it never reached the server, or lost it.
        return type(origin).__name__ == "OperationalError"
    reason = str(origin).lower()
    return any(words in reason for words in _SQLITE)
