"""A model for inference that a test can do in its head, as real ONNX with a real tokenizer.

Entailment follows the share of the claim's words that stand in the premise; a "not" on one side alone is
a contradiction, as far as the rest agrees. Words are known by their number, so unknown ones never match.
"""

import json
import re

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"]
WORDS = re.findall(
    r"\S+",
    "not the a pro plan costs 49 euros month and includes priority support returns are free refund "
    "takes five days we ship to europe only it does paris rome red green blue one two three four six "
    "seven eight nine ten 0 1 2 3 4 5 6 7 8 9",
)
THREE = {"0": "contradiction", "1": "entailment", "2": "neutral"}
ALL_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def write(
    folder,
    *,
    labels=THREE,
    inputs=ALL_INPUTS,
    name="model.onnx",
    longest=None,
    kind="int64",
    pairs=True,
    twist=None,
    **config,
):
    """Write the model into a folder; `twist` is "nan" or "wide"."""
    graph = folder / name
    graph.parent.mkdir(parents=True, exist_ok=True)
    meanings = [labels[str(place)] for place in range(len(labels))]
    onnx.save(_graph(meanings, inputs, kind, twist), str(graph))
    tokenizer(pairs=pairs).save(str(folder / "tokenizer.json"))
    said = {"id2label": labels, "pad_token_id": 0} | config
    if longest:
        said["max_position_embeddings"] = longest
    (folder / "config.json").write_text(json.dumps(said))
    return folder


def tokenizer(*, pairs=True):
    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *WORDS])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token=SPECIAL[3]))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation(behavior="removed")]
    )
    if pairs:
        made.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
        )
    made.enable_padding(length=40)  # as real files do; it must be switched off
    made.enable_truncation(7)
    return made


def _graph(meanings, inputs, kind, twist):
    """Build the graph; B pairs, L tokens."""
    nodes, constants = [], []

    def const(value, dtype=np.float32):
        called = f"c{len(constants)}"
        constants.append(numpy_helper.from_array(np.asarray(value, dtype=dtype), called))
        return called

    def op(what, *given, **attributes):
        called = f"n{len(nodes)}"
        nodes.append(helper.make_node(what, list(given), [called], **attributes))
        return called

    def number(what):
        return op("Cast", what, to=TensorProto.FLOAT)

    def total(what, axis):
        return op("ReduceSum", what, const([axis], np.int64), keepdims=0)

    ids = op("Cast", "input_ids", to=TensorProto.INT64)
    if "token_type_ids" in inputs:
        side = number("token_type_ids")
    else:  # as for models without: the first separator ends the premise
        separators = number(op("Equal", ids, const(2, np.int64)))
        side = op("CumSum", separators, const(1, np.int64))
    real = number(op("Greater", ids, const(3, np.int64)))  # neither special nor unknown
    word = number(
        op("Or", *[op("Greater", ids, const(3, np.int64)), op("Equal", ids, const(3, np.int64))])
    )
    if "attention_mask" in inputs:
        word = op("Mul", word, number("attention_mask"))
    claimed = number(op("Greater", side, const(0.5)))
    in_claim, in_premise = op("Mul", word, claimed), op("Mul", real, op("Sub", const(1.0), claimed))
    same = number(
        op(
            "Equal",
            op("Unsqueeze", ids, const([2], np.int64)),
            op("Unsqueeze", ids, const([1], np.int64)),
        )
    )
    hits = op(
        "ReduceMax",
        op("Mul", same, op("Unsqueeze", in_premise, const([1], np.int64))),
        axes=[2],
        keepdims=0,
    )
    size = op("Max", total(in_claim, 1), const(1.0))
    share = op("Div", total(op("Mul", hits, in_claim), 1), size)
    denies = number(op("Equal", ids, const(5, np.int64)))  # "not"
    one, other = (
        op("ReduceMax", op("Mul", denies, where), axes=[1], keepdims=0)
        for where in (in_claim, in_premise)
    )
    odd = op("Abs", op("Sub", one, other))
    logits = {
        "entailment": op(
            "Sub", op("Mul", op("Sub", share, const(0.5)), const(12.0)), op("Mul", odd, const(20.0))
        ),
        "contradiction": op("Sub", op("Mul", op("Mul", odd, share), const(14.0)), const(6.0)),
        "neutral": op("Mul", share, const(0.0)),
        "not_entailment": op("Mul", share, const(0.0)),
    }
    rows = [
        op("Unsqueeze", logits.get(_plain(m), logits["neutral"]), const([1], np.int64))
        for m in meanings
    ]
    if twist == "wide":
        rows.append(rows[0])
    last = op("Concat", *rows, axis=1)
    if twist == "nan":
        last = op("Log", op("Sub", op("Mul", last, const(0.0)), const(1.0)))
    nodes.append(helper.make_node("Identity", [last], ["logits"]))
    integer = {"int64": TensorProto.INT64, "int32": TensorProto.INT32, "float": TensorProto.FLOAT}[
        kind
    ]
    graph = helper.make_graph(
        nodes,
        "overlap",
        [helper.make_tensor_value_info(name, integer, ["B", "L"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["B", "N"])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model


def _plain(meaning):
    folded = meaning.lower().replace("-", "_")
    return "not_entailment" if folded.startswith("not") else folded
