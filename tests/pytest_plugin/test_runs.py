"""Runs as fixtures: made once, of the pipeline and the golden set that are meant."""

import json

import acidtest as at

pytest_plugins = ["pytester"]

BOTH = ["What does Pro cost?", "When are refunds paid?"]
REPORT = """
    def test_figures(acidtest_run):
        print("figures", acidtest_run.name, acidtest_run.metrics["recall@1"].mean, len(acidtest_run.cases))
"""


def test_a_run_is_made_once_told_in_one_line_and_written(project, session, asked):
    project.makepyfile(
        """
        import pytest
        @pytest.fixture(autouse=True)
        def elsewhere(tmp_path, monkeypatch): monkeypatch.chdir(tmp_path)
        def test_one(acidtest_run, golden):
            assert acidtest_run.metrics["recall@1"].mean == 0.5
            assert [case.id for case in golden] == ["pro", "refund"]
        def test_two(acidtest_run):
            assert acidtest_run.metrics["mrr"].mean == 0.75
        """
    )
    result = session("--acidtest-json", "out.json")
    result.assert_outcomes(passed=2)
    assert asked() == BOTH
    result.stdout.fnmatch_lines(
        ["*= acidtest =*", "rag (*, 2 cases): recall@1 0.500, mrr 0.750", "Wrote JSON to out.json"]
    )
    assert at.load_run(project.path / "out.json").metrics["mrr"].mean == 0.75
    assert (project.path / ".acidtest" / "store.db").exists()


def test_a_session_that_makes_no_run_tells_and_writes_nothing(project, session):
    project.makepyfile("def test_one(): pass")
    result = session()
    assert "acidtest" not in result.stdout.str()
    result = session("--acidtest-json", "out.json")
    result.stdout.fnmatch_lines(["--acidtest-json out.json: no test made a run*"])
    assert result.ret == 0
    assert not (project.path / "out.json").exists()
    assert not (project.path / ".acidtest").exists()


def test_modules_give_their_own_pipeline_and_golden_set(project, session, asked):
    """Two objects of one class in two modules are two pipelines, and a module's golden set is its own."""
    (project.path / "acidtest.toml").unlink()
    project.makeconftest(
        """
        import pytest, acidtest as at
        class Index:
            def __init__(self, ids): self.ids = ids
        class Rag:
            def __init__(self, index): self.index = index
            def retrieve(self, question): return [{"id": i, "text": i} for i in self.index.ids]
            def answer(self, question): return "yes"
        @pytest.fixture(scope="session")
        def golden(): return at.load_golden("golden.jsonl")
        """
    )
    module = """
        import pytest
        from conftest import Index, Rag
        @pytest.fixture(scope="session")
        def acidtest_pipeline(): return Rag(Index({ids}))
        @pytest.mark.acidtest(metrics=["recall@1"])
        def test_figures(acidtest_run):
            assert acidtest_run.metrics["recall@1"].mean == {mean}
    """
    own = """
        @pytest.fixture(scope="session")
        def golden(): return [{"id": "one", "question": "q?", "relevant": ["pricing#2"]}]
    """
    project.makepyfile(
        test_a=module.format(ids=["pricing#2"], mean=0.5),
        test_b=module.format(ids=["nothing"], mean=0.0),
        test_c=module.format(ids=["pricing#2"], mean=1.0) + own,
    )
    result = session()
    result.assert_outcomes(passed=3)
    assert result.stdout.str().count("recall@1 ") == 3


