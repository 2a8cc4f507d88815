"""Pictures of every kind of result, described once, and drawn with matplotlib, imported when one is drawn.

May import: as reports.
"""
