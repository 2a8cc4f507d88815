"""Means over runs that all predict the same rows: what stands in the place of contents, and what is said of runs.

May import: as tables.
"""
