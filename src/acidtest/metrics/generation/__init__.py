"""Metrics of what the generator wrote."""
