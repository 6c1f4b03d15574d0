import msgspec

from acidtest.codec.json import content_hash
from acidtest.codec.lossy import encoded
from acidtest.data.answers import Answer, Chunk
from acidtest.data.outcomes import Failure, Outcome, Score


class Unspeakable:
    def __repr__(self):
        raise RuntimeError("no")


def test_what_json_can_hold_is_encoded_as_ever():
    answer = Answer(case_id="a", text="é", retrieved=(Chunk(id="x", metadata={"k": [1]}),))
    assert encoded(answer) == msgspec.json.encode(answer)


def test_halves_of_pairs_anywhere_are_replaced():
    answer = Answer(
        case_id="a\ud800",
        text="t\udfff",
        retrieved=(Chunk(id="\ud800", metadata={"k\ud800": ("\ud800",)}),),
        failure=Failure("broke \ud800"),
    )
    back = msgspec.json.decode(encoded(answer), type=Answer)
    assert back == Answer(
        case_id="a\ufffd",
        text="t\ufffd",
        retrieved=(Chunk(id="\ufffd", metadata={"k\ufffd": ["\ufffd"]}),),
        failure=Failure("broke \ufffd"),
    )
    score = Score(0.5, "\ud800", parts={"claims": 2.0})
    assert msgspec.json.decode(encoded(score), type=Outcome) == Score(
        0.5, "\ufffd", parts={"claims": 2.0}
    )


def test_objects_odd_keys_and_endless_nesting_lose_detail_only():
    endless: list[object] = []
    endless.append(endless)
    odd = {"o": object, "r": Unspeakable(), (1, 2): {3}, "deep": endless}
    back = msgspec.json.decode(encoded(Chunk(id="x", metadata=odd)), type=Chunk)
    assert back.id == "x"
    assert back.metadata["o"] == "<class 'object'>"
    assert back.metadata["r"] == "<Unspeakable>"
    assert back.metadata["(1, 2)"] == [3]
    assert '"..."' in msgspec.json.encode(back.metadata["deep"]).decode()


def test_a_hash_of_what_utf8_cannot_hold():
    assert content_hash(["\ud800"]) == content_hash(["\ufffd"])
    assert content_hash({"a": ("\ud800",)}) != content_hash({"a": ("x",)})
