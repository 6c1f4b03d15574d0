import hashlib

from hypothesis import given
from hypothesis import strategies as st

from acidtest.online.sample import position, sampled


def test_the_formula_is_as_documented_and_stays_so():
    digest = hashlib.sha256(b"4bf92f3577b34da6a3ce929d0e0e4736").digest()
    assert position("4bf92f3577b34da6a3ce929d0e0e4736") == int.from_bytes(digest[:8]) / 2**64
    assert round(position("4bf92f3577b34da6a3ce929d0e0e4736"), 6) == 0.224774
    assert round(position("t1"), 6) == 0.384938


def test_the_share_is_kept_whatever_ids_look_like():
    for ids in ([f"{n:032x}" for n in range(20_000)], [f"trace-{n}" for n in range(20_000)]):
        share = sum(sampled(i, 0.1) for i in ids) / len(ids)
        assert abs(share - 0.1) < 0.008  # four standard deviations


@given(st.text(), st.floats(0, 1), st.floats(0, 1))
def test_what_a_smaller_share_has_a_larger_one_has_too(trace_id, one, other):
    less, more = sorted((one, other))
    assert not sampled(trace_id, less) or sampled(trace_id, more)
    assert sampled(trace_id, 1)
    assert not sampled(trace_id, 0)
