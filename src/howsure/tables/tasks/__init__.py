"""Tables of several tasks: their rows, the tables of each, and an estimate or a difference in each.

May import: what its parent may.
"""
