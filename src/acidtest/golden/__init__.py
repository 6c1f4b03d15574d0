"""The golden set: reading, versioning, selecting and writing it."""