def test_markers_add_up_the_nearest_first(project, session, asked):
    project.makepyfile(
        """
        import pytest
        from my_rag import turned
        pytestmark = pytest.mark.acidtest(metrics=["recall@1"], pipeline=turned, name="theirs")
        def test_module(acidtest_run):
            assert list(acidtest_run.metrics) == ["recall@1"]
            assert acidtest_run.name == "theirs"
        @pytest.mark.acidtest(metrics=["mrr"], pipeline="rag")
        def test_nearest(acidtest_run):
            assert list(acidtest_run.metrics) == ["mrr"]
            assert (acidtest_run.name, acidtest_run.info.pipeline.name) == ("theirs", "rag")
        @pytest.mark.acidtest(pipeline="my_rag.py:turned", name=None)
        def test_address(acidtest_run):
            assert acidtest_run.info.pipeline.name == "turned"
        @pytest.mark.acidtest(metric="mrr")
        def test_wrong(acidtest_run): pass
        """
    )
    result = session("--acidtest-json", "out.json", "--strict-markers")
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(
        ["*test_wrong: the marker acidtest does not take metric.*pipeline, metrics, judge*"]
    )
    assert len(json.loads((project.path / "out.json").read_bytes())["runs"]) == 3


def test_options_and_keys_choose(project, session):
    (project.path / "acidtest.toml").write_text(
        'golden = "missing.jsonl"\n[pipelines.one]\npython = "my_rag.py:ask"\n'
        '[pipelines.two]\npython = "my_rag.py:turned"\n'
    )
    (project.path / "small.jsonl").write_text(
        '{"id": "x", "question": "q", "relevant": ["refunds#0"]}\n'
    )
    project.makepyfile(REPORT)
    project.makeini("[pytest]\nacidtest_golden = golden.jsonl\nacidtest_metrics = recall@1")
    undecided = session()
    undecided.assert_outcomes(errors=1)
    undecided.stdout.fnmatch_lines(["*2 pipelines are configured (one, two), and none is chosen.*"])
    chosen = session("--acidtest-pipeline", "two", "--acidtest-golden", "small.jsonl", "-s",
                     "--acidtest-store", "other.db")  # fmt: skip
    chosen.stdout.fnmatch_lines(["*figures two 1.0 1"])
    assert (project.path / "other.db").exists()
    assert not (project.path / ".acidtest").exists()


def test_wrong_input_is_an_error_of_the_test_without_a_traceback(project, session):
    project.makepyfile(
        """
        def test_run(acidtest_run): pass
        def test_golden(golden): pass
        def test_other(): pass
        """
    )
    (project.path / "golden.jsonl").write_text(
        '{"id": "a", "question": "q"}\n{"id": "b", "qestion": "q"}\n'
    )
    result = session()
    result.assert_outcomes(passed=1, errors=2)
    result.stdout.fnmatch_lines(["acidtest: *golden.jsonl:2: *qestion*"])
    told = result.stdout.str()
    assert "INTERNALERROR" not in told
    assert "Traceback" not in told
    assert "site-packages" not in told


def test_without_a_configuration_it_says_what_is_missing(project, session):
    (project.path / "acidtest.toml").unlink()
    project.makepyfile("def test_run(acidtest_run): pass")
    result = session()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["acidtest: no golden set is named. Give your own fixture 'golden', *"]
    )
    result = session("--acidtest-golden", "golden.jsonl")
    result.stdout.fnmatch_lines(
        ["acidtest: there is nothing to evaluate: no pipeline is named. Give*"]
    )


def test_a_golden_set_is_not_written_over(project, session):
    project.makepyfile(REPORT)
    before = (project.path / "golden.jsonl").read_bytes()
    result = session("--acidtest-json", "golden.jsonl")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["--acidtest-json golden.jsonl: that is the golden set"])
    assert (project.path / "golden.jsonl").read_bytes() == before


def test_a_configuration_elsewhere(project, session):
    (project.path / "rag").mkdir()
    for name in ("acidtest.toml", "golden.jsonl", "my_rag.py"):
        (project.path / name).rename(project.path / "rag" / name)
    project.makeini("[pytest]\nacidtest_config = rag/acidtest.toml")
    project.makepyfile(REPORT)
    result = session("-s")
    result.stdout.fnmatch_lines(["*figures rag 0.5 2"])
    assert (project.path / "rag" / ".acidtest" / "store.db").exists()
