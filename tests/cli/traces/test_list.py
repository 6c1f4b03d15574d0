import json

import pytest

T1, T2 = "r-0001-returns", "r-0002-shipping"


CHOICES = [
    ([], [T2, T1]),
    (["--text", "RETURN"], [T1]),
    (["--session", "s-1"], [T1]),
    (["--user", "anna@mail.example"], [T1]),
    (["--tag", "returns"], [T1]),
    (["--failed"], [T2]),
    (["--since", "2026-11-02"], [T2]),
    (["--until", "2026-11-02T00:00+00:00"], [T1]),
    (["--limit", "1"], [T2]),
    (["--feedback", "bad"], []),
    (["--metric", "faithfulness", "--below", "0.5"], []),
    (["--service", "none"], []),
    (["--model", "none"], []),
    (["--abstained"], []),
]


def test_traces_are_chosen(imported, cli):
    for options, found in CHOICES:
        done = cli("traces", "list", "--json", "-", *options)
        assert done.status == 0
        assert done.json["format"] == "acidtest/traces"
        assert [each["trace_id"] for each in done.json["traces"]] == found, options


def test_json_has_every_part_or_the_reason(imported, cli):
    failed, good = cli("traces", "list", "--json").json["traces"]
    assert good["question"] == "Who pays for a return?"
    assert good["contexts"] == [
        {"id": "returns#1", "text": "We pay for faulty goods."},
        {"id": "returns#2", "text": "Others are paid by you."},
    ]
    assert (good["session"], good["user"], good["tags"]) == (
        "s-1",
        "anna@mail.example",
        ["returns"],
    )
    assert good["started"] == "2026-11-01T10:00:00.000+00:00"
    assert good["scores"] == {}
    assert good["missing"]["usage"]
    assert failed["error"] == "timeout"
    assert failed["answer"] is failed["contexts"] is failed["usage"] is failed["model"] is None
    assert {"answer", "retrieved", "usage", "model"} <= failed["missing"].keys()


def test_the_table_fits(imported, cli, monkeypatch):
    for width in (60, 80, 110):
        monkeypatch.setenv("COLUMNS", str(width))
        done = cli("traces", "list")
        assert T1[:12] in done.out
        assert "failed" in done.out
        assert max(map(len, done.out.splitlines())) <= width


def test_scores_are_shown_and_found(imported, cli):
    from acidtest.data.outcomes import Score
    from acidtest.online.assemble import digest_of
    from acidtest.store.trace_jobs import TraceJobs
    from acidtest.store.trace_saving import Understood
    from acidtest.store.traces import TraceStore

    url = str(imported / ".acidtest" / "store.db")
    with TraceStore(url) as store, TraceJobs(url) as jobs:
        trace = store.trace(T1).trace
        store.save([Understood(trace=trace, digest=digest_of(trace), why="drawn")], now_ms=1)
        (job,) = [job for job in jobs.lease("me", 5, 60, now_ms=2) if job.trace_id == T1]
        given = {"faithfulness": Score(0.25, "1 of 4 claims"), "grounding_leak": Score(0.0)}
        jobs.done(job, given | {"of_long_ago": Score(0.5)}, now_ms=3)
    (found,) = cli("traces", "list", "--metric", "faithfulness", "--below", "0.3", "--json").json[
        "traces"
    ]
    assert found["scores"]["faithfulness"]["value"] == 0.25
    below = cli("traces", "list", "--metric", "faithfulness", "--below", "0.25", "--json")
    assert below.json["traces"] == []
    assert "0.25 faithfulness" in cli("traces", "list").out
    assert "1 of 4 claims" in cli("traces", "show", T1).out


def test_a_store_that_is_not_there_lists_nothing_and_is_not_made(folder, cli):
    done = cli("traces", "list", "--json")
    assert (done.status, done.json["traces"]) == (0, [])
    assert cli("traces", "list").status == 0
    done = cli("traces", "show", "x")
    assert (done.status, "holds no trace yet" in done.err) == (2, True)
    assert not (folder / ".acidtest").exists()


def test_bad_choices_are_refused(imported, cli):
    for options, message in (
        (["--below", "0.5"], "--metric"),
        (["--since", "yesterday"], "Write a day"),
        (["--until", "2026-13-01"], "--until"),
    ):
        done = cli("traces", "list", *options)
        assert (done.status, message in done.err) == (2, True)


