"""How many rows: for an interval, a comparison, clusters, strata.

May import: studies and what it may import.
"""
