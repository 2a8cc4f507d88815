"""Comparisons over the tasks of a benchmark or the studies of a meta-analysis: both questions, forests, mean ranks.

May import: what its parent may.
"""
