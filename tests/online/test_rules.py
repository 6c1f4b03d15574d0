import pytest

from acidtest.data.answers import Chunk, Latency
from acidtest.data.traces import Feedback, Trace
from acidtest.online.config import RULES, OnlineConfig
from acidtest.online.rules import Seen, choose, document_hash, document_names, slow_over

ALL = OnlineConfig(sample=0, always=(*RULES, "tag:vip", "model:m1"))
PLAIN = Trace(id="t")
CHUNKS = (
    Chunk(doc_id="a.md"),
    Chunk(doc_id="a.md"),
    Chunk(source="b\n.md"),
    Chunk(id="c"),
    Chunk(),
)

CASES = [
    (PLAIN, Seen(), None),
    (
        Trace(id="t", feedback=(Feedback(good=True), Feedback(good=False))),
        Seen(),
        ("thumbs-down", 1),
    ),
    (Trace(id="t", feedback=(Feedback(good=True), Feedback())), Seen(), None),
    (Trace(id="t", error="boom"), Seen(), ("error", 2)),
    (PLAIN, Seen(declined=True), ("abstained", 3)),
    (
        Trace(id="t", latency_ms=Latency(total=1234.5)),
        Seen(slow_ms=1000),
        ("slow: 1,234 ms is over 1,000 ms", 3),
    ),
    (Trace(id="t", latency_ms=Latency(total=1000)), Seen(slow_ms=1000), None),
    (Trace(id="t", latency_ms=Latency(total=1000)), Seen(), None),
    (
        Trace(id="t", retrieved=CHUNKS),
        Seen(new={document_hash("b\n.md")}),
        ("new document: b?.md", 3),
    ),
    (Trace(id="t", retrieved=CHUNKS), Seen(new={document_hash("d")}), None),
    (Trace(id="t", tags=("vip", "x")), Seen(), ("tag vip", 2)),
    (Trace(id="t", model="m1"), Seen(), ("model m1", 2)),
    (Trace(id="t", model="m1", error="x"), Seen(declined=True), ("error; abstained; model m1", 2)),
]


@pytest.mark.parametrize(("trace", "seen", "wanted"), CASES)
def test_a_rule_chooses_and_says_why(trace, seen, wanted):
    assert choose(trace, ALL, seen) == wanted


def test_a_rule_that_is_not_configured_chooses_nothing():
    config = OnlineConfig(sample=0, always=("error",))
    assert (
        choose(Trace(id="t", feedback=(Feedback(good=False),)), config, Seen(declined=True)) is None
    )


def test_the_sample_comes_last_and_is_the_least_urgent():
    config = OnlineConfig(sample=1, always=("error",))
    assert choose(PLAIN, config, Seen()) == ("sample", 5)
    assert choose(Trace(id="t", error="x"), config, Seen()) == ("error; sample", 2)


def test_documents_are_named_by_what_there_is_each_once():
    assert document_names(Trace(id="t", retrieved=CHUNKS)) == ["a.md", "b\n.md", "c"]
    assert document_names(PLAIN) == []


def test_what_is_slow_is_known_from_forty_latencies_on():
    assert slow_over([1.0] * 39) is None
    assert slow_over([float(n) for n in range(100)]) == 95.0
