"""Sending recorded answers: their spans, and the thread that posts them."""
