import sqlite3

from prometheus_client.parser import text_string_to_metric_families

from acidtest.server.api import metrics
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


def exposed(answer):
    """Read an exposition as Prometheus does: samples by name and labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def test_every_series_is_there_from_the_beginning(opened):
    async with opened() as client:
        before = exposed(await client("GET", "/metrics"))
        await client("POST", "/v1/traces", SPAN, content_type="application/json")
        after = exposed(await client("GET", "/metrics"))
    assert set(before) == set(after)
    assert {key[1]: value for key, value in before.items() if key[0] == "acidtest_jobs"} == {
        "waiting": 0, "dead": 0, "out": 0,
    }  # fmt: skip
    for status in metrics.EXPORTS:
        assert before["acidtest_export_requests_total", str(status)] == 0
    assert before["acidtest_store_up",] == 1
    assert after["acidtest_export_requests_total", "200"] == 1


async def test_exports_that_are_kept_out_are_counted(opened):
    async with opened(token="a-token-of-some-length") as client:  # noqa: S106 - of no server
        assert (await client("POST", "/v1/traces", SPAN)).status == 401
        shown = {"authorization": "Bearer a-token-of-some-length"}
        found = exposed(await client("GET", "/metrics", **shown))
    assert found["acidtest_export_requests_total", "401"] == 1


async def test_health_tells_when_the_store_is_gone(opened, tmp_path):
    async with opened() as client:
        assert (await client("GET", "/health")).status == 200
        with sqlite3.connect(tmp_path / "served.db") as other:
            other.execute("DROP TABLE trace_jobs")
        other.close()
        answer = await client("GET", "/health")
        assert (answer.status, answer.json()) == (503, {"status": "the store does not answer"})
        found = numbers(await client("GET", "/metrics"))
        assert "acidtest_traces_pending" not in found
        assert "acidtest_spans_accepted_total" in found
        assert found["acidtest_store_up"] == 0


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
