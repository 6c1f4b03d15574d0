"""Tracebacks of pipelines: trimmed, bounded, and pointing at the user's line."""

import json

import pytest

from acidtest.pipelines.trace import MAX_DETAIL, error_place, last_line, one_line, raised, trimmed


def caught(fn):
    try:
        fn()
    except BaseException as error:  # noqa: BLE001
        return error
    raise AssertionError


def test_the_line_is_the_users_even_when_a_library_raised():
    error = caught(lambda: json.loads("{"))
    assert "test_trace.py:" in last_line(error)
    assert "json" in trimmed(error)


def test_an_error_without_frames_has_no_line():
    assert last_line(ValueError("x")) is None
    assert str(raised(ValueError("x"), "f()", where="p")) == "p: f() raised ValueError: x"


def test_a_syntax_error_is_placed_where_the_syntax_is_wrong(tmp_path):
    error = caught(lambda: compile("x = 1\ndef f(:\n", str(tmp_path / "bad.py"), "exec"))
    assert error_place(error) == f"{tmp_path / 'bad.py'}:2"


def test_a_chain_of_causes_is_told_and_bounded():
    def chain(n):
        try:
            if n:
                chain(n - 1)
            {}["first"]
        except Exception as error:
            raise ValueError("x" * 500) from error

    text = trimmed(caught(lambda: chain(60)))
    assert "direct cause" in text
    assert len(text) < MAX_DETAIL + 100
    assert text.rstrip().endswith("x" * 100)


def test_a_loop_of_causes_ends():
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    assert "ValueError: first" in trimmed(first)


def test_half_surrogate_pairs_are_replaced():
    def raises():
        raise ValueError("a\ud800b")

    error = raised(caught(raises), "f()", where="p")
    for text in (str(error), error.detail, one_line(ValueError("a\udfffb"))):
        assert "a\ufffdb" in text
        text.encode()


def test_no_file_of_acidtest_is_where_a_user_errs():
    from acidtest.codec.rows.jsontext import parse

    with pytest.raises(TypeError) as caught:
        parse(None)
    place = last_line(caught.value)
    assert "test_trace.py:" in place
    assert "acidtest/codec" not in trimmed(caught.value).replace("\\", "/")
