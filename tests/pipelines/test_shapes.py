"""Which parts a pipeline has, and what each mode does with them: one table."""

import pytest

from acidtest.errors import UsageError
from acidtest.pipelines.shapes import shape_of


def retrieve(self, q):
    return []


def candidates(self, q):
    return []


def answer(self, q):
    return ""


def answer_from(self, q, contexts=None):
    return ""


def answer_only_from(self, q, contexts):
    return ""


def make(**methods):
    return type("Made", (), methods)()


# parts -> how live mode goes, what golden-context calls, whether retrieval-only is possible
TABLE = [
    (make(retrieve=retrieve, answer=answer), "answer()", None, True),
    (make(retrieve=retrieve, answer=answer_from), "retrieve() answer()", "answer()", True),
    (make(retrieve=retrieve, answer=answer_only_from), "retrieve() answer()", "answer()", True),
    (
        make(retrieve=retrieve, generate=answer_only_from),
        "retrieve() generate()",
        "generate()",
        True,
    ),
    (make(retrieve=retrieve, generate=answer), "generate()", None, True),
    (
        make(retrieve=retrieve, answer=answer, generate=answer_only_from),
        "answer()",
        "generate()",
        True,
    ),
    (make(retrieve=retrieve, respond=answer, answer=answer), "respond()", None, True),
    (make(respond=answer), "respond()", None, False),
    (make(respond=answer_from), "respond()", "respond()", False),
    (make(answer=answer_from), "answer()", "answer()", False),
    (make(generate=answer_only_from), None, "generate()", False),
    (make(retrieve=retrieve), None, None, True),
    (make(__call__=answer), "Made()", None, False),
    (make(__call__=answer_from, retrieve=retrieve), "retrieve() Made()", "Made()", True),
    (lambda q: "", "<lambda>()", None, False),
    (lambda q, contexts=None: "", "<lambda>()", "<lambda>()", False),
    (lambda q, contexts: "", None, "<lambda>()", False),
]


@pytest.mark.parametrize(("thing", "live", "golden", "retrieval"), TABLE)
def test_the_table(thing, live, golden, retrieval):
    shape = shape_of(thing, "p")
    if shape.by_parts:
        goes = f"{shape.retriever.label} {shape.generator.label}"
    else:
        goes = shape.whole.label if shape.whole else None
    assert goes == live
    assert (shape.generator.label if shape.generator else None) == golden
    assert (shape.refuses("live") is None) == (live is not None)
    assert (shape.refuses("golden-context") is None) == (golden is not None)
    assert (shape.refuses("retrieval-only") is None) == retrieval


def test_plain_functions_are_known_by_their_names():
    def retrieve_hybrid(q):
        return []

    def generate(q, found):
        return ""

    assert shape_of(retrieve_hybrid, "p").retriever.label == "retrieve_hybrid()"
    assert shape_of(generate, "p").generator.label == "generate()"


def test_a_module_is_an_object_with_functions(tmp_path, monkeypatch):
    (tmp_path / "module_rag.py").write_text(
        "def retrieve(q): return []\ndef answer(q): return ''\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import module_rag

    assert shape_of(module_rag, "p").whole.label == "answer()"


@pytest.mark.parametrize("thing", [None, 3, "my_rag:pipeline", {}, make(candidates=candidates)])
def test_no_pipeline_is_refused(thing):
    with pytest.raises(UsageError, match="is no pipeline"):
        shape_of(thing, "p")


def test_a_class_is_refused_with_what_to_do():
    with pytest.raises(UsageError, match=r"Rag is a class\. Make one: Rag\(\.\.\.\)"):
        shape_of(type("Rag", (), {"answer": answer}), "p")


def test_every_refusal_says_what_to_do():
    only_retrieves = shape_of(make(retrieve=retrieve), "p")
    assert "retrieval-only" in only_retrieves.refuses("live")
    only_generates = shape_of(make(generate=answer_only_from), "p")
    assert "golden-context" in only_generates.refuses("live")
    assert "generate(question, contexts)" in only_retrieves.refuses("golden-context")
    assert "must not generate" in only_generates.refuses("retrieval-only")
