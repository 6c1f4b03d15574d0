"""How a function wants to be called is read from its signature."""

import functools

import pytest

from acidtest.data.golden import Case, Turn
from acidtest.errors import UsageError
from acidtest.pipelines.calls import read_call

CASE = Case(id="q1", question="why?", history=(Turn("user", "hi"),))
HISTORY = [{"role": "user", "content": "hi"}]


def called(fn, *, generates=False, contexts=None, k=None):
    call = read_call(fn, "f()", generates=generates)
    args, named = call.arguments(CASE, contexts=contexts, k=k)
    return fn(*args, **named)


def test_the_first_parameter_gets_the_question_whatever_its_name():
    assert called(lambda anything: anything) == "why?"
    assert called(lambda x, /: x) == "why?"
    assert called(lambda *, q: q) == "why?"
    assert called(lambda *all_of_it: all_of_it) == ("why?",)
    assert called(lambda **named: named) == {"question": "why?"}


def test_the_rest_goes_by_name_where_it_is_taken():
    def f(q, k=3, *, history=None, case=None, contexts=None):
        return q, k, history, case, contexts

    assert called(f, k=5, contexts=["c"]) == ("why?", 5, HISTORY, CASE, ["c"])
    assert called(f) == ("why?", 3, HISTORY, CASE, None)


def test_aliases():
    assert called(lambda q, top_k: (q, top_k), k=2) == ("why?", 2)
    assert called(lambda q, chat_history: chat_history) == HISTORY
    assert called(lambda q, documents: documents, contexts=["c"]) == ["c"]


def test_a_case_alone_is_enough():
    assert called(lambda case: case.id) == "q1"


def test_contexts_may_come_first():
    assert called(lambda contexts, question: (contexts, question), contexts=["c"]) == (
        ["c"],
        "why?",
    )


def test_a_generators_required_second_parameter_takes_the_contexts():
    assert called(lambda q, stuff: stuff, generates=True, contexts=["c"]) == ["c"]
    assert called(lambda q, stuff, /: stuff, generates=True, contexts=["c"]) == ["c"]
    assert called(lambda *args: args, generates=True, contexts=["c"]) == ("why?", ["c"])
    assert called(lambda q, **named: named, generates=True, contexts=["c"]) == {"contexts": ["c"]}


def test_k_is_handed_over_only_when_set_and_taken():
    assert called(lambda q: q, k=5) == "why?"
    assert called(lambda q, **named: named, k=5) == {"k": 5}
    assert called(lambda q, **named: named) == {}


def test_methods_partials_and_decorated_functions():
    class Rag:
        def answer(self, question, k=1):
            return question, k

    def wrapped(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            return fn(*args, **kwargs)

        return inner

    assert called(Rag().answer, k=4) == ("why?", 4)
    assert called(functools.partial(lambda llm, q: (llm, q), "llm")) == ("llm", "why?")
    assert called(wrapped(lambda q, k: (q, k)), k=4) == ("why?", 4)


def test_a_builtin_without_a_signature_gets_the_question():
    assert called(str) == "why?"


def test_what_cannot_be_called_is_refused_early():
    with pytest.raises(UsageError, match=r"p: f\(\): it takes no question"):
        read_call(lambda: 1, "f()", where="p")
    with pytest.raises(UsageError, match=r"p: f\(\): it requires 'llm', 'index'"):
        read_call(lambda q, llm, index: 1, "f()", where="p")


def test_what_it_cannot_do_without_is_known():
    assert read_call(lambda q, contexts: 1, "f()").needs == {"question", "contexts"}
    assert read_call(lambda q, contexts=None: 1, "f()").needs == {"question"}
