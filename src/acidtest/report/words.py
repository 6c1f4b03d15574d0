"""Statuses and verdicts as word, symbol and tone: the same in every form of report."""

from acidtest.data.compared import Change
from acidtest.data.readings import Finding
from acidtest.data.runs import Diagnosis

Tone = str
"""One of good, bad, warn, mute."""

STYLES = {"good": "green", "bad": "red", "warn": "yellow", "mute": "dim"}
"""The tones in a terminal."""

SYMBOLS = {"good": "✓", "bad": "✗", "warn": "!", "mute": "–"}
"""The tones without colour; plain words stand beside them."""

STATUS_TONES = {
    "met": "good",
    "below": "bad",
    "unreachable": "mute",
    "untrusted": "warn",
    "missing": "warn",
}

CLAIM_TONES = {
    "supported": "good",
    "unsupported": "bad",
    "contradicted": "bad",
    "undecided": "warn",
}

CLAIM_SYMBOLS = {"supported": "✓", "unsupported": "✗", "contradicted": "≠", "undecided": "?"}


def status_word(finding: Finding) -> str:
    """Return the status as one word; a metric that is better low is `above` its target, not below."""
    over = finding.value is not None and finding.value > finding.target
    return "above" if finding.status == "below" and over else finding.status


def verdict_tone(diagnosis: Diagnosis | None) -> Tone:
    """Return the tone of a verdict."""
    if diagnosis is None or diagnosis.verdict == "unknown":
        return "warn"
    return "good" if diagnosis.verdict == "ok" else "bad"


def change_tone(change: Change) -> Tone:
    """Return good or bad for a change that its interval sets apart from 0, else mute."""
    if change.ci is None or change.ci[0] <= 0.0 <= change.ci[1]:
        return "mute"
    up = change.delta > 0
    return "good" if up == (change.direction == "higher") else "bad"


def change_word(change: Change) -> str:
    """Return better, worse, same, or `within noise` where the interval does not tell."""
    if change.ties == change.n:
        return "same"
    return {"good": "better", "bad": "worse"}.get(change_tone(change), "within noise")


CLEAR = 0.05
"""A change is clear up to this p-value, corrected for how many metrics were compared."""


def change_finding(change: Change) -> str:
    """Return `change_word` shorter, and `perhaps` where only the interval tells and not the corrected test."""
    word = change_word(change)
    if word in {"better", "worse"} and change.p_adjusted is not None and change.p_adjusted > CLEAR:
        return "perhaps"
    return "noise" if word == "within noise" else word
