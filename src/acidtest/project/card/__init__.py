"""A judge's report card: reading what was measured, choosing what belongs together, ruling by stated rules."""
