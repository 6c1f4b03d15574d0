import sqlite3

from acidtest.server.counters import Durations, Rate
from acidtest.server.exposition import by, single, text


def numbers(answer):
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


SPAN = b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","endTimeUnixNano":"5"}]}]}]}'


async def test_metrics_count_what_came_and_what_waits(opened):
    async with opened() as client:
        await client("POST", "/v1/traces", SPAN, content_type="application/json")
        await client("POST", "/v1/traces", b"no", content_type="application/json")
        await client("GET", "/nope")
        answer = await client("GET", "/metrics")
        found = numbers(answer)
    assert answer.header("content-type").startswith("text/plain; version=0.0.4")
    assert found["acidtest_spans_accepted_total"] == 1
    assert found['acidtest_export_requests_total{status="200"}'] == 1
    assert found['acidtest_export_requests_total{status="400"}'] == 1
    assert found['acidtest_http_requests_total{status="404"}'] == 1
    assert found["acidtest_export_seconds_count"] == 2
    assert found['acidtest_export_seconds_bucket{le="+Inf"}'] == 2
    assert found["acidtest_commit_wait_seconds_count"] == 1
    assert found["acidtest_body_bytes"] == 0
    assert found["acidtest_traces_pending"] == 1
    assert found["process_cpu_seconds_total"] > 0


async def test_health_tells_when_the_store_is_gone(opened, tmp_path):
    async with opened() as client:
        assert (await client("GET", "/health")).status == 200
        with sqlite3.connect(tmp_path / "served.db") as other:
            other.execute("DROP TABLE trace_jobs")
        other.close()
        answer = await client("GET", "/health")
        assert (answer.status, answer.json()) == (503, {"status": "the store does not answer"})
        metrics = numbers(await client("GET", "/metrics"))
        assert "acidtest_traces_pending" not in metrics
        assert "acidtest_spans_accepted_total" in metrics


def test_text_is_what_prometheus_reads():
    times = Durations()
    for seconds in (0.005, 0.006, 99.0):
        times.add(seconds)
    written = text(
        [single("a_total", "counter", "A.", 3), by("b", "gauge", "B.", "of", {'q"\\\n': 1.5})],
        {("c_seconds", "C."): times},
    ).splitlines()
    assert written[:6] == [
        "# HELP a_total A.",
        "# TYPE a_total counter",
        "a_total 3",
        "# HELP b B.",
        "# TYPE b gauge",
        'b{of="q\\"\\\\\\n"} 1.5',
    ]
    assert 'c_seconds_bucket{le="0.005"} 1' in written
    assert 'c_seconds_bucket{le="0.01"} 2' in written
    assert 'c_seconds_bucket{le="10.0"} 2' in written
    assert written[-3:] == [
        'c_seconds_bucket{le="+Inf"} 3',
        "c_seconds_sum 99.011",
        "c_seconds_count 3",
    ]


def test_a_rate_fades(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("acidtest.server.counters.time.monotonic", lambda: clock[0])
    rate = Rate()
    for _ in range(1000):
        clock[0] += 0.01
        rate.add(50)
    assert 4900 < rate.now() < 5100
    clock[0] += 3
    assert rate.now() < 300
