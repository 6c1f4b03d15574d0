"""Statistics: numbers in, numbers out; nothing here knows what a metric is."""
