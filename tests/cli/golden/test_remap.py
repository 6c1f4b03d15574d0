"""`acidtest golden remap` and `golden stale`: files in, files out, status, and what is refused."""

import json

import pytest

import acidtest as at

PRICE = "The Pro plan costs 49 euros a month and is billed in advance."
REFUND = "Refunds are paid within 14 days of the request."
SUPPORT = "Support answers on weekdays from nine to five."


def lines(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def evidence(text, chunk, doc="plans"):
    return [{"text": text, "chunk_id": chunk, "doc_id": doc}]


@pytest.fixture
def files(folder):
    lines(
        folder / "golden.jsonl",
        [
            {"id": "price", "question": "Price?", "relevant": {"a0": 2}, "evidence": evidence(PRICE, "a0")},
            {"id": "refund", "question": "Refund?", "relevant": ["a1"], "evidence": evidence(REFUND, "a1")},
            {"id": "yes", "question": "Open?", "relevant": ["a2"], "evidence": evidence("yes", "a2")},
            {"id": "gone", "question": "Zebra?", "relevant": ["a3"], "evidence": evidence("An honest zebra walks here.", "a3")},
            {"id": "open", "question": "Laptop?", "answerable": False},
        ],
    )  # fmt: skip
    lines(
        folder / "new.jsonl",
        [
            {"id": f"n{n}", "text": text, "doc_id": "plans", "doc_version": "v2"}
            for n, text in enumerate(
                [PRICE[:30], PRICE[30:], f"{REFUND} So yes.", f"yes: {SUPPORT}"]
            )
        ],
    )
    return folder


REMAP = ("golden", "remap", "golden.jsonl", "--chunks", "new.jsonl")


def test_report_set_and_review(cli, files):
    done = cli(*REMAP, "--out", "g2.jsonl", "--review", "r.jsonl", "--json", "-")
    assert done.status == 1
    report = done.json
    assert (report["format"], report["version"]) == ("acidtest/remap", 1)
    assert report["kept"] == {"count": 0, "cases": []}
    assert report["split"] == {"count": 1, "cases": ["price"]}
    assert report["moved"] == {"count": 1, "cases": ["refund"]}
    assert report["doubtful"] == {"count": 1, "cases": ["yes"]}
    assert report["lost"] == {"count": 1, "cases": ["gone"]}
    assert report["unlabelled"] == {"count": 1, "cases": ["open"]}
    assert [each["label"] for each in report["labels"]] == ["a0", "a1", "a2", "a3"]
    now = at.load_golden("g2.jsonl")
    assert report["out"]["version"] == now.version
    assert [case.relevant for case in now][:2] == [{"n0": 2, "n1": 2}, {"n2": 1}]
    assert now[1].evidence[0].doc_version == "v2"
    assert now[3].relevant == {"a3": 1}
    assert [row["case"] for row in read(files / "r.jsonl")] == ["yes", "gone"]


def test_without_anything_open_the_status_is_0(cli, files):
    rows = read(files / "golden.jsonl")
    lines(files / "golden.jsonl", rows[:2])
    done = cli(*REMAP)
    assert done.status == 0
    assert "moved" in done.out


@pytest.mark.parametrize("which", ["golden.jsonl", "g2.jsonl"])
def test_a_review_is_taken_back(cli, files, which):
    cli(*REMAP, "--out", "g2.jsonl", "--review", "r.jsonl")
    rows = read(files / "r.jsonl")
    rows[0]["decision"] = ["n3"]
    rows[1]["decision"] = "drop"
    lines(files / "r.jsonl", rows)
    done = cli("golden", "remap", which, "--chunks", "new.jsonl", "--apply", "r.jsonl", "--out", "g3.jsonl", "--json", "-")  # fmt: skip
    assert done.status == 0
    assert done.json["doubtful"]["count"] == done.json["lost"]["count"] == 0
    assert done.json["dropped"]["cases"] == ["gone"]
    now = at.load_golden("g3.jsonl")
    assert now[2].relevant == {"n3": 1}
    assert now[2].evidence[0].chunk_id == "n3"
    assert now[3].relevant is None
    assert now[3].evidence == ()
    again = cli("golden", "remap", "g3.jsonl", "--chunks", "new.jsonl", "--out", "g4.jsonl")
    assert again.status in (0, 1)  # "yes" still stands in two places
    assert [case.relevant for case in at.load_golden("g4.jsonl")] == [case.relevant for case in now]


def test_accept_and_keep(cli, files):
    cli(*REMAP, "--review", "r.jsonl")
    rows = read(files / "r.jsonl")
    rows[0]["decision"], rows[1]["decision"] = "accept", "keep"
    lines(files / "r.jsonl", rows)
    done = cli(*REMAP, "--apply", "r.jsonl", "--out", "g2.jsonl")
    assert done.status == 0
    now = at.load_golden("g2.jsonl")
    assert list(now[2].relevant) == [rows[0]["proposed"][0]["id"]]
    assert now[3].relevant == {"a3": 1}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"decision": "maybe"}, "r.jsonl:1: field 'decision': 'maybe' is no decision"),
        ({"decision": 3}, "r.jsonl:1: field 'decision': a decision is not the number 3"),
        ({"decision": ["n9"]}, "r.jsonl:1: field 'decision': the new chunks have no chunk 'n9'"),
        ({"decision": {"n1": 7}}, "r.jsonl:1: field \"decision['n1']\": a grade is a whole number"),
        ({"decision": "keep", "case": "yess"}, "the set has no case 'yess'. Did you mean 'yes'?"),
        ({"decision": "keep", "label": "zz"}, "field 'label': case 'yes' has no label 'zz'"),
        ({"decision": "keep", "label": None}, "r.jsonl:1: field 'label': is missing"),
        ({"decision": "keep", "kind": "page"}, "must be chunk or document, not 'page'"),
        ({"decision": "keep", "proposed": "n1"}, "field 'proposed': must be the list"),
        ({"decison": "keep"}, "unknown field 'decison'. Did you mean 'decision'?"),
    ],
)  # fmt: skip
def test_a_review_that_was_edited_wrongly(cli, files, change, says):
    cli(*REMAP, "--review", "r.jsonl")
    rows = read(files / "r.jsonl")
    lines(files / "r.jsonl", [rows[0] | change, *rows[1:]])
    done = cli(*REMAP, "--apply", "r.jsonl", "--out", "g2.jsonl")
    assert done.status == 2
    assert says in done.err
    assert not (files / "g2.jsonl").exists()


