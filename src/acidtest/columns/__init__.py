"""The hit table: where the judged chunks stand in each ranking, and nothing else.

A run is never ranked whole. Of every query only the ranks of the judged chunks are found, once; each
label metric, at each cut-off, is then a function of this table. Standard library only, so that
scoring a ranking imports nothing.
"""
