"""Runs read: which stage broke in a case, how a run stands to its targets, what changed between two."""
