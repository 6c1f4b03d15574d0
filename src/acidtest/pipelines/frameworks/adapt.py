"""An object of a framework to the parts of a pipeline; anything else is left alone."""

import inspect
from collections.abc import Sequence
from typing import Any

from acidtest.errors import UsageError
from acidtest.pipelines.frameworks.kin import (
    NEITHER,
    is_haystack,
    is_langchain,
    is_llamaindex,
    kin_of,
)
from acidtest.pipelines.frameworks.parts import Parts


def adapted(thing: Any, inputs: Sequence[str], where: str) -> Parts | None:
    """Return the parts of a framework's object; None for anything else.

    Args:
        thing: What was handed over as a pipeline.
        inputs: Under which names it takes the question; empty to find out.
        where: The pipeline, for messages.

    Raises:
        UsageError: It is of a framework, but no pipeline or of unclear inputs; or `inputs` are given
            for something else.
    """
    parts = (
        None
        if inspect.isclass(thing) or inspect.isroutine(thing)
        else _of_framework(thing, inputs, where)
    )
    if parts is None and inputs:
        raise UsageError(
            f"inputs are {', '.join(map(repr, inputs))}, but it is no object of a framework",
            where=where,
            fix="The first parameter of a function gets the question: leave inputs out.",
        )
    return parts


def _of_framework(thing: Any, inputs: Sequence[str], where: str) -> Parts | None:
    kin = kin_of(thing)
    if is_langchain(kin):
        from acidtest.pipelines.frameworks.langchain import langchain_parts

        return langchain_parts(thing, kin, inputs, where)
    if is_llamaindex(kin):
        from acidtest.pipelines.frameworks.llamaindex import llamaindex_parts

        return llamaindex_parts(thing, kin, inputs, where)
    if is_haystack(thing, kin):
        from acidtest.pipelines.frameworks.haystack import haystack_parts

        return haystack_parts(thing, kin, inputs, where)
    fix = next((said for name, said in NEITHER.items() if name in kin), None)
    if fix is not None:
        raise UsageError(f"{type(thing).__name__} does not answer questions", where=where, fix=fix)
    return None
