"""Retrieval metrics that compare text, and need no ids."""
