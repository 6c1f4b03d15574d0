"""The metrics: one file each, found by walking this package."""
