"""Runs shown: in a terminal, as one HTML file, as Markdown, as JUnit XML, as JSON."""
