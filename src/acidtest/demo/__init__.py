"""A real RAG system over acidtest's own handbook, and the golden set that measures it."""
