import pytest

from acidtest.errors import BadConfig, UnknownName, UsageError
from acidtest.project.config import Config
from acidtest.project.planning import bounds
from acidtest.project.tiers import TIERS, canonical, resolve, tier


def names(bounds):
    return [b.name for b in bounds]


def test_every_built_in_tier_resolves():
    for name in TIERS:
        assert tier(name, Config())
    assert set(names(tier("fast", Config()))) < set(names(tier("nightly", Config())))


def test_tiers_within_tiers_and_each_metric_once():
    tiers = {"fast": ("recall@5", "mrr"), "all": ("fast", "mrr", "recall@10")}
    config = Config(metrics=tiers)
    assert names(tier("all", config)) == ["recall@5", "mrr", "recall@10"]
    assert names(resolve(["mrr", "all"], config)) == ["mrr", "recall@5", "recall@10"]


def test_without_metrics_the_fast_tier_is_the_configured_one():
    assert names(bounds(None, Config())) == list(TIERS["fast"])
    assert names(bounds(None, Config(metrics={"fast": ("mrr",)}))) == ["mrr"]


def test_a_tier_that_contains_itself():
    with pytest.raises(BadConfig, match="a -> b -> a"):
        tier("a", Config(metrics={"a": ("b",), "b": ("a",)}))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("recal@5", "Did you mean 'recall@5'"),
        ("recal", "Did you mean 'recall'"),
        ("recall@0", "k counts ranks"),
        ("recall@-1", "k counts ranks"),
        ("recall@x", "not a value for k"),
        ("recall@", "not a metric's name"),
        ("", "not a metric's name"),
        ("ndcg(gain=cubic)@5", "not a value for gain"),
        ("ndcg(gian=exp)", "does not take 'gian'"),
        ("faithfulness@3", "does not take a cut-off"),
    ],
)
def test_names_that_are_no_metric(name, message):
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        resolve([name], Config())


def test_unknown_tier():
    with pytest.raises(UnknownName, match="Did you mean 'nightly'"):
        tier("nighty", Config())


def test_a_name_is_an_identity():
    for name in ("recall@5", "ndcg(gain=exp)@10", "faithfulness", "precision"):
        (bound,) = resolve([name], Config())
        assert bound.name == name
        assert bound.spec.name == name


def test_a_rubric_is_a_metric():
    config = Config(
        rubric={"polite": {"criteria": "Is it polite?", "scale": {"yes": 1.0, "no": 0.0}}},
        metrics={"all": ("polite", "mrr")},
    )
    assert names(tier("all", config)) == ["polite", "mrr"]
    (bound,) = resolve(["polite"], config)
    assert bound.spec.cost == "judge"
    with pytest.raises(UsageError, match="rude"):
        resolve(["rude"], Config(rubric={"rude": {"criteria": "x", "scal": {}}}))


YES_NO = {"criteria": "Is it polite?", "scale": {"yes": 1.0, "no": 0.0}}


@pytest.mark.parametrize(
    "config",
    [
        Config(metrics={"recall@5": ("mrr",)}),
        Config(metrics={"recall(k=5)": ("mrr",)}),
        Config(metrics={"faithfulness": ("mrr",)}),
        Config(rubric={"faithfulness": YES_NO}),
        Config(rubric={"fast": YES_NO}),
        Config(rubric={"own": YES_NO}, metrics={"own": ("mrr",)}),
    ],
)
def test_no_name_means_two_things(config):
    with pytest.raises(BadConfig, match="is the name of a"):
        resolve(["mrr"], config)


def test_floors_by_the_names_that_runs_have():
    assert canonical({"recall(k=5)": 0.9, "mrr": 0.5}, Config(), where="x") == {
        "recall@5": 0.9,
        "mrr": 0.5,
    }
    with pytest.raises(BadConfig, match="x: recall@5 is named twice"):
        canonical({"recall(k=5)": 0.9, "recall@5": 0.5}, Config(), where="x")
    with pytest.raises(BadConfig, match="is a tier"):
        canonical({"fast": 0.9}, Config(), where="x")


def test_what_evaluate_takes_for_metrics():
    (recall,) = bounds("recall@5", Config())
    assert recall.name == "recall@5"
    assert names(bounds(recall, Config())) == ["recall@5"]
    assert names(bounds([recall.metric, "mrr"], Config())) == ["recall", "mrr"]
    for bad in (5, [5], [None], [len], [["recall@5"]], b"mrr"):
        with pytest.raises(UsageError, match="metrics: "):
            bounds(bad, Config())
