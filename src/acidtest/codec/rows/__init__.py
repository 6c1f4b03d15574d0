"""Rows of a data file, with the place of each: JSONL, JSON, YAML, CSV, Parquet, TREC runs."""
