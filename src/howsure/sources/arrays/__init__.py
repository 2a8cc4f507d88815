"""Columns in memory: coded, checked, counted.

May import: as sources.
"""
