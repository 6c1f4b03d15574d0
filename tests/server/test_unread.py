"""Answers that nobody reads: who is ended, and who is not."""

import pytest

from acidtest.server.unread import MOST_UNREAD, UNREAD_S, Unread, end_unread

K = 1024


class Transport:
    def __init__(self):
        self.waits, self.ended = 0, False

    def get_write_buffer_size(self):
        return self.waits

    def abort(self):
        self.ended = True


class Connection:
    def __init__(self, waits=0):
        self.transport = Transport()
        self.transport.waits = waits
        self.unread = Unread(self.transport, 0.0)


def ended(levels, drained=()):
    """Say after how many seconds a connection ends whose buffer has these levels, a second each."""
    one = Connection()
    for second, level in enumerate(levels):
        one.transport.waits = level
        if second in drained:
            one.unread.drained()
        end_unread([one], float(second))
        if one.transport.ended:
            return second
    return None


@pytest.mark.parametrize(
    ("levels", "drained", "after"),
    [
        ([0] * 100, (), None),
        ([100] * 100, (), UNREAD_S + 1),  # also the little that the kernel did not take
        ([n * K for n in range(100)], (), UNREAD_S + 1),  # asks on, and never reads
        ([10_000 * K - n * 10 * K for n in range(100)], (), None),  # slow, and reads on
        ([10_000 * K - n * 100 for n in range(100)], (), UNREAD_S + 1),  # a byte now and then
        ([100 * K] * 100, range(0, 100, 20), None),  # asks for more whenever it has read
        ([10 * K] * 20 + [0] + [10 * K] * 20, (), None),
    ],
)
def test_who_does_not_read_is_ended(levels, drained, after):
    assert ended(levels, drained) == after


def test_a_large_answer_may_take_its_time():
    one = Connection()
    end_unread([one], 0.0)
    for second in range(1, 100):
        one.transport.waits = 20_000 * K - second * 64 * K
        end_unread([one], float(second))
    assert not one.transport.ended


def test_all_together_may_hold_so_much():
    some = [Connection(size) for size in (MOST_UNREAD // 2, MOST_UNREAD // 4, MOST_UNREAD // 3)]
    end_unread(some, 1.0)
    assert [each.transport.ended for each in some] == [True, False, False]
