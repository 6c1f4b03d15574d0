"""Doing something that nobody else does at the same time, until a transaction ends."""

import hashlib
from typing import Any


def alone(connection: Any, what: str) -> None:
    """Wait until nobody else is at something, and keep others from it until the transaction ends.

    It is for what is decided by rows that are not there, such as that nothing of a kind is open yet: none of
    them can be held. In SQLite one writes at a time anyway.

    Args:
        connection: The transaction's; this comes before anything is read that decides.
        what: A name for it.
    """
    if connection.dialect.name == "postgresql":
        number = int.from_bytes(hashlib.sha256(what.encode()).digest()[:7])
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({number})")
