"""Growing a golden set: from runs and recorded outputs, from a corpus by a model or by templates."""
