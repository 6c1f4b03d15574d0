"""Judges as quick as a look-up: nobody is called, so nothing is worth keeping, bounding or counting."""


def instant(judge: object) -> bool:
    """Say whether a judge is one, without importing it: its class is marked `instant`."""
    return getattr(type(judge), "instant", None) is True
