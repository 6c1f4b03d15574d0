"""Conventions: under which names spans say what they did; one file a convention."""
