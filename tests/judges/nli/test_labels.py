import pytest

from acidtest.errors import BadConfig
from acidtest.judges.nli.labels import Labels, labels


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({"0": "contradiction", "1": "entailment", "2": "neutral"}, Labels(3, 1, 0)),
        ({"0": "entailment", "1": "neutral", "2": "contradiction"}, Labels(3, 0, 2)),
        ({"2": "ENTAILMENT", "0": "Contradiction", "1": "NEUTRAL"}, Labels(3, 2, 0)),
        ({"0": "entailment", "1": "not_entailment"}, Labels(2, 0, None)),
        ({"0": "Not-Entailment", "1": "Entailment"}, Labels(2, 1, None)),
        ({"0": "non entailment", "1": "entails"}, Labels(2, 1, None)),
    ],
)
def test_the_order_is_read_from_the_names(named, expected):
    assert labels({"id2label": named}, "config.json") == expected


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"id2label": {}},
        {"id2label": None},
        {"id2label": ["entailment", "neutral", "contradiction"]},
        {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}},
        {"id2label": {"0": "entailment", "1": "neutral"}},
        {"id2label": {"0": "entailment", "1": "entails", "2": "neutral", "3": "contradiction"}},
        {"id2label": {"1": "entailment", "2": "neutral", "3": "contradiction"}},
        {"id2label": {"0": "positive", "1": "negative"}},
        {"id2label": {"0": "LABEL_0"}},
        {"id2label": {"0": None, "1": "entailment"}},
        {"id2label": {"x": "entailment", "y": "not_entailment"}},
    ],
)
def test_names_that_do_not_say_it_are_refused_and_never_guessed(config):
    with pytest.raises(BadConfig, match="id2label") as raised:
        labels(config, "m/config.json")
    assert raised.value.where == "m/config.json"
    assert raised.value.fix
