"""Sessions that have nothing to do with acidtest are left alone."""

import re
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

pytest_plugins = ["pytester"]

PLAIN = """
    import sys, pytest
    @pytest.fixture
    def golden(): return "mine"
    @pytest.fixture
    def broken(): raise ValueError("in a fixture")
    def test_passes(golden): assert golden == "mine"
    def test_fails(): assert 1 == 2
    def test_errors(broken): pass
    @pytest.mark.parametrize("n", [1, 2])
    def test_skips(n): pytest.skip("why")
    def test_nothing_was_loaded():
        ours = {n for n in sys.modules if n.split(".")[0] == "acidtest"}
        assert ours <= {"acidtest", "acidtest.pytest_plugin"}
"""


OTHERS = ("faker", "langsmith_plugin", "anyio", "hypothesispytest", "socket", "asyncio", "randomly")
"""What else is installed takes seconds to load, and is not what is looked at."""


def told(result: pytest.RunResult) -> list[str]:
    """What was printed, without times and pytest's own list of what is installed."""
    lines = [*result.outlines, *result.errlines]
    plain = [re.sub(r"\d+\.\d+s", "TIME", line).strip("=") for line in lines]
    return [line for line in plain if not line.startswith("plugins: ")]


def unordered(lines: list[str]) -> list[str]:
    """The same of a session whose workers report in any order: which of them did what is left out."""
    lines = [re.sub(r"\bgw\d", "gw", line) for line in lines]
    return sorted("".join(sorted(line)) if "[100%]" in line else line for line in lines)


def test_the_plugin_is_installed_under_its_name():
    (ours,) = [e for e in entry_points(group="pytest11") if e.name == "acidtest"]
    assert ours.value == "acidtest.pytest_plugin"


@pytest.mark.parametrize("options", [(), ("-W", "error", "-v", "-rA"), ("-n", "2", "-q")])
def test_a_plain_session_prints_the_same_with_and_without(options, pytester, monkeypatch):
    pytester.makepyfile(PLAIN)
    left_out = [each for name in (*OTHERS, "cacheprovider") for each in ("-p", f"no:{name}")]
    options = (*left_out, *options)
    with_it = pytester.runpytest_subprocess(*options)
    with_it.assert_outcomes(passed=2, failed=1, errors=1, skipped=2)
    without = pytester.runpytest_subprocess("-p", "no:acidtest", *options)
    if "-n" in options:
        assert unordered(told(with_it)) == unordered(told(without))
    else:
        assert told(with_it) == told(without)
    assert not (pytester.path / ".acidtest").exists()


def test_another_plugins_fixture_golden_stays_theirs(project, session):
    project.makepyfile(
        theirs="""
            import pytest
            @pytest.fixture
            def golden(request): return "theirs"
        """,
        test_both="""
            def test_theirs(golden): assert golden == "theirs"
            def test_ours(acidtest_golden, acidtest_run): assert len(acidtest_golden) == 2
        """,
    )
    project.syspathinsert()
    session("-p", "theirs").assert_outcomes(passed=2)


def test_who_imports_the_package_before_pytest_is_not_warned(pytester, monkeypatch):
    """pytest marks the packages of all plugins in this way when they are installed from a wheel."""
    pytester.makeconftest("import acidtest, pytest\npytest.register_assert_rewrite('acidtest')")
    pytester.makepyfile("def test_one(): pass")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    assert "PytestAssertRewriteWarning" not in result.stdout.str()


LOADED = """
import sys, pytest
before = set(sys.modules)
import acidtest.pytest_plugin
print(*sorted(set(sys.modules) - before))
"""


def test_the_plugin_imports_pytest_and_nothing_of_ours_or_heavy():
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["acidtest", "acidtest.pytest_plugin"]
