"""Reading evidence: what is refused, and how it is told."""

import json

import pytest

from acidtest.errors import BadData, FormatTooNew
from acidtest.project.card.evidence import read_piece
from acidtest.project.config import Config


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON that a command of acidtest wrote"),
        ("[]", "not JSON that a command of acidtest wrote"),
        ("[" * 100_000, "not JSON that a command of acidtest wrote"),
        ("\ufeff\x00", "not JSON that a command of acidtest wrote"),
        ("{}", "it does not say what"),
        ('{"format": "acidtest/judge-card"}', "it says that it is 'acidtest/judge-card'"),
        ('{"format": "acidtest/judge-bias"}', "not what acidtest wrote"),
        ('{"format": "acidtest/judge-check", "plain": 3}', "not what acidtest wrote"),
        ('{"format": "acidtest/judge-calibrate"}', "not what acidtest wrote"),
    ],
)
def test_what_is_no_evidence(tmp_path, text, told):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BadData, match=told) as caught:
        read_piece(str(path), Config())
    assert caught.value.where == str(path)
    assert caught.value.fix


def test_a_later_format(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"format": "acidtest/judge-bias", "version": 2}')
    with pytest.raises(FormatTooNew, match="version 2"):
        read_piece(str(path), Config())


@pytest.mark.parametrize("value", [2.5, -3, "0.5", True])
def test_an_agreement_that_cannot_be(tmp_path, given, value):
    found = given.calibration()
    found["kappa"]["value"] = value
    path = tmp_path / "x.json"
    path.write_text(json.dumps(found))
    with pytest.raises(BadData, match="kappa"):
        read_piece(str(path), Config())


@pytest.mark.parametrize("value", [1e308, -1e308])
def test_a_number_that_nothing_measures(tmp_path, value):
    path = tmp_path / "x.json"
    document = {"format": "acidtest/judge-bias", "repeatability": [{"ci": [value, 1.0]}]}
    path.write_text(json.dumps(document))
    with pytest.raises(BadData, match="it holds the number") as caught:
        read_piece(str(path), Config())
    assert caught.value.where == str(path)