def test_show_tells_contexts_spans_and_what_is_missing(imported, cli):
    done = cli("traces", "show", T1[:6])
    assert done.status == 0
    for told in ("Who pays for a return?", "returns#1: We pay", "Spans (2)", "\nask ", "\n  find "):
        assert told in done.out
    document = cli("traces", "show", T1, "--json").json
    assert document["format"] == "acidtest/trace"
    assert document["trace"]["trace_id"] == T1
    assert [span["name"] for span in document["spans"]] == ["ask", "find"]


def test_a_name_that_is_no_trace_or_several_is_refused(imported, cli):
    done = cli("traces", "show", "r-000")
    assert done.status == 2
    assert T1 in done.err
    assert T2 in done.err
    assert cli("traces", "show", "zz").status == 2


def test_exported_outputs_are_run_and_promoted(imported, cli):
    assert cli("traces", "export", "--to", "outputs.jsonl").status == 0
    (row,) = map(json.loads, (imported / "outputs.jsonl").read_text().splitlines())
    assert (row["id"], row["answer"]) == (T1, "The customer.")
    assert [chunk["id"] for chunk in row["retrieved"]] == ["returns#1", "returns#2"]
    done = cli(
        *("golden", "promote", T1, "--outputs", "outputs.jsonl", "--into", "g.jsonl"),
        *("--relevant", "returns#1=3", "--reference", "You do, unless it is faulty."),
    )
    assert done.status == 0
    run = cli(
        "run", "--golden", "g.jsonl", "--outputs", "outputs.jsonl", "-m", "recall@5", "--json"
    )
    assert run.json["metrics"]["recall@5"]["mean"] == 1.0


def test_an_export_of_nothing_writes_nothing(imported, cli):
    done = cli("traces", "export", "--to", "o.jsonl", "--failed")
    assert (done.status, "Left out 1" in done.err) == (0, True)
    assert not (imported / "o.jsonl").exists()


def test_json_is_written_as_it_is_read_and_is_whole(imported):
    import msgspec

    from acidtest.report.traces_json import traces_json
    from acidtest.store.traces import TraceStore

    with TraceStore(str(imported / ".acidtest" / "store.db")) as store:
        some = store.listed()
    for given in ([], some[:1], some):
        whole = b"".join(traces_json(given))
        assert whole == msgspec.json.format(whole, indent=1) + b"\n"
        assert len(msgspec.json.decode(whole)["traces"]) == len(given)

    def endless():
        while True:
            yield some[0]

    pieces = traces_json(endless())
    assert (
        b"r-0001" in b"".join(next(pieces) for _ in range(3))
        or b"r-0002" in some[0].trace.id.encode()
    )


@pytest.mark.parametrize("command", ["list", "export"])
def test_a_store_that_fails_midway_leaves_the_old_file(imported, cli, monkeypatch, command):
    from acidtest.errors import StoreError
    from acidtest.store.traces import TraceStore

    usual = TraceStore.page
    pages = []

    def fails(self, chosen=None, *, after=None, limit=50):
        pages.append(after)
        if after is not None:
            raise StoreError("the disk is gone")
        return usual(self, chosen, after=after, limit=1)[0], (0, "there is more")

    monkeypatch.setattr(TraceStore, "page", fails)
    (imported / "out.json").write_text("old")
    option = {"list": "--json", "export": "--to"}[command]
    done = cli("traces", command, option, "out.json", "--text", "return")
    assert (done.status, "the disk is gone" in done.err) == (2, True)
    assert (imported / "out.json").read_text() == "old"
    assert [path.name for path in imported.glob(".acidtest-*")] == []
    done = cli("traces", command, option, "-", "--text", "return")
    assert (done.status, T1 in done.out) == (2, True)  # what was read was written by then


def test_where_nothing_fits_it_says_whether_there_is_any(imported, cli, tmp_path):
    assert cli("traces", "list", "--tag", "none").err == "No trace is like that.\n"
    empty = cli("traces", "list", "--store", str(tmp_path / "empty.db"))
    assert (empty.status, empty.err.startswith("There is no trace yet.")) == (0, True)


def test_a_trace_that_is_not_there_is_not_said_to_be_the_only_thing_missing(imported, cli):
    for command in (["show", "nix"], ["delete", "--trace", "nix", "--yes"]):
        done = cli("traces", *command)
        assert done.status == 2
        assert "unknown trace 'nix'. No id begins so. See them with: acidtest" in done.err
