"""Asking again, in virtual time: pauses, hints, deadlines, and what is never repeated."""

import asyncio
import itertools
import random

import pytest

from acidtest.errors import JudgeError
from acidtest.judges.backend import Completion, Request, Stumbled, Throttled, Unreachable
from acidtest.judges.circuit import EndpointGone, ShutOut
from acidtest.judges.limit import Limiter
from acidtest.judges.retry import OutOfTime, Patience, Retrying, Tries

REQUEST = Request(text="x", schema={}, schema_name="x", max_tokens=1)
DONE = Completion(text="{}")


def busy(seconds=None):
    error = Throttled("429")
    error.retry_after = seconds
    return error


class Scripted:
    """A backend that works off a script; each call takes a while."""

    model, endpoint = "m", "http://x"

    def __init__(self, *script, seconds=0.0):
        self.script = list(script)
        self.seconds = seconds
        self.times = []
        self.closed = False

    async def complete(self, request):
        self.times.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.seconds)
        said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(said, Exception):
            raise said
        return said

    async def aclose(self):
        self.closed = True


def tries(**more):
    limiter = more.pop("limiter", None)
    return Tries("http://x", limiter=limiter, patience=Patience(**more), rng=random.Random(1))


def asked(virtual, backend, **more):
    """Ask once; return what came, or what was raised, and when the attempts were made."""

    async def main():
        retrying = Retrying(backend, tries(**more))
        try:
            return await retrying.complete(REQUEST), backend.times
        except JudgeError as error:
            return error, backend.times

    return virtual.run(main())


def test_a_failure_that_passes_is_asked_again_after_growing_pauses(virtual):
    down = Unreachable("cut")
    got, times = asked(virtual, Scripted(down, down, down, down, DONE))
    assert got == DONE
    pauses = [b - a for a, b in itertools.pairwise(times)]
    for pause, most in zip(pauses, (0.5, 1, 2, 4), strict=True):
        assert most / 2 <= pause <= most


def test_it_gives_up_after_the_attempts(virtual):
    got, times = asked(virtual, Scripted(Unreachable("cut")), attempts=3)
    assert isinstance(got, Unreachable)
    assert len(times) == 3


def test_retry_after_is_obeyed(virtual):
    got, times = asked(virtual, Scripted(busy(7.0), DONE))
    assert got == DONE
    assert 7.0 <= times[1] <= 8.0


def test_slowing_down_has_no_count(virtual):
    got, times = asked(virtual, Scripted(*[busy(1.0)] * 40, DONE), most_s=1.0)
    assert got == DONE
    assert len(times) == 41


def test_what_will_not_pass_is_not_repeated(virtual):
    got, times = asked(virtual, Scripted(JudgeError("too long"), DONE))
    assert got.what == "too long"
    assert len(times) == 1


def test_the_deadline_of_a_call_holds_when_it_is_throttled_for_ever(virtual):
    got, times = asked(virtual, Scripted(busy()), call_s=100.0)
    assert isinstance(got, Throttled)
    assert "100 s a call" in got.what
    assert times[-1] <= 100


def test_the_deadline_of_a_call_counts_slow_attempts(virtual):
    got, times = asked(virtual, Scripted(Unreachable("no answer"), seconds=60.0), call_s=150.0)
    assert isinstance(got, (Unreachable, EndpointGone))
    assert len(times) <= 3


def test_a_limit_used_up_for_hours_stops_the_run(virtual):
    got, times = asked(virtual, Scripted(busy(7200.0)))
    assert isinstance(got, EndpointGone)
    assert len(times) == 1


def test_waiting_for_a_place_is_not_counted(virtual):
    async def main():
        backend = Scripted(DONE, seconds=50.0)
        retrying = Retrying(backend, tries(limiter=Limiter(1), call_s=60.0))
        got = await asyncio.gather(*(retrying.complete(REQUEST) for _ in range(10)))
        return got, asyncio.get_running_loop().time()

    got, end = virtual.run(main())
    assert got == [DONE] * 10
    assert end == pytest.approx(500)


def test_the_run_ends_at_its_deadline_whatever_it_waits_for(virtual):
    async def main(backend, limiter):
        retrying = Retrying(backend, tries(limiter=limiter, run_s=100.0))
        calls = (retrying.complete(REQUEST) for _ in range(5))
        got = await asyncio.gather(*calls, return_exceptions=True)
        return got, asyncio.get_running_loop().time()

    for backend in (
        Scripted(DONE, seconds=1e6),  # a call that hangs, and others that wait for its place
        Scripted(busy(90.0)),  # pauses
        Scripted(busy()),
    ):
        got, end = virtual.run(main(backend, Limiter(1)))
        assert all(isinstance(error, OutOfTime) for error in got)
        assert end <= 100.001


def test_no_place_is_held_during_a_pause(virtual):
    async def main():
        limiter = Limiter(1)
        slow = Retrying(Scripted(Unreachable("cut"), DONE), tries(limiter=limiter, first_s=100.0))
        quick = Retrying(Scripted(DONE), tries(limiter=limiter))
        first = asyncio.create_task(slow.complete(REQUEST))
        await asyncio.sleep(1)
        await quick.complete(REQUEST)
        at = asyncio.get_running_loop().time()
        await first
        return at

    assert virtual.run(main()) == pytest.approx(1.0)