def test_a_label_that_is_decided_twice(cli, files):
    cli(*REMAP, "--review", "r.jsonl")
    row = read(files / "r.jsonl")[0] | {"decision": "keep"}
    lines(files / "r.jsonl", [row, row])
    assert "r.jsonl:2: the label 'a2' of case 'yes' is decided twice" in cli(*REMAP, "--apply", "r.jsonl").err  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([{"id": "n0"}], "new.jsonl:1"),
        ([{"id": "n0", "text": "a"}, {"id": "n0", "text": "b"}], "new.jsonl:2: the id 'n0' is already"),
        ([], "empty"),
    ],
)  # fmt: skip
def test_bad_chunks(cli, files, rows, says):
    lines(files / "new.jsonl", rows)
    done = cli(*REMAP)
    assert done.status == 2
    assert says in done.err


def test_inputs_are_not_written_over(cli, files):
    done = cli(*REMAP, "--out", "golden.jsonl")
    assert done.status == 2
    assert "would overwrite the golden set" in done.err


def test_hostile_ids_reach_no_terminal(cli, files):
    lines(
        files / "golden.jsonl",
        [{"id": "\x1b[31mred", "question": "?", "relevant": ["\x1b]0;title\x07"]}],
    )
    done = cli(*REMAP)
    assert done.status == 1
    assert "\x1b" not in done.out + done.err


