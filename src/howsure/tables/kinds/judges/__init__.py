"""A judge beside people: labels on every row, truth on few; what the judge is worth, and what is said of it.

May import: as tables.
"""
