"""Finding metrics by name."""

import subprocess
import sys
from pathlib import Path

import pytest

from acidtest.errors import UsageError
from acidtest.metrics import registry
from acidtest.metrics.declare import label_metric
from acidtest.metrics.registry import find, known, named


def test_every_metric_is_found_by_its_name_as_among_all():
    assert len(known()) > 30
    for name, metric in known().items():
        assert named(name) is metric
        assert find(name).metric is metric


def test_no_two_files_have_one_name():
    folder = Path(registry.__file__).parent
    stems = [file.stem for file in folder.rglob("*.py") if file.stem != "__init__"]
    assert sorted(stems) == sorted(registry._files())


@pytest.mark.parametrize("name", ["precision_sum", "asking", "recall_x", "", "_", "recal"])
def test_what_is_no_metric_is_none(name):
    assert named(name) is None


ALONE = """
import sys
from acidtest.metrics.registry import find
find("recall@5")
found = {n for n in sys.modules if n.startswith("acidtest.metrics.")}
print(*sorted(n for n in found if n.count(".") == 3))
"""


def test_a_metric_is_imported_without_the_others():
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["acidtest.metrics.retrieval.recall"]


class Point:
    name, value = "mine", "mine:metric"

    def __init__(self, thing):
        self._thing = thing

    def load(self):
        return self._thing


@pytest.fixture
def plugged(monkeypatch):
    def plug(thing):
        monkeypatch.setattr(registry, "entry_points", lambda group: [Point(thing)])
        for cached in (registry.known, registry.named, registry._plugins):
            cached.cache_clear()

    yield plug
    monkeypatch.undo()
    for cached in (registry.known, registry.named, registry._plugins):
        cached.cache_clear()


def test_a_plugin_comes_before_ours_of_its_name(plugged):
    @label_metric()
    def recall(ranked):
        """Return nothing."""
        return ranked.hits(None)

    plugged(recall)
    assert named("recall") is recall
    assert known()["recall"] is recall


def test_a_plugin_that_is_no_metric_is_told(plugged):
    plugged(len)
    with pytest.raises(UsageError, match="'mine' is not a metric"):
        find("recall@5")
