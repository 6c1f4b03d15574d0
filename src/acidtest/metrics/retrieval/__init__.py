"""Metrics of retrieval from labels: one small function of the hit table a file.

Equal bit for bit to trec_eval 10 where it has the measure: sums run in rank order, in double
precision, and each division is done where trec_eval does it.
"""
