"""The pytest plugin: runs, golden sets and cases as fixtures, and a gate that fails a test readably.

It is loaded in every session of everybody who has this package installed, so this file imports pytest
and nothing else; what does the work is loaded when a test asks for it. Types that older pytests do not
have are named in quotes: their sessions are not to fail either.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from acidtest.comparison.decide import Stale
    from acidtest.comparison.floors import Floor
    from acidtest.comparison.limits import Drop
    from acidtest.data.gate import Gate, GateMode
    from acidtest.data.golden import Case
    from acidtest.data.runs import CaseResult, Run
    from acidtest.pytest_plugin.session import Baseline, Session

__all__ = ["assert_gate"]

_SESSION: "pytest.StashKey[Session]" = pytest.StashKey()
_WORKERS: "pytest.StashKey[str]" = pytest.StashKey()
_ACTIVE: list[pytest.Config] = []  # a stack: tests of plugins run pytest inside pytest
_GOLDEN = "acidtest_golden_alias"


def assert_gate(
    run: "Run",
    *,
    baseline: "Baseline | None" = None,
    min: Mapping[str, float] | None = None,  # noqa: A002 - the name that the gate has, too
    max_drop: "Drop | Mapping[str, Drop] | None" = None,
    mode: "GateMode | None" = None,
    stale: "Stale | None" = None,
    floor_on: "Floor | None" = None,
    allow_inconclusive: bool = False,
) -> "Gate":
    """Fail the test unless a run may be released; say which metric, by how much, and the worst cases.

    Args:
        run: The candidate.
        baseline: What it is held against: a run, or a RUN as on the command line (file, id, name,
            `latest`); by default that of `--acidtest-baseline`.
        min: The least value of each; see `acidtest.gate`.
        max_drop: How much worse than the baseline each may be. Without `min` and `max_drop` the
            limits of `[gate]` in the configuration hold.
        mode: `strict` or `statistical`; by default as configured.
        stale: `warn` or `refuse`; by default as configured.
        floor_on: What floors compare where the judge left claims undecided; by default as configured.
        allow_inconclusive: Whether a gate that can be neither passed nor failed lets the test pass.

    Returns:
        The gate.
    """
    from acidtest.pytest_plugin.gating import checked

    return checked(
        run,
        _session(_ACTIVE[-1]) if _ACTIVE else None,
        baseline=baseline,
        min=min,
        max_drop=max_drop,
        mode=mode,
        stale=stale,
        floor_on=floor_on,
        allow_inconclusive=allow_inconclusive,
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the keys of pytest's own configuration."""
    group = parser.getgroup("acidtest", "evaluation of RAG systems (acidtest)")
    group.addoption(
        "--acidtest-baseline",
        metavar="RUN",
        help="The run that assert_gate holds others against: a file, an id, a name, or latest.",
    )
    group.addoption("--acidtest-golden", metavar="F", help="The golden set.")
    group.addoption(
        "--acidtest-pipeline",
        metavar="PIPELINE",
        help="What answers: a configured name, module:object, or a URL.",
    )
    group.addoption("--acidtest-judge", metavar="MODEL", help="Who judges.")
    group.addoption("--acidtest-store", metavar="URL", help="Where runs are kept.")
    group.addoption("--acidtest-json", metavar="F", help="Write the session's runs as JSON.")
    parser.addini("acidtest_config", "The configuration file of acidtest.")
    parser.addini("acidtest_golden", "The golden set, in place of the configured one.")
    parser.addini("acidtest_pipeline", "What answers: a configured name, module:object, or a URL.")
    parser.addini("acidtest_metrics", "Metrics and tiers of acidtest_run.", type="args")
    parser.addini("acidtest_baseline", "The run that assert_gate holds others against.")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, and the fixture `golden` unless another plugin has one of that name."""
    config.addinivalue_line(
        "markers",
        "acidtest(pipeline=, metrics=, judge=, ...): how acidtest_run is made for a test.",
    )
    config.addinivalue_line(
        "markers", "acidtest_cases(golden=, tags=, limit=): which cases a test is made for."
    )
    _ACTIVE.append(config)
    if not any(_has_golden(plugin) for plugin in config.pluginmanager.get_plugins()):
        config.pluginmanager.register(_golden(), _GOLDEN)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave nothing behind."""
    if config in _ACTIVE:
        _ACTIVE.remove(config)
    if _WORKERS in config.stash:
        from acidtest.pytest_plugin.share import forget

        forget(config.stash[_WORKERS])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist which run the baseline is, before any worker makes another."""
    config = node.config
    if config.getoption("acidtest_baseline") or config.getini("acidtest_baseline"):
        node.workerinput["acidtest_baseline"] = _session(config).baseline_for_workers


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Remember, when a worker of pytest-xdist ends, by what name its session shares runs, if it has any."""
    told = getattr(node, "workeroutput", {}).get("acidtest")
    # One that crashed tells nothing: it may have made one.
    if told is not None or error:
        node.config.stash[_WORKERS] = node.workerinput["testrunuid"]
        _session(node.config).told += told or []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test a case of those that take `acidtest_case` or `acidtest_result`."""
    marked = any(metafunc.definition.iter_markers("acidtest_cases"))
    if "acidtest_case" in metafunc.fixturenames or marked:
        from acidtest.pytest_plugin.cases import parametrize

        parametrize(metafunc, _session(metafunc.config))


def pytest_fixture_setup(
    fixturedef: "pytest.FixtureDef[Any]", request: pytest.FixtureRequest
) -> None:
    """Note where a pipeline comes from: two of one class are two in another module's fixture."""
    if fixturedef.argname == "acidtest_pipeline":
        _session(request.config).pipeline_fixtures[fixturedef] = getattr(request, "param_index", 0)


