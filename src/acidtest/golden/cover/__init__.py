"""What a golden set does not reach: documents, sections, topics, kinds of questions."""
