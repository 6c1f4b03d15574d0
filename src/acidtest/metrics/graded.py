"""One judgement as counts: a metric whose case is judged as a whole counts it as one claim.

So a graded metric's `parts` can be pooled with those of `metrics.claims`: the value of the grade is the
supported share of the one claim.
"""


def graded(value: float) -> dict[str, float]:
    """Return the parts of a case that was given a grade in 0..1."""
    return {
        "claims": 1.0,
        "supported": value,
        "unsupported": 1.0 - value,
        "contradicted": 0.0,
        "undecided": 0.0,
    }


def left_open() -> dict[str, float]:
    """Return the parts of a case that an abstaining judge left open."""
    return graded(0.0) | {"unsupported": 0.0, "undecided": 1.0}
