"""Lint: what is wrong with a golden set, and how to mend it; one rule a file in `rules`."""
