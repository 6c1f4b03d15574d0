"""A channel that could never be told: `watch`, `serve` and `doctor` say so at once, without what is secret."""

import pytest

CONFIG = """
[store]
url = "s.db"

[online]
metrics = ["citation_validity"]

[online.alerts]
webhook = "https://hooks.example/s3cret/${ACIDTEST_NOT_THERE}"
"""


@pytest.fixture
def project(folder, monkeypatch):
    monkeypatch.delenv("ACIDTEST_NOT_THERE", raising=False)
    (folder / "acidtest.toml").write_text(CONFIG)
    return folder


@pytest.mark.parametrize("command", [("watch",), ("watch", "--once"), ("serve", "--port", "0")])
def test_what_watches_does_not_begin(project, cli, command):
    ran = cli(*command)
    assert ran.status == 2
    assert (
        "acidtest.toml: [online.alerts] webhook: the variable ACIDTEST_NOT_THERE is not set"
        in ran.err
    )
    assert "s3cret" not in ran.err + ran.out
    assert not (project / "s.db").exists()


def test_doctor_says_it_and_shows_what_works(project, cli, monkeypatch):
    ran = cli("doctor")
    assert ran.status == 1
    (line,) = [line for line in ran.out.splitlines() if "alerts " in line and "extra" not in line]
    assert line.startswith("broken  alerts")
    assert "ACIDTEST_NOT_THERE is not set" in line
    monkeypatch.setenv("ACIDTEST_NOT_THERE", "hush")
    ran = cli("doctor")
    assert "https://hooks.example/...; not told anything" in ran.out
    assert "s3cret" not in ran.out
    assert "hush" not in ran.out
