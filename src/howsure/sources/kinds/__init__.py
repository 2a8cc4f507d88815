"""The doors for data in memory, one a kind: labels, label sets, counts.

May import: as sources.
"""
