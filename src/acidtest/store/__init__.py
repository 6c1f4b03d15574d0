"""The store: runs, their answers and outcomes, in SQLite or another database by URL."""
