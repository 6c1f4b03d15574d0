import sys

import numpy as np
import pytest

from acidtest.errors import BadConfig, JudgeError, MissingExtra
from acidtest.judges.nli import model as model_module
from acidtest.judges.nli.files import find
from acidtest.judges.nli.model import Model

PREMISE = "The pro plan costs 49 euros."
PAIRS = [
    (PREMISE, PREMISE),
    (PREMISE, "Returns are free."),
    (PREMISE, "The pro plan costs not 49 euros."),
    (PREMISE, "The plan costs red."),
    ("", "Returns are free."),
    (PREMISE, ""),
    ("", ""),
    ("We ship to Europe. " * 8, "We ship to Europe."),
]


def loaded(folder):
    return Model(find(str(folder)))


@pytest.fixture(scope="module")
def model(three):
    return loaded(three)


def close(one, other):
    return [pytest.approx((o.entailment, o.contradiction), abs=2e-6) for o in one] == [
        (o.entailment, o.contradiction) for o in other
    ]


def test_pairs_in_words_that_can_be_counted(model):
    same, apart, denied, partly, *_ = model.odds(PAIRS)
    # logits: entailment 12 * (share - 0.5) - 20 * odd, contradiction 14 * odd * share - 6, neutral 0
    e, c = np.exp(6), np.exp(-6)
    assert same.entailment == pytest.approx(e / (e + c + 1), abs=1e-6)
    assert apart.entailment == pytest.approx(np.exp(-6) / (2 * np.exp(-6) + 1), abs=1e-6)
    assert denied.contradiction > 0.99
    e = np.exp(12 * 0.25)
    assert partly.entailment == pytest.approx(e / (e + c + 1), abs=1e-6)


def test_a_batch_says_what_each_pair_alone_says(model):
    many = PAIRS * 11
    together = model.odds(many)
    assert close(together, [model.odds([pair])[0] for pair in many])
    assert model.odds(many) == together
    assert close(list(reversed(model.odds(many[::-1]))), together)
    assert model.odds([]) == []


@pytest.mark.parametrize(
    "inputs",
    [
        ("input_ids",),
        ("input_ids", "attention_mask"),
        ("token_type_ids", "input_ids", "attention_mask"),
    ],
)
@pytest.mark.parametrize("kind", ["int64", "int32"])
def test_models_say_which_inputs_they_want(tiny, tmp_path, model, inputs, kind):
    other = loaded(tiny.write(tmp_path, inputs=inputs, kind=kind))
    assert close(other.odds(PAIRS * 5), model.odds(PAIRS * 5))


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "entailment", "1": "neutral", "2": "contradiction"},
        {"0": "NEUTRAL", "1": "CONTRADICTION", "2": "ENTAILMENT"},
    ],
)
def test_the_order_of_labels_changes_nothing(tiny, tmp_path, model, labels):
    assert close(loaded(tiny.write(tmp_path, labels=labels)).odds(PAIRS), model.odds(PAIRS))


@pytest.mark.parametrize(
    "labels",
    [{"0": "entailment", "1": "not_entailment"}, {"0": "not-entailment", "1": "Entailment"}],
)
def test_two_labels_never_say_contradiction(tiny, tmp_path, labels):
    said = loaded(tiny.write(tmp_path, labels=labels)).odds(PAIRS)
    assert said[0].entailment > 0.99
    assert said[1].entailment < 0.01
    assert {odds.contradiction for odds in said} == {None}


def test_what_is_too_long_is_cut_in_the_premise_and_never_in_the_claim(tiny, tmp_path):
    model = loaded(tiny.write(tmp_path, longest=24))
    ids, sides = model.tokens.pair("red " * 100, "green blue")
    assert len(ids) == 24
    assert sides.count(1) == 3
    assert model.tokens.room == 10


@pytest.mark.parametrize(
    "text",
    ["\ud800", "\0", "{{x}} {0} %s", "[SEP] [PAD] [CLS]", "🙂" * 500, "\u202e", "a" * 20_000],
)
def test_hostile_texts_give_probabilities(model, text):
    for odds in model.odds([(text, text), (PREMISE, text[:200]), (text, PREMISE)]):
        assert 0 <= odds.entailment <= 1
        assert 0 <= odds.contradiction <= 1


def test_not_a_number_is_an_error_and_never_a_score(tiny, tmp_path):
    with pytest.raises(JudgeError, match="not finite"):
        loaded(tiny.write(tmp_path, twist="nan")).odds(PAIRS[:1])


def test_more_outputs_than_labels_are_told_when_it_is_loaded(tiny, tmp_path):
    with pytest.raises(BadConfig, match=r"gives \(1, 4\) for 1 pairs and 3 labels"):
        loaded(tiny.write(tmp_path, twist="wide"))


def test_other_inputs_are_named(tiny, tmp_path):
    import onnx

    tiny.write(tmp_path)
    graph = onnx.load(tmp_path / "model.onnx")
    graph.graph.input.append(onnx.helper.make_tensor_value_info("pixel_values", 1, ["B"]))
    onnx.save(graph, tmp_path / "model.onnx")
    with pytest.raises(BadConfig, match=r"the model wants .*pixel_values"):
        loaded(tmp_path)


def test_inputs_of_another_type_are_named(tiny, tmp_path):
    with pytest.raises(BadConfig, match=r"input input_ids is a tensor\(float\)"):
        loaded(tiny.write(tmp_path, kind="float", inputs=("input_ids",)))


def test_a_tokenizer_that_runs_texts_together_is_refused(tiny, tmp_path):
    with pytest.raises(BadConfig, match="nothing between"):
        loaded(tiny.write(tmp_path, pairs=False))


def test_a_model_without_room_is_refused(tiny, tmp_path):
    with pytest.raises(BadConfig, match="no room"):
        loaded(tiny.write(tmp_path, longest=4))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_named(tiny, tmp_path, name):
    tiny.write(tmp_path)
    (tmp_path / name).write_bytes(b"\x08\xff{not it")
    with pytest.raises(BadConfig, match="cannot be read") as raised:
        loaded(tmp_path)
    assert name in raised.value.where


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_is_told_with_the_command(three, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=r"pip install 'acidtest\[nli\]'"):
        loaded(three)


def test_batches_are_bounded_in_pairs_and_tokens(model):
    sizes = [500] * 20 + [20] * 100 + [3]
    batches = list(model._batches(sizes))
    assert sorted(i for batch in batches for i in batch) == list(range(len(sizes)))
    for batch in batches:
        assert len(batch) <= model_module._BATCH
        assert max(sizes[i] for i in batch) * len(batch) <= model_module._BATCH_TOKENS


def test_it_stops_between_batches(model):
    asked = []

    def stopped():
        asked.append(None)
        return len(asked) > 2

    with pytest.raises(JudgeError, match="stopped"):
        model.odds(PAIRS * 40, stopped)
    assert len(asked) == 3
