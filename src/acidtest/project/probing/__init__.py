"""Probes: what a judge does with questions whose right verdict is known."""
