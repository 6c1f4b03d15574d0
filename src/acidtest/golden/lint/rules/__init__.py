"""The rules of lint: one a file, each a `RULE`."""
