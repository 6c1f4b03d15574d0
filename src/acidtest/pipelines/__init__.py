"""Systems under test: whatever shape they come in, each becomes a `ports.Pipeline`."""
