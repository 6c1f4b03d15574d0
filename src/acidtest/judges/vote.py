"""A vote on a word from a closed list."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct


class Vote(Struct, frozen=True, kw_only=True):
    """How a vote went.

    Attributes:
        winner: The word that won.
        votes: How many voted; who abstains does not.
        won: How many of them voted for the winner.
        dissent: Who said otherwise, in words; empty when nobody did.
    """

    winner: str
    votes: int = 0
    won: int = 0
    dissent: str = ""


def vote(said: Sequence[str], *, abstain: str | None) -> Vote:
    """Count words, one a judge, at least one.

    Args:
        said: The words, in the order of the judges.
        abstain: The word that is no vote and that wins a tie; None when the list has none: then the
            judge named first has the casting vote.
    """
    counted = Counter(word for word in said if word != abstain)
    if not counted:
        return Vote(winner=said[0])
    most = max(counted.values())
    leading = [word for word, n in counted.items() if n == most]  # in the order of the judges
    tied = len(leading) > 1
    winner = abstain if tied and abstain is not None else leading[0]
    others = [f"{n} {word}" for word, n in Counter(said).items() if word != winner]
    agreeing = sum(word == winner for word in said)
    return Vote(
        winner=winner,
        votes=counted.total(),
        won=most,
        dissent=f"{agreeing} of {len(said)} judges; {', '.join(others)}" if others else "",
    )
