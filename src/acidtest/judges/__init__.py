"""Judges: what answers the prompts that metrics ask."""