def test_two_calls_told_to_wait_make_all_wait_and_halve_the_limit(virtual):
    async def main():
        limiter = Limiter(8)
        shared = tries(limiter=limiter)
        refused = [Scripted(busy(30.0), DONE, seconds=1) for _ in range(2)]
        other = Scripted(DONE)
        first = [asyncio.create_task(Retrying(one, shared).complete(REQUEST)) for one in refused]
        await asyncio.sleep(2)
        limit = limiter.limit
        await Retrying(other, shared).complete(REQUEST)
        await asyncio.gather(*first)
        return other.times[0], limit

    at, limit = virtual.run(main())
    assert at == pytest.approx(31.0)
    assert limit == 1  # two were in flight, and that was too many


class Bucket(Scripted):
    """An endpoint that admits `rate` calls a second, and tells when there is room again."""

    def __init__(self, rate, *, told):
        super().__init__(DONE, seconds=0.5)
        self.rate, self.told = rate, told
        self.level, self.at, self.refused = float(rate), 0.0, 0

    async def complete(self, request):
        now = asyncio.get_running_loop().time()
        self.level = min(self.rate, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            self.refused += 1
            raise busy((1 - self.level) / self.rate if self.told else None)
        self.level -= 1
        return await super().complete(request)


@pytest.mark.parametrize("told", [True, False])
def test_a_rate_limit_is_met_without_losing_a_call_or_hammering(virtual, told):
    async def main():
        bucket = Bucket(10, told=told)
        retrying = Retrying(bucket, tries(limiter=Limiter(64)))
        got = await asyncio.gather(*(retrying.complete(REQUEST) for _ in range(300)))
        return got, bucket.refused, asyncio.get_running_loop().time()

    got, refused, end = virtual.run(main())
    assert got == [DONE] * 300
    assert end < 45  # 30 s is the least that 300 calls can take
    assert refused < 300


def test_room_that_the_headers_deny_is_waited_for(virtual):
    async def main():
        shared = tries(limiter=Limiter(4))
        await Retrying(Scripted(Completion(text="", wait_s=12.0)), shared).complete(REQUEST)
        other = Scripted(DONE)
        await Retrying(other, shared).complete(REQUEST)
        return other.times

    assert virtual.run(main()) == [pytest.approx(12.0)]


def test_an_endpoint_that_is_gone_stops_all_calls_soon(virtual):
    async def main():
        backend = Scripted(Unreachable("no connection"))
        retrying = Retrying(backend, tries(limiter=Limiter(16)))
        calls = (retrying.complete(REQUEST) for _ in range(2000))
        got = await asyncio.gather(*calls, return_exceptions=True)
        return got, len(backend.times), asyncio.get_running_loop().time()

    got, attempts, end = virtual.run(main())
    assert all(isinstance(error, EndpointGone) for error in got)  # none failed, all can resume
    assert end < 16
    assert attempts < 150


def test_a_single_caller_is_told_within_seconds(virtual):
    got, times = asked(virtual, Scripted(Unreachable("no such host")))
    assert isinstance(got, EndpointGone)
    assert times[-1] < 16


def test_a_question_that_the_server_stumbles_over_is_given_up_alone(virtual):
    backend = Scripted(Stumbled("it replied 500"), seconds=1.0)
    error, times = asked(virtual, backend)
    assert type(error) is Stumbled
    assert not error.ends_run
    assert len(times) == 7


def test_a_blip_loses_nothing(virtual):
    async def main():
        class Blip(Scripted):
            async def complete(self, request):
                if asyncio.get_running_loop().time() < 5:
                    raise Unreachable("restarting")
                return DONE

        retrying = Retrying(Blip(DONE), tries(limiter=Limiter(16)))
        return await asyncio.gather(*(retrying.complete(REQUEST) for _ in range(100)))

    assert virtual.run(main()) == [DONE] * 100


def test_a_bad_key_stops_all_calls_at_once(virtual):
    async def main():
        backend = Scripted(ShutOut("it replied 401", fix="Check the API key."))
        retrying = Retrying(backend, tries(limiter=Limiter(2)))
        calls = (retrying.complete(REQUEST) for _ in range(100))
        got = await asyncio.gather(*calls, return_exceptions=True)
        return got, len(backend.times)

    got, attempts = virtual.run(main())
    assert all(isinstance(error, EndpointGone) for error in got)
    assert attempts <= 2
    assert got[0].fix == "Check the API key."


def test_a_bug_is_no_judge_error_and_frees_its_place(virtual):
    async def main():
        limiter = Limiter(1)
        retrying = Retrying(Scripted(KeyError("bug")), tries(limiter=limiter))
        with pytest.raises(KeyError):
            await retrying.complete(REQUEST)
        return limiter.in_flight

    assert virtual.run(main()) == 0


def test_it_is_a_backend_itself(virtual):
    async def main():
        backend = Scripted(DONE)
        retrying = Retrying(backend)
        assert (retrying.model, retrying.endpoint) == ("m", "http://x")
        await retrying.aclose()
        return backend.closed

    assert virtual.run(main())
