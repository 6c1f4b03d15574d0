"""Spans written short: an id, the id above it, milliseconds, attributes."""

from collections.abc import Callable
from typing import Any

import pytest

from acidtest.data.spans import Span

BEGAN = 1_700_000_000_000_000_000


def made(
    span_id: str,
    above: str | None,
    start_ms: int,
    end_ms: int,
    attributes: dict[str, Any] | None = None,
    **more: Any,
) -> Span:
    return Span(
        trace_id="0af7651916cd43dd8448eb211c80319c",
        span_id=span_id,
        parent_id=above,
        name=more.pop("name", span_id),
        start_ns=BEGAN + start_ms * 1_000_000,
        end_ns=BEGAN + end_ms * 1_000_000,
        attributes=attributes or {},
        **more,
    )


@pytest.fixture
def span() -> Callable[..., Span]:
    return made
