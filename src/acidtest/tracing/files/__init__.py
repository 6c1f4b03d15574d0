"""Exports of other tools, one file a format."""
