"""Carrying labels over to a corpus that was cut anew."""
