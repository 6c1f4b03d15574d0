"""Labelling: what people say of chunks, kept as it comes, held against each other, put into the set."""
