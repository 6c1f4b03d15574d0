"""Metrics of the retrieved contexts that a judge answers: no labels needed."""
