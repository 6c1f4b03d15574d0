"""A reply's schema in what providers enforce."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from acidtest.judges.dialect import encoded, limited
from acidtest.judges.schema import schema
from acidtest.ports import Prompt


class Claim(Struct):
    format: str
    verdict: Literal["supported", "minItems"]
    score: Annotated[float, Meta(ge=0, le=1)]


class Sentences(Struct):
    sentences: list[Claim]


class Plain(Struct):
    why: str


SCHEMA = schema(
    Prompt(name="x", version="1", template="", reply=Sentences), {"sentences": ["a", "b"]}
)


def test_strict_is_the_schema_itself():
    assert msgspec.json.decode(encoded(SCHEMA, "strict")) == SCHEMA
    assert SCHEMA["properties"]["sentences"]["minItems"] == 2


@pytest.mark.parametrize("dialect", ["bare", "open"])
def test_limits_are_left_out_and_nothing_else(dialect):
    made = msgspec.json.decode(encoded(SCHEMA, dialect))
    claims = made["properties"]["sentences"]
    assert "minItems" not in claims
    claim = claims["items"]
    assert set(claim["properties"]) == {"format", "verdict", "score"}  # "format" is a member here
    assert claim["properties"]["verdict"]["enum"] == ["minItems", "supported"]
    assert claim["properties"]["score"] == {"type": "number"}
    assert claim["required"] == ["format", "verdict", "score"]
    assert ("additionalProperties" in claim) == (dialect == "bare")


def test_whether_there_are_limits():
    assert limited(SCHEMA)
    assert not limited(schema(Prompt(name="x", version="1", template="", reply=Plain), {}))
