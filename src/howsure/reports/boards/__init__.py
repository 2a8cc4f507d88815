"""Leaderboards and wide tables: who is best in each metric, and the text that begins with it.

May import: as reports.
"""
