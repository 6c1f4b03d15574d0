import pytest

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
