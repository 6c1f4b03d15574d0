"""Text to sentences, words, numbers, names and refusals, in many scripts.

Nothing here knows of cases or metrics. Every function takes hostile text: it is linear in its
length, never raises on a string, and needs no model.
"""
