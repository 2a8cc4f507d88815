"""Blocked designs, the tables of folds, tests on the scores of folds.

May import: all of the above: errors, types, results, numerics, metrics, tables, sources.
"""
