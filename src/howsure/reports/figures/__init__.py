"""Figures drawn with matplotlib, which is imported when one is drawn.

May import: as reports.
"""
