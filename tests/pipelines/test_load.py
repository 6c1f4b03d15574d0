"""Pipelines by address, and every way an address can be wrong."""

import sys

import pytest

from acidtest.data.golden import Case
from acidtest.errors import AcidtestError, BadConfig, UnknownName
from acidtest.pipelines.load import load_object, load_pipeline

GOOD = """
import json
class Rag:
    def answer(self, q):
        import neighbour_of_good
        return neighbour_of_good.SAID
class Needs:
    def __init__(self, llm, index=None): ...
class Breaks:
    def __init__(self):
        raise LookupError("no index")
def build(): return Rag()
async def build_async(): return Rag()
def build_badly():
    return json.loads("{")
def with_options(q, k=3): return q
rag = Rag()
"""


@pytest.fixture
def base(tmp_path, monkeypatch):
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "neighbour_of_good.py").write_text("SAID = 'from next door'")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "inner.py").write_text("def rag(q): return q")
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.mark.parametrize("module", ["good", "good.py", "./good.py"])
@pytest.mark.parametrize("name", ["rag", "Rag", "build"])
async def test_objects_classes_and_factories(base, module, name):
    pipeline = load_pipeline(f"{module}:{name}", base=base, name="x")
    answer = await pipeline.ask(Case(id="1", question="q"))
    assert (pipeline.name, answer.text) == ("x", "from next door")


def test_dotted_objects_and_modules(base):
    assert load_object("good:rag.answer", base=base)("q") == "from next door"
    assert load_object("package.inner:rag", base=base)("q") == "q"
    assert load_object(f"{base}/package/inner.py:rag", base=base / "package")("q") == "q"


def test_a_function_of_the_question_is_not_called(base):
    assert load_object("good:with_options", base=base)("q") == "q"


def test_a_file_is_imported_once(base):
    (base / "counted.py").write_text("MADE = []\nMADE.append(1)\na = MADE\nb = MADE")
    assert load_object("counted.py:a", base=base) is load_object("./counted.py:b", base=base)


def test_the_same_name_in_two_projects_is_two_modules(base):
    for said in ("one", "two"):
        (base / said).mkdir()
        (base / said / "same_name.py").write_text(f"def rag(q): return {said!r}")
    said = [load_object("same_name:rag", base=base / p)("q") for p in ("one", "two", "one")]
    assert said == ["one", "two", "one"]


BROKEN = {
    "missing": ("x = 1\n\nimport no_such_package_at_all\n", 3, "No module named"),
    "raises": ("def f():\n    raise ValueError('boo')\nf()\n", 2, "ValueError: boo"),
    "library": ("import json\njson.loads('{')\n", 2, "JSONDecodeError"),
    "syntax": ("x = 1\ndef f(:\n", 2, "SyntaxError"),
    "exits": ("import sys\n\n\nsys.exit(3)\n", 4, "sys.exit: 3"),
    "asserts": ("assert False\n", 1, "AssertionError"),
}


@pytest.mark.parametrize("suffix", ["", ".py"])
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_import_names_the_line(base, name, suffix):
    code, line, said = BROKEN[name]
    (base / f"{name}_broken.py").write_text(code)
    with pytest.raises(BadConfig) as caught:
        load_object(f"{name}_broken{suffix}:rag", base=base)
    assert str(caught.value).startswith(f"{base / name}_broken.py:{line}: importing {name}_broken")
    assert said in str(caught.value)
    assert caught.value.__cause__ is not None
    assert caught.value.exit_status == 2


def test_a_missing_package_says_which_python_lacks_it(base):
    (base / "lacks.py").write_text("import no_such_package_at_all")
    with pytest.raises(BadConfig, match="Install no_such_package_at_all, or") as caught:
        load_object("lacks:rag", base=base)
    assert sys.executable in str(caught.value)


@pytest.mark.parametrize(
    ("address", "kind", "said"),
    [
        ("good:ragg", UnknownName, "unknown object 'ragg'. Did you mean 'rag'?"),
        ("good.py:zzzzzz", UnknownName, "Known: Breaks, Needs, Rag, build"),
        ("good:rag.anser", UnknownName, "Did you mean 'answer'?"),
        ("goood:rag", BadConfig, "there is no module 'goood'. Did you mean 'good'?"),
        ("nothing_of_the_kind:rag", BadConfig, "It is looked for in"),
        ("package.other:rag", BadConfig, "there is no module 'package.other'"),
        ("nofile.py:rag", BadConfig, "there is no file"),
        ("good.txt/:rag", BadConfig, "there is no file"),
        ("good", BadConfig, "'good' is no address of an object. Write module:object"),
        ("good:", BadConfig, "is no address"),
        (":rag", BadConfig, "is no address"),
        ("good:a b", BadConfig, "is no address"),
        ("good:Needs", BadConfig, "the class Needs needs llm"),
        ("good:Breaks", BadConfig, "calling the class Breaks() failed: LookupError: no index"),
        (
            "good:build_badly",
            BadConfig,
            "calling the factory build_badly() failed: JSONDecodeError",
        ),
        ("good:build_async", BadConfig, "the factory build_async is async"),
    ],
)
def test_a_wrong_address_says_what_is_wrong(base, address, kind, said):
    with pytest.raises(kind) as caught:
        load_object(address, base=base)
    assert said in str(caught.value)


def test_a_text_file_is_no_module(base):
    (base / "notes.txt").write_text("x")
    with pytest.raises(BadConfig, match="is no Python file"):
        load_object("./notes.txt:rag", base=base)


def test_an_object_that_is_no_pipeline(base):
    (base / "numbers_only.py").write_text("answer = 42")
    with pytest.raises(AcidtestError, match="int is no pipeline"):
        load_pipeline("numbers_only:answer", base=base)


def test_an_interrupt_while_importing_goes_through(base):
    (base / "interrupted.py").write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load_object("interrupted:rag", base=base)
