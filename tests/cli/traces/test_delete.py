import pytest

from acidtest.data.spans import Span
from acidtest.store.spans import SpanStore
from acidtest.tracing.otlp.open import gathered

T1, T2 = "r-0001-returns", "r-0002-shipping"


def left(cli):
    return [each["trace_id"] for each in cli("traces", "list", "--json").json["traces"]]


@pytest.mark.parametrize(
    ("options", "told", "rest"),
    [
        (["--trace", T1], "1 trace and 2 spans", [T2]),
        (["--trace", T1, "--trace", T2, "--trace", T1], "2 traces, 3 spans", []),
        (["--session", "s-1"], "1 trace and 2 spans", [T2]),
        (["--user", "anna@mail.example"], "1 trace and 2 spans", [T2]),
        (["--before", "2026-11-02"], "1 trace and 2 spans", [T2]),
    ],
)
def test_traces_go_with_all_that_is_of_them(imported, cli, options, told, rest):
    done = cli("traces", "delete", *options, "--yes")
    assert done.status == 0
    assert done.out.startswith(f"Deleted {told}")
    assert left(cli) == rest


def test_nothing_of_what_was_deleted_stays_in_the_files(imported, cli):
    def stored() -> bytes:
        return b"".join(path.read_bytes() for path in (imported / ".acidtest").iterdir())

    assert b"faulty goods" in stored()
    assert cli("traces", "delete", "--trace", T1, "--yes").status == 0
    assert b"faulty goods" not in stored()
    assert b"anna@mail.example" not in stored()


def test_it_asks_first(imported, cli):
    done = cli("traces", "delete", "--trace", T1)
    assert (done.status, "Say --yes" in done.err) == (2, True)
    assert len(left(cli)) == 2


@pytest.mark.parametrize("options", [[], ["--session", "a", "--user", "b"]])
def test_one_way_to_say_which(imported, cli, options):
    done = cli("traces", "delete", *options, "--yes")
    assert (done.status, "in one way" in done.err) == (2, True)


def test_what_is_not_there_is_told(imported, cli):
    done = cli("traces", "delete", "--trace", T1[:8], "--yes")
    assert (done.status, T1 in done.err) == (2, True)
    done = cli("traces", "delete", "--user", "nobody", "--yes")
    assert (done.status, "nothing is deleted" in done.err) == (0, True)
    assert len(left(cli)) == 2


@pytest.fixture
def waiting(folder):
    """A store of two traces that nobody has understood yet, each from a machine of its own."""
    (folder / ".acidtest").mkdir()
    with SpanStore(str(folder / ".acidtest" / "store.db")) as spans:
        for user, words in (("ada", "My lamp is broken"), ("bob", "My chair is broken")):
            named = {"session.id": f"s-{user}", "user.id": user, "input.value": words}
            one = Span(
                trace_id=f"t-{user}",
                span_id="1",
                name="ask",
                start_ns=1,
                end_ns=0,
                attributes={"openinference.span.kind": "CHAIN", **named},
                resource={"host.name": f"laptop-of-{user}", "service.name": "shop"},
            )
            far = 10**9
            spans.add([gathered([one])], now_ms=1, quiet_ms=far, ended_ms=far)
    return folder


@pytest.mark.parametrize(
    "options", [["--user", "ada"], ["--session", "s-ada"], ["--trace", "t-ada"]]
)
def test_what_is_not_understood_yet_goes_too_with_its_sender(waiting, cli, options):
    def stored() -> bytes:
        return b"".join(path.read_bytes() for path in (waiting / ".acidtest").iterdir())

    secrets = [b"My lamp is broken", b"laptop-of-ada"]
    assert all(secret in stored() for secret in secrets)
    done = cli("traces", "delete", *options, "--yes")
    assert (done.status, done.out.strip()) == (0, "Deleted 0 traces and 1 span")
    left = stored()
    assert not [secret for secret in secrets if secret in left]
    assert b"My chair is broken" in left
    assert b"laptop-of-bob" in left
    assert "nothing is deleted" in cli("traces", "delete", "--user", "ada", "--yes").err


def test_a_trace_that_was_understood_and_got_more_is_counted_once(imported, cli):
    with SpanStore(str(imported / ".acidtest" / "store.db")) as spans:
        more = Span(
            trace_id=T1,
            span_id="late",
            parent_id=T1,
            name="late",
            start_ns=1,
            end_ns=2,
            attributes={"session.id": "s-1"},
        )
        spans.add([gathered([more])], now_ms=1, quiet_ms=10**9, ended_ms=10**9)
    done = cli("traces", "delete", "--session", "s-1", "--yes")
    assert done.out.strip() == "Deleted 1 trace and 3 spans"
    assert left(cli) == [T2]
