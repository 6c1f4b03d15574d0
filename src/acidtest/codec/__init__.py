"""Bytes to records and back: files, rows, canonical JSON, saved runs."""
