"""Addresses of channels: what could never be reached is refused at the start, and nothing secret is shown."""

import pytest

from acidtest.errors import AcidtestError, BadConfig, MissingExtra
from acidtest.online import addresses
from acidtest.online.addresses import check_channels, mark_of, reached
from acidtest.online.config import AlertsConfig

ENVIRONMENT = {
    "KEY": "s3cret",
    "HOOK": "https://hooks.example/s3cret",
    "EMPTY": "",
    "BAD": "s3 cret",
}


@pytest.mark.parametrize(
    ("alerts", "message"),
    [
        ({"webhook": "https://h.example/${NOT_THERE}"}, "the variable NOT_THERE is not set"),
        ({"webhook": "${EMPTY}"}, "the variable EMPTY is empty"),
        ({"webhook": "${KEY}"}, "with its variables filled in it is no address"),
        ({"webhook": "https://${BAD}:${KEY}/"}, "with its variables filled in it is no address"),
        (
            {"apprise": ("slack://${KEY}/b/c", "ntfy://${NOT_THERE}")},
            "the variable NOT_THERE is not",
        ),
    ],
)
def test_what_could_never_be_told_is_refused(alerts, message):
    with pytest.raises(BadConfig) as refused:
        check_channels(AlertsConfig(**alerts), "f.toml: [online.alerts]", ENVIRONMENT)
    told = str(refused.value)
    assert told.startswith("f.toml: [online.alerts] ")
    assert message in told
    assert "s3" not in told


def test_what_is_whole_is_taken_and_shown_without_its_secrets():
    config = AlertsConfig(webhook="${HOOK}", apprise=("slack://${KEY}/b/c",))
    check_channels(config, environment=ENVIRONMENT)
    assert reached(config, ENVIRONMENT) == ["https://hooks.example/...", "slack://..."]
    check_channels(AlertsConfig(), environment={})


def test_apprise_is_asked_for_before_it_is_needed(monkeypatch):
    def absent(*_, **__):
        raise MissingExtra("no apprise", fix="pip install 'acidtest[alerts]'")

    monkeypatch.setattr(addresses, "folder", absent)
    with pytest.raises(AcidtestError, match="pip install"):
        check_channels(AlertsConfig(apprise=("ntfy://a",)), environment={})


def test_a_mark_tells_addresses_apart_and_nothing_of_them():
    assert mark_of("https://h.example/s3cret") != mark_of("https://h.example/s3creT")
    assert len(mark_of("\udcff")) == 16
