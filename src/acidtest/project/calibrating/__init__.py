"""Holding a run's scores against people's labels, and choosing what people should label next."""
