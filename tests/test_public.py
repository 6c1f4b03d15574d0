import ast
import importlib
import inspect
from pathlib import Path

import pytest

import acidtest as at
from acidtest.errors import AcidtestError
from acidtest.metrics.registry import known

IMPORTED = {
    alias.asname: node.module.removeprefix("acidtest.")
    for node in ast.walk(ast.parse(Path(at.__file__).read_text()))
    if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("acidtest.")
    for alias in node.names
}


def test_what_type_checkers_see_is_what_there_is():
    assert IMPORTED == at._PUBLIC


@pytest.mark.parametrize("name", sorted(IMPORTED))
def test_every_public_name_is_there_and_explained(name):
    value = getattr(at, name)
    assert value is getattr(importlib.import_module(f"acidtest.{IMPORTED[name]}"), name)
    assert getattr(value, "doc", None) or inspect.getdoc(value)


def test_every_metric_is_a_public_name():
    assert {metric.name for metric in known().values()} <= set(IMPORTED)


def test_unknown_names():
    with pytest.raises(AttributeError, match="no attribute 'evaluat'"):
        at.evaluat  # noqa: B018
    assert "evaluate" in dir(at)


def test_errors_travel_between_processes():
    import pickle

    from acidtest import errors

    made = [
        errors.UnknownName("metric", "recal", ["recall"], where="here"),
        errors.BadGolden("what", where="file:3", fix="Mend it."),
        errors.PipelineError("threw", detail="trace"),
    ]
    for error in made:
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own, just made
        assert str(again) == str(error)
        assert isinstance(again, AcidtestError)