@pytest.fixture(scope="session")
def acidtest_golden(pytestconfig: pytest.Config) -> Any:
    """The golden set: of --acidtest-golden, `acidtest_golden` in pytest's configuration, or acidtest.toml."""
    from acidtest.pytest_plugin.failing import readable

    with readable():
        return _session(pytestconfig).golden


@pytest.fixture(scope="session")
def acidtest_pipeline() -> Any:
    """What answers: a name, an address, or anything that acidtest.evaluate takes. Override it."""
    return None  # the configured one: a marker may name another, so nothing is looked up here


@pytest.fixture
def acidtest_run(request: pytest.FixtureRequest, acidtest_pipeline: Any) -> "Run":
    """The run of the pipeline on the golden set; made once a session, whichever worker comes first."""
    from acidtest.pytest_plugin.failing import readable

    ours = request.config.pluginmanager.has_plugin(_GOLDEN)
    golden = request.getfixturevalue("golden" if ours else "acidtest_golden")
    with readable():
        return _session(request.config).run(request.node, acidtest_pipeline, golden)


@pytest.fixture(scope="session")
def acidtest_baseline(pytestconfig: pytest.Config) -> "Run":
    """The run of --acidtest-baseline; a test that takes it is skipped where there is none."""
    from acidtest.pytest_plugin.failing import readable

    with readable():
        found = _session(pytestconfig).baseline
    if found is None:
        pytest.skip("no baseline is given: --acidtest-baseline RUN")
    return found


@pytest.fixture
def acidtest_case(request: pytest.FixtureRequest) -> "Case":
    """One case of the golden set: the test is made once for each."""
    found: Case = request.param
    return found


@pytest.fixture
def acidtest_result(acidtest_case: "Case", acidtest_run: "Run") -> "CaseResult":
    """How the case went in `acidtest_run`: its answer, scores and diagnosis."""
    from acidtest.pytest_plugin.cases import result_of
    from acidtest.pytest_plugin.failing import readable

    with readable():
        return result_of(acidtest_case, acidtest_run)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the runs where that was asked for; with several workers their controller does it."""
    config = session.config
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output["acidtest"] = _session(config).told if _SESSION in config.stash else None
    elif config.getoption("acidtest_json"):
        from acidtest.pytest_plugin.ending import write

        if not write(_session(config), config.stash.get(_WORKERS, None)) and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR


def pytest_terminal_summary(
    terminalreporter: "pytest.TerminalReporter", config: pytest.Config
) -> None:
    """Tell each run in one line; nothing where none was made."""
    if _SESSION in config.stash or _WORKERS in config.stash:
        from acidtest.pytest_plugin.ending import summarise

        summarise(_session(config), config.stash.get(_WORKERS, None), terminalreporter)


def _golden() -> ModuleType:
    """Return a plugin of one fixture, so that it can be left out where its name is taken."""

    @pytest.fixture(scope="session", name="golden")
    def fixture(acidtest_golden: Any) -> Any:
        """The golden set; give your own fixture of this name for another."""
        return acidtest_golden

    plugin = ModuleType(_GOLDEN)
    vars(plugin)["golden"] = fixture
    return plugin


def _has_golden(plugin: object) -> bool:
    """Say whether a plugin that is no conftest.py has a fixture `golden`: that one is to win."""
    if isinstance(plugin, ModuleType):
        conftest = str(getattr(plugin, "__file__", "")).endswith("conftest.py")
        return "golden" in vars(plugin) and not conftest
    return hasattr(type(plugin), "golden")


def _session(config: pytest.Config) -> "Session":
    if _SESSION not in config.stash:
        from acidtest.pytest_plugin.session import Session

        config.stash[_SESSION] = Session(config)
    return config.stash[_SESSION]
