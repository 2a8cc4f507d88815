"""Files and frames of which every row is read: values, sums per unit, long tables, several labels in columns.

May import: as sources.
"""
