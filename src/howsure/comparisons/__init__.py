"""Two or more models on the same rows: pair methods, compare, compare_all, gate, slices, the Bayes test.

May import: estimates and what it may import.
"""
