"""What a plan is: rows for an interval, for a comparison, and shared between strata.

May import: errors, types, version, results.base, results.words.
"""
