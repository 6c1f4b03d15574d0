"""Reading traces: wire formats and files into spans, and spans into what one answer was."""
