import sys

import pytest

from acidtest.errors import MissingExtra, StoreError
from acidtest.store import schema
from acidtest.store.faults import passing


def test_postgres_is_reached_by_psycopg_unless_another_driver_is_named():
    for url in ("postgresql://u:p@h/n", "postgresql+psycopg://u:p@h/n"):
        engine = schema._engine(url)
        assert engine.url.drivername == "postgresql+psycopg"
        engine.dispose()


def test_without_psycopg_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'acidtest\[postgres\]'"):
        schema.connect("postgresql://u:p@h/n")


def test_a_password_is_never_told():
    told = schema.store_error(OSError("gone"), "postgresql://u:geheim@h/n")
    assert "geheim" not in str(told)


class Refused(Exception):
    def __init__(self, sqlstate):
        self.sqlstate = sqlstate
        super().__init__("refused")


@pytest.mark.parametrize(
    ("code", "over_soon"),
    [
        ("53100", True),
        ("57P01", True),
        ("40P01", True),
        ("08006", True),
        ("55P03", True),
        ("42P01", False),
        ("22021", False),
        ("23505", False),
    ],
)
def test_which_faults_of_postgres_pass(code, over_soon):
    assert passing(Refused(code)) == over_soon


@pytest.mark.parametrize(
    ("reason", "over_soon"),
    [("database or disk is full", True), ("database is locked", True), ("disk I/O error", True), ("no such table: spans", False), ("file is not a database", False), ("attempt to write a readonly database", True)],
)  # fmt: skip
def test_which_faults_of_sqlite_pass(reason, over_soon):
    assert passing(OSError(reason)) == over_soon


def test_a_url_of_nothing_known_says_what_to_write():
    with pytest.raises(StoreError, match="postgresql://user@host/name"):
        schema.connect("nothing://x")
