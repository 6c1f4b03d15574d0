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
    """Where the rules cut; fitted by `benchmarks/fit_local_judge.py`.

    Attributes:
        low: Under this share of its words in the best window a claim is unsupported.
        low_odd: The same when a name or number of it stands in no passage.
        high: From here on a claim may be supported, by the mean of the shares of its words and of its
            neighbouring words in the best window.
        order: Share of neighbouring words that must keep their order to be supported.
        gap: Neighbouring words unknown to all passages that a supported claim may have, however short.
        gap_share: The same as a share of its words, where that is more.
        least: Words that a claim must have to be ruled unsupported by its share.
        useful: From here on a context is useful, by the same mean of a sentence of the answer.
        useless: Under this, by that mean of every sentence, a context is useless.
        short: Words up to which a reference is a name, a number or a phrase.
    """

    low: float = 0.3
    low_odd: float = 0.5
    high: float = 0.55
    order: float = 0.5
    gap: int = 1
    gap_share: float = 0.25
    least: int = 4
    useful: float = 0.55
    useless: float = 0.14
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
        (found.close < cut.high, _stands(found)),
        (found.stray_numbers, f"{_list(found.stray_numbers)} does not stand beside the rest"),
        (found.absent_names, f"no passage has {_list(found.absent_names)}"),
        (found.unknown, f"no passage has {_list(found.unknown)}, which may be a name"),
        (found.negation, "it denies what the passage does not"),
        (found.denial, "the passage denies what it does not"),
        (found.opposite, _instead(found.opposite)),
        (
            found.gap > max(cut.gap, cut.gap_share * found.size),
            f"no passage has {_list(found.missing)}",
        ),
        (found.order <= cut.order, "the same words stand there in another order"),
    )
    return next((why for holds, why in doubts if holds), None)


def _stands(found: Findings) -> str:
    side_by_side = max(0.0, 2 * found.close - found.share)
    return (
        f"{found.share:.0%} of its words stand together in the best place, "
        f"{side_by_side:.0%} of its neighbouring words side by side"
    )


def _instead(opposite: tuple[str, str] | None) -> str:
    word, there = opposite or ("", "")
    return f'the passage has "{there[:60]}" for "{word[:60]}"'


def _list(items: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{item[:60]}"' for item in items[:6])
    return f"{shown}, ..." if len(items) > 6 else shown
