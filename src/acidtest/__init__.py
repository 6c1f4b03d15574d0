"""acidtest: evaluate retrieval-augmented generation, the two stages apart."""
