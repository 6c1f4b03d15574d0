"""`acidtest watch --once` over weeks of history: status 1 while an alert is open, and each one told once, signed."""

import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec
import pytest
from msgspec.structs import replace

from acidtest.data.outcomes import Score
from acidtest.data.traces import Trace
from acidtest.online.look import read_state
from acidtest.store.alerts import Alerts
from acidtest.store.trace_tables import trace_scores
from acidtest.store.traces import TraceStore

DAY_MS = 86_400_000
SECRET = "s3cret"  # noqa: S105 - what the webhook is signed with


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.headers["Acidtest-Signature"], body))
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else 204)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def hook(monkeypatch):
    """A webhook: what it was posted, and what it is to answer."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    server.got, server.statuses = [], []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("HOOK", f"http://127.0.0.1:{server.server_port}/hook")
    monkeypatch.setenv("ACIDTEST_WEBHOOK_SECRET", SECRET)
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def fill(url, days, *, bad, per=30):
    """Store scored traces of some days before today."""
    midnight = time.time_ns() // 1_000_000 // DAY_MS * DAY_MS
    with TraceStore(url) as store:
        traces = [
            Trace(
                id=f"t{day}-{n}",
                started_ns=(midnight - day * DAY_MS + n * 60_000) * 1_000_000,
                question="Why?",
                answer="So.",
            )
            for day in days
            for n in range(per)
        ]
        store.save([(trace, f"d{trace.id}") for trace in traces], now_ms=midnight)
        rows = []
        for place, trace in enumerate(traces):
            value = 0.4 if place % 10 < bad else 1.0
            rows.append(
                {
                    "trace_id": trace.id,
                    "metric": "citation_validity",
                    "digest": f"d{trace.id}",
                    "judge": None,
                    "version": "1",
                    "created": midnight,
                    "value": value,
                    "body": msgspec.json.encode(Score(value=value)),
                }
            )
        with store._begin() as connection:
            connection.execute(trace_scores.insert(), rows)


def test_an_alert_is_status_1_told_once_and_over_a_day_after_all_is_back(
    folder, cli, any_url, hook
):
    (folder / "acidtest.toml").write_text(
        '[online]\nsample = 1.0\nmetrics = ["citation_validity"]\n'
        '[online.alerts]\nwebhook = "${HOOK}"\n'
    )
    once = ("watch", "--once", "--store", any_url)
    fill(any_url, range(40, 6, -1), bad=1)
    ran = cli(*once)
    assert ran.status == 0
    said = " ".join(ran.out.split())
    assert "citation_validity" in said
    assert ": changes are told, held against 840 scored traces on 28 days, " in said
    known = {one["metric"]: one for one in cli(*once, "--json", "-").json["references"]}
    assert (known["citation_validity"]["state"], known["error"]["traces"]) == ("complete", 840)
    assert hook.got == []

    fill(any_url, range(6, 3, -1), bad=6)
    ran = cli(*once)
    assert (ran.status, "Open alerts: 1" in ran.out) == (1, True)
    assert cli(*once).status == 1  # a restart tells nothing again
    ((signed, body),) = hook.got
    moment, digest = (part.split("=")[1] for part in signed.split(","))
    ours = hmac.new(SECRET.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(digest, ours)
    said = json.loads(body)
    assert (said["format"], said["version"], said["alert"]["state"]) == (
        "acidtest/alert",
        1,
        "open",
    )
    assert "citation_validity fell" in said["alert"]["title"]
    assert len(said["alert"]["worst"]) == 10

    fill(any_url, range(3, 0, -1), bad=1, per=60)
    assert cli(*once).status == 1  # back, and not yet for a day
    with Alerts(any_url) as kept:
        (stored,) = kept.listed(state="open")
        assert stored.alert.calm_since_ms is not None
        kept.save([replace(stored.alert, calm_since_ms=stored.alert.calm_since_ms - DAY_MS - 1)])
    hook.statuses.append(404)  # that it is over does not arrive
    assert cli(*once).status == 0
    assert len(hook.got) == 2
    assert cli(*once).status == 0
    assert cli(*once).status == 0
    assert [json.loads(body)["alert"]["state"] for _, body in hook.got] == [
        "open",
        "ended",
        "ended",
    ]
    with Alerts(any_url) as kept:
        assert [sent.error for sent in read_state(kept).sent] == ["", "it answered 404", ""]
        assert {drift.metric for drift in read_state(kept).drifts} >= {"citation_validity", "error"}


def test_the_weeks_digest_is_sent_once_and_what_did_not_arrive_is_said(folder, cli, any_url, hook):
    (folder / "acidtest.toml").write_text(
        '[online]\nsample = 1.0\nmetrics = ["citation_validity"]\n'
        '[online.alerts]\nwebhook = "${HOOK}"\ndigest = "monday"\n'
    )
    once = ("watch", "--once", "--store", any_url)
    fill(any_url, range(14, 0, -1), bad=1, per=4)
    hook.statuses.append(404)
    ran = cli(*once)
    assert ran.status == 0
    assert "The week's digest did not reach http://127.0.0.1:" in ran.out
    assert "it answered 404" in ran.out
    told = cli(*once, "--json", "-").json["digest"]
    assert [(each["key"][:7], each["error"]) for each in told] == [("digest:", "")]
    assert "digest" not in cli(*once).out
    (_, lost), (signed, body) = hook.got
    assert lost == body
    moment, digest = (part.split("=")[1] for part in signed.split(","))
    ours = hmac.new(SECRET.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(digest, ours)
    assert json.loads(body)["format"] == "acidtest/digest"
    assert json.loads(body)["traces"] == 28
