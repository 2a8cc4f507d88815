"""Does an interval keep its level: enumeration and simulation; in `papers` the five papers, recomputed.

May import: comparisons and what it may import.
"""