STALE = ("golden", "stale", "golden.jsonl", "--corpus", "today.jsonl")


@pytest.fixture
def today(files):
    lines(
        files / "today.jsonl",
        [
            {"id": "x", "text": PRICE.replace("49", "59"), "doc_id": "plans", "doc_version": "v3"},
            {"id": "y", "text": REFUND, "doc_id": "refunds", "doc_version": "v1"},
        ],
    )
    return files


def test_stale_by_case(cli, today):
    done = cli(*STALE, "--json", "-")
    assert done.status == 1
    report = done.json
    assert (report["format"], report["version"]) == ("acidtest/stale", 1)
    assert report["changed"] == {"count": 3, "cases": ["price", "yes", "gone"]}
    assert report["moved"] == {"count": 1, "cases": ["refund"]}
    for state in ("renamed", "vanished", "still_good"):
        assert report[state] == {"count": 0, "cases": []}
    assert report["unanswerable"]["cases"] == ["open"]
    price = report["evidence"][0]
    ((start, end),) = price["gone"]
    assert price["text"][start:end] == "49"


def test_the_difference_is_shown(cli, today):
    assert "[-49-] {+59+}" in " ".join(cli(*STALE).out.split())


def test_rebuild_and_apply(cli, today):
    cli(*STALE, "--rebuild", "r.jsonl")
    rows = read(today / "r.jsonl")
    assert [row["case"] for row in rows] == ["price", "refund", "yes", "gone"]
    assert rows[0]["evidence"][0]["today"] == PRICE.replace("49", "59")
    assert "[-49-]" in rows[0]["evidence"][0]["difference"]
    rows[0] |= {"decision": "update", "reference": "59 euros"}
    rows[1]["decision"] = "update"
    rows[2]["decision"] = rows[3]["decision"] = "drop"
    lines(today / "r.jsonl", rows)
    done = cli(*STALE, "--apply", "r.jsonl", "--out", "g2.jsonl", "--json", "-")
    assert done.status == 0
    assert done.json["still_good"]["cases"] == ["price", "refund"]
    now = at.load_golden("g2.jsonl")
    assert [case.id for case in now] == ["price", "refund", "open"]
    assert now[0].reference == "59 euros"
    assert now[1].evidence[0].doc_id == "refunds"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"decision": "yes"}, "r.jsonl:1: field 'decision': 'yes' is no decision"),
        ({"decision": "update", "evidence": "x"}, "field 'evidence': must be the list"),
        ({"decision": "update", "evidence": [7]}, "field 'evidence[0]': must be the mapping"),
        ({"decision": "update", "reference": 7}, "field 'reference': must be text or null"),
        ({"desision": "keep"}, "unknown field 'desision'"),
    ],
)
def test_a_stale_review_that_was_edited_wrongly(cli, today, change, says):
    cli(*STALE, "--rebuild", "r.jsonl")
    rows = read(today / "r.jsonl")
    lines(today / "r.jsonl", [rows[0] | change])
    done = cli(*STALE, "--apply", "r.jsonl", "--out", "g2.jsonl")
    assert done.status == 2
    assert says in done.err


def test_apply_needs_a_place_to_write(cli, today):
    assert "--out" in cli(*STALE, "--apply", "r.jsonl").err


def test_no_corpus_is_named(cli, files):
    done = cli("golden", "stale", "golden.jsonl")
    assert done.status == 2
    assert "--corpus" in done.err


def test_from_python(today):
    assert at.stale("golden.jsonl", "today.jsonl").states["refund"] == "moved"
    found = at.remap("golden.jsonl", "new.jsonl")
    assert found.states["price"] == "split"
    assert found.golden[0].relevant == {"n0": 2, "n1": 2}
