"""Metrics of the whole system: its answer against what was expected of it."""
