"""Wording reuse: how much of a text is copied from another, run of words by run of words."""

from acidtest.text.words import words

RUN = 4
"""Words in a row that count as copied; in scripts without spaces, pairs of letters in a row."""


def reuse(text: str, source: str) -> float:
    """Return the share of a text's words that stand in runs of `RUN` words of the source, in 0..1.

    `What is the upload limit of Pro?` has 7 words; of "The upload limit of Pro is 2 GB" it copies `the
    upload limit of pro`: 5 of 7. A text without `RUN` words copies nothing.
    """
    said, held = words(text), words(source)
    runs = {tuple(held[n : n + RUN]) for n in range(len(held) - RUN + 1)}
    copied: set[int] = set()
    for n in range(len(said) - RUN + 1):
        if tuple(said[n : n + RUN]) in runs:
            copied.update(range(n, n + RUN))
    return len(copied) / len(said) if said else 0.0
