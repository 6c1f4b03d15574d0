"""Editing golden sets together: one form on disk, what changed, two people's edits made one."""
