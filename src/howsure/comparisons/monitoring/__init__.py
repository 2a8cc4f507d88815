"""Streams: a counter of batches, and bounds that hold at all times together.

May import: as comparisons.
"""
