"""One test a case, whatever its id holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acidtest.data.golden import Case
from acidtest.pytest_plugin import cases

pytest_plugins = ["pytester"]


def names(*ids):
    return cases.test_ids([Case(id=i, question="q") for i in ids])


def test_plain_ids_stay_and_others_are_told_apart():
    assert names("c12", "refunds#2", "a-b_c.d") == ["c12", "refunds#2", "a-b_c.d"]
    first, second = names("a b", "a/b")
    assert first.startswith("a_b-")
    assert second.startswith("a_b-")
    assert first != second
    assert names("a b") == [first]


@given(st.lists(st.text(st.characters(codec=None)), unique=True, max_size=5))
def test_whatever_an_id_holds_the_name_is_short_unique_and_harmless(ids):
    made = names(*ids)
    assert len(set(made)) == len(ids)
    for name in made:
        assert 0 < len(name) <= 69
        assert not set(name) & set(":[]/\\'\"`$;&|<>*?! \t\n\r\0\x1b@")
        assert "".join(name.split()) == name
        name.encode()


def test_a_test_for_each_case_by_its_id(project, session):
    (project.path / "golden.jsonl").write_text(
        '{"id": "pro", "question": "What does Pro cost?", "relevant": ["pricing#2"], "tags": ["price"]}\n'
        '{"id": "a::b[1]/\\u0000\\u001b[31m é", "question": "When?", "relevant": ["refunds#0"]}\n'
    )
    project.makepyfile(
        """
        import pytest
        def test_case(acidtest_case, acidtest_result):
            assert acidtest_case.question == acidtest_result.question
            assert acidtest_result.scores["recall@1"].value == 1.0
        @pytest.mark.acidtest_cases(tags=["price"])
        def test_price(acidtest_case):
            assert acidtest_case.id == "pro"
        """
    )
    result = session("-v")
    result.assert_outcomes(passed=2, failed=1)
    passed, failed = (
        next(
            line.split()[0] for line in result.outlines if line.startswith("test_") and word in line
        )
        for word in ("PASSED", "FAILED")
    )
    assert passed.endswith("::test_case[pro]")
    again = session(failed)
    again.assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def test_case(acidtest_case): pass", "*golden.jsonl:1: *qestion*"),
        (
            "import pytest\n@pytest.mark.acidtest_cases(tag='x')\ndef test_case(acidtest_case): pass",
            "*the marker acidtest_cases does not take tag. It takes by name: golden, tags, limit.",
        ),
        (
            "import pytest\n@pytest.mark.acidtest_cases(limit=1)\ndef test_case(): pass",
            "*the marker acidtest_cases is on a test that takes no case. Take acidtest_case or *",
        ),
    ],
)
def test_wrong_sets_and_markers_are_errors_of_the_file(text, message, project, session):
    (project.path / "golden.jsonl").write_text('{"id": "b", "qestion": "q"}\n')
    project.makepyfile(text)
    result = session()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"acidtest: {message}"])
    assert "Traceback" not in result.stdout.str()
    assert result.ret == pytest.ExitCode.INTERRUPTED


def test_cases_that_the_run_does_not_have(project, session):
    project.makepyfile(
        """
        import pytest
        @pytest.mark.acidtest_cases(golden=[{"id": "new", "question": "q?"}])
        def test_case(acidtest_result): pass
        """
    )
    result = session()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["acidtest: the run 'rag' has no case 'new' with this question.*"])
