"""Watching a live system: assembling its traces, sampling and scoring them, trends, drift and alerts."""
