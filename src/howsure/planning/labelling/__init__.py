"""Where to label: strata of a pool, how labels are shared out between them, and which rows are chosen.

May import: as planning.
"""
