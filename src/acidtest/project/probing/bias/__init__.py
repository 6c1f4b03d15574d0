"""Bias probes: cases changed in ways that must not change a verdict, and faults that must be caught."""
