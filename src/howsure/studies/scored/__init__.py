"""Studies of scores: populations of scores and of probabilities, samples of them, what the intervals of many do.

May import: comparisons and what it may import.
"""
