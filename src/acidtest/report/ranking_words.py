"""What is said of a ranking in every form: places, standings, and how many pairs were compared."""

from acidtest.data.sweep import Contender, Sweep
from acidtest.report.figures import count, money
from acidtest.report.words import Tone

FRONT = "Front: no other run is as good in mean, cost and latency, and better in one of them."


def places(one: Contender) -> str:
    """Return the places that a run may have: `1`, or `2-4` where others are not told apart from it."""
    low, high = one.rank
    return str(low) if low == high else f"{low}-{high}"


def price(one: Contender) -> str:
    """Return the cost of a query; a dash where it is not known."""
    return money(one.cost_usd) if one.cost_usd is not None else "-"


def standing(one: Contender, runs: int) -> tuple[Tone, str, str]:
    """Return how a run stands among so many: tone, a few words, and how many are not told from it."""
    above, below = one.rank[0] - 1, runs - one.rank[1]
    ties = runs - 1 - above - below
    level = f"level with {count(ties, 'other')}" if ties else "level with none"
    if above:
        return "mute", f"{above} clearly better", level
    return "good", "may be the best" if ties else "the best", level


def pairs_told(sweep: Sweep) -> str:
    """Say how many pairs were compared, and what that means for a chance finding."""
    runs = len(sweep.contenders)
    if runs == 2:
        return (
            "The two runs were compared case by case: the chance that one is called clearly better "
            "without being so is at most 5 %. They are level where neither is clearly better."
        )
    return (
        f"All {count(runs * (runs - 1) // 2, 'pair')} of runs were compared at once, case by case: the chance "
        "that any run is called clearly better without being so is at most 5 % over all of them. Two runs "
        "are level where neither is clearly better."
    )
