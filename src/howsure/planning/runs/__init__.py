"""Plans that weigh runs against rows.

May import: as planning.
"""
