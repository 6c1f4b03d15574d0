"""Rules: from findings to a ruling, or to leaving it open.

A few rules decide and everything else is undecided. They are plain and readable because more features and
a learned combination of them told supported claims from others no better on data that they were not
fitted on; the handbook says what was tried.
"""

from typing import Literal

from msgspec import Struct

from acidtest.judges.local.findings import Findings

Ruling = Literal["supported", "unsupported", "undecided"]


class Thresholds(Struct, frozen=True, kw_only=True):
    """Where the rules cut; fitted by `benchmarks/local_judge.py`.

    Attributes:
        low: Under this share of its words in the best window a claim is unsupported.
        low_odd: The same when a name or number of it stands in no passage.
        high: From this share on a claim may be supported.
        order: Share of neighbouring words that must keep their order to be supported.
        gap: Neighbouring words unknown to all passages that a supported claim may have.
        window_gap: Neighbouring words unknown to the window that a supported claim may have.
        least: Words that a claim must have to be ruled unsupported by its share.
        useful: From this share of an answer's sentence on a context is useful.
        useless: Under this share of every sentence a context is useless.
        short: Words up to which a reference is a name, a number or a phrase.
    """

    low: float = 0.3
    low_odd: float = 0.5
    high: float = 0.75
    order: float = 0.5
    gap: int = 1
    window_gap: int = 2
    least: int = 4
    useful: float = 0.8
    useless: float = 0.25
    short: int = 6


THRESHOLDS = Thresholds()


def rule(found: Findings, cut: Thresholds = THRESHOLDS) -> tuple[Ruling, str]:
    """Return the ruling on a claim, and why in one sentence."""
    against = _against(found, cut)
    if against is not None:
        if found.foreign:
            return "undecided", "claim and passages are in different languages"
        return "unsupported", against
    doubt = _doubt(found, cut)
    if doubt is not None:
        return "undecided", doubt
    return "supported", f"{found.share:.0%} of its words stand together there"


def _against(found: Findings, cut: Thresholds) -> str | None:
    """Say why a claim is unsupported; None when it may be supported."""
    if found.absent_numbers:
        return f"no passage has {_list(found.absent_numbers)}"
    if found.absent_names and found.share < cut.low_odd:
        return f"no passage has {_list(found.absent_names)}, and little else of it stands together"
    if found.size >= cut.least and found.share < cut.low:
        return (
            f"no passage has {_list(found.missing)}"
            if found.missing
            else (f"only {found.share:.0%} of its words stand together in any passage")
        )
    return None


def _doubt(found: Findings, cut: Thresholds) -> str | None:
    """Say why a claim cannot be ruled supported; None when it can."""
    doubts = (
        (
            found.share < cut.high,
            f"{found.share:.0%} of its words stand together in the best place",
        ),
        (found.stray_numbers, f"{_list(found.stray_numbers)} does not stand beside the rest"),
        (found.absent_names, f"no passage has {_list(found.absent_names)}"),
        (found.negation, "it is negated, and the passage is not"),
        (found.denial, "the passage is negated, and it is not"),
        (found.gap > cut.gap, f"no passage has {_list(found.missing)}"),
        (found.window_gap > cut.window_gap, "a part of it does not stand beside the rest"),
        (found.order <= cut.order, "the same words stand there in another order"),
    )
    return next((why for holds, why in doubts if holds), None)


def _list(items: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{item[:60]}"' for item in items[:6])
    return f"{shown}, ..." if len(items) > 6 else shown
