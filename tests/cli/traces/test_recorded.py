"""From two lines in an application to a score: a real server takes it, a worker understands and scores it."""

import json
import subprocess
import sys
import urllib.request

import pytest

import acidtest as at


@pytest.fixture
def address(folder):
    (folder / "acidtest.toml").write_text(
        '[online]\nsample = 0.0\nalways = ["thumbs-down"]\nmetrics = ["faithfulness"]\n'
        "quiet_s = 0.0\nended_s = 0.0\n"
    )
    command = [sys.executable, "-m", "acidtest", "serve", "--port", "0", "--no-worker"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()
            assert server.communicate(timeout=20)[0] == ""


def watched(cli):
    done = cli("watch", "--once", "--json", "-")
    assert done.status == 0, done.err
    return done.json["traces"], done.json["scored"]


def listed(cli):
    return {each["trace_id"]: each for each in cli("traces", "list", "--json").json["traces"]}


def test_two_lines_then_feedback_then_a_score(address, cli):
    recorder = at.Recorder(address, service="shop")
    asked = [
        recorder.record(
            question="How long does the warranty last?",
            answer=answer,
            contexts=[{"id": "w#1", "text": "The warranty lasts two years."}],
            session="s-1",
            model="m-1",
            usage={"input_tokens": 9, "output_tokens": 5},
        )
        for answer in ("Ask the shop.", "The warranty lasts two years.")
    ]
    assert recorder.flush(20)
    assert watched(cli) == (2, 0)  # understood; no rule wants them scored
    good, bad = (listed(cli)[trace_id] for trace_id in asked)
    assert bad["answer"] == "The warranty lasts two years."
    assert (bad["contexts"][0]["id"], bad["session"], bad["model"]) == ("w#1", "s-1", "m-1")
    assert (bad["service"], bad["usage"]["input_tokens"]) == ("shop", 9)
    assert (good["scores"], bad["scores"], bad["feedback"]) == ({}, {}, [])

    # What users say comes later: by the same library, and as JSON from an application without it.
    recorder.feedback(asked[1], score=0, comment="Too short")
    assert recorder.flush(20)
    recorder.close()
    request = urllib.request.Request(
        f"{address}/api/traces/{asked[0]}/feedback",
        json.dumps({"good": True, "comment": "Thanks"}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 202
    assert watched(cli) == (2, 1)
    good, bad = (listed(cli)[trace_id] for trace_id in asked)
    assert [(f["good"], f["comment"], f["by"]) for f in bad["feedback"]] == [
        (False, "Too short", "user")
    ]
    assert bad["scores"]["faithfulness"]["value"] == 1.0
    assert [(f["good"], f["comment"]) for f in good["feedback"]] == [(True, "Thanks")]
    assert good["scores"] == {}
    assert watched(cli) == (0, 0)
