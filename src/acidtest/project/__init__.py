"""Names to objects: the one place that knows the configuration and wires the rooms together."""
